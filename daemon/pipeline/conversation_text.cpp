#include "daemon/pipeline/conversation_text.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"

namespace a2h::pipeline {
namespace {

/// More stands beside the question, or in the inbox.
constexpr std::size_t kLineCodePointsMax = 2'000;

std::string whole_line(const std::string& text, i18n::Language language) {
    std::string line = one_line(text);
    const std::size_t count = code_point_count(line);
    if (count <= kLineCodePointsMax) return line;
    return i18n::text(language, "daemon.line_cut",
                      {{"text", truncate(line, kLineCodePointsMax)},
                       {"shown", std::to_string(kLineCodePointsMax)},
                       {"count", std::to_string(count)}});
}

/// What stands for a message without text.
std::string one_line(const wire::PayloadView& payload, i18n::Language language) {
    if (!payload.text.empty()) return whole_line(payload.text, language);
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

std::string whole_message(const std::string& payload_json) {
    const auto payload = nlohmann::json::parse(payload_json, nullptr, false);
    if (!payload.is_object()) return {};
    std::string all = wire::text_member(payload, "text");
    for (const auto& [name, value] : payload.items()) {
        if (name == "type" || (name == "text" && value.is_string())) continue;
        if (!all.empty()) all += '\n';
        all += name + ": " + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return all;
}

}  // namespace a2h::pipeline
