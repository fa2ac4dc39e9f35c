#include "daemon/pipeline/conversation_text.h"

#include "core/base/text.h"
#include "core/wire/payload.h"

namespace a2h::pipeline {
namespace {

/// What stands for a message without text.
std::string one_line(const wire::PayloadView& payload, i18n::Language language) {
    if (!payload.text.empty()) return preview(payload.text);
    if (!payload.payment_qr.empty()) return i18n::text(language, "daemon.line_payment_qr");
    if (!payload.order_id.empty()) {
        return i18n::text(language, "daemon.line_order", {{"order", preview(payload.order_id)}});
    }
    if (!payload.attachment_url.empty()) {
        return i18n::text(language, "daemon.line_attachment",
                          {{"name", preview(payload.attachment_name)}});
    }
    return i18n::text(language, "daemon.line_other");
}

std::string marked(bool incoming, const std::string& line, i18n::Language language) {
    return i18n::text(language, incoming ? "daemon.line_peer" : "daemon.line_us",
                      {{"text", line}}) +
           "\n";
}

}  // namespace

std::string conversation_text(const std::vector<HistoryEntry>& newest_first,
                              const decide::Input* current, i18n::Language language) {
    std::string text;
    for (auto entry = newest_first.rbegin(); entry != newest_first.rend(); ++entry) {
        if (entry->incoming && entry->provenance == Provenance::Forged) continue;
        text += marked(entry->incoming, one_line(wire::view_payload(entry->payload_json), language),
                       language);
    }
    if (current != nullptr) text += marked(true, one_line(current->payload, language), language);
    return text;
}

}  // namespace a2h::pipeline
