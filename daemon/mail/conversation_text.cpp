#include "daemon/mail/conversation_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/card/card.h"
#include "daemon/consent/renewal.h"

namespace a2h::mail {
namespace {

using nlohmann::json;

/// Longer texts are shown beside the question or in the inbox.
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

/// Returns the line that is shown for a message without text.
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

/// Whether a message has members that its line does not show.
bool says_more(const json& payload) {
    constexpr std::array<std::string_view, 7> kShown{
        "text", "type", "orderId", "worksId", "payment_qr", "payment_qr_type", "attachment"};
    if (!payload.is_object()) return false;
    return std::any_of(payload.items().begin(), payload.items().end(), [&](const auto& member) {
        return std::ranges::find(kShown, member.key()) == kShown.end();
    });
}

std::string line_of(const HistoryEntry& entry, i18n::Language language) {
    const json payload = json::parse(entry.payload_json, nullptr, false);
    return entry.incoming && says_more(payload)
               ? whole_line(card::message_in_words(entry.payload_json, language), language)
               : one_line(wire::view_payload(entry.payload_json), language);
}

/// The complete message, because the answer is to all of it. Further lines are indented more than
/// any mark.
std::string all_of(std::string_view payload_json, const wire::PayloadView& payload,
                   i18n::Language language) {
    const json object = json::parse(payload_json, nullptr, false);
    if (object.is_object() && !object.empty())
        return card::message_in_words(payload_json, language);
    if (payload.text.empty()) return one_line(payload, language);
    return card::message_in_words(json{{"text", payload.text}}.dump(), language);
}

std::string marked(const char* key, const std::string& line, i18n::Language language) {
    return i18n::text(language, key, {{"text", line}}) + "\n";
}

bool is_heard(const HistoryEntry& entry) {
    return entry.incoming && entry.provenance != Provenance::Forged;
}

/// The newest message that is certainly the peer's; otherwise the newest in its name.
const HistoryEntry* newest_heard(const std::vector<HistoryEntry>& newest_first) {
    const HistoryEntry* newest = nullptr;
    for (const HistoryEntry& entry : newest_first) {
        if (!is_heard(entry)) continue;
        if (is_authentic(entry.provenance)) return &entry;
        if (newest == nullptr) newest = &entry;
    }
    return newest;
}

/// The speaker. If the current message is unverified as well, the whole card says so.
const char* speaker_of(const HistoryEntry& entry, const decide::Input* current) {
    if (!entry.incoming) return "daemon.line_us";
    const bool is_doubtful_card = current != nullptr && !is_authentic(current->message.provenance);
    return is_doubtful_card || is_authentic(entry.provenance) ? "daemon.line_peer"
                                                              : "daemon.line_unproved";
}

}  // namespace

std::string conversation_text(const std::vector<HistoryEntry>& newest_first,
                              const decide::Input* current, i18n::Language language) {
    const HistoryEntry* answered = current == nullptr ? newest_heard(newest_first) : nullptr;
    std::string text;
    for (auto entry = newest_first.rbegin(); entry != newest_first.rend(); ++entry) {
        if (entry->incoming && !is_heard(*entry)) continue;
        text += marked(
            speaker_of(*entry, current),
            &*entry == answered
                ? all_of(entry->payload_json, wire::view_payload(entry->payload_json), language)
                : line_of(*entry, language),
            language);
    }
    if (current != nullptr) {
        const std::string payload_json = consent::all_said_in(current->message);
        text +=
            marked("daemon.line_peer", all_of(payload_json, current->payload, language), language);
    }
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

}  // namespace a2h::mail
