#include "daemon/mail/conversation_text.h"

#include <algorithm>
#include <string_view>
#include <vector>

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

/// `text`, or its beginning and how long it is.
std::string cut(std::string text, i18n::Language language) {
    const std::size_t count = code_point_count(text);
    if (count <= kLineCodePointsMax) return text;
    return i18n::text(language, "daemon.line_cut",
                      {{"text", truncate(text, kLineCodePointsMax)},
                       {"shown", std::to_string(kLineCodePointsMax)},
                       {"count", std::to_string(count)}});
}

std::string whole_line(const std::string& text, i18n::Language language) {
    return cut(one_line(text), language);
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

/// Whether a message has members that its line does not show. The line of a message without text
/// names its payment code, or else its attachment.
bool says_more(const json& payload, const wire::PayloadView& view) {
    if (!payload.is_object()) return false;
    std::vector<std::string_view> shown{"text", "type", "orderId", "worksId"};
    const bool has_text = !view.text.empty();
    const bool has_code = !view.payment_qr.empty();
    if (!has_text && has_code) shown.insert(shown.end(), {"payment_qr", "payment_qr_type"});
    if (!has_text && !has_code) shown.emplace_back("attachment");
    return std::any_of(payload.items().begin(), payload.items().end(), [&](const auto& member) {
        return std::ranges::find(shown, member.key()) == shown.end();
    });
}

/// The members in words, further ones on lines of their own. A peer's are cut like its texts; what
/// we have offered is always whole, because the answer may be to it.
std::string all_members(const HistoryEntry& entry, i18n::Language language) {
    std::string words = card::message_in_words(entry.payload_json, language);
    return entry.incoming ? cut(std::move(words), language) : words;
}

std::string line_of(const HistoryEntry& entry, i18n::Language language) {
    const json payload = json::parse(entry.payload_json, nullptr, false);
    const wire::PayloadView view = wire::view_payload(entry.payload_json);
    return says_more(payload, view) ? all_members(entry, language) : one_line(view, language);
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
