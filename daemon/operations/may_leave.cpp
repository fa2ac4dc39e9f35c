#include "daemon/operations/may_leave.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/store/unanswered_store.h"
#include "core/wire/agent_messages.h"
#include "core/wire/json_member.h"
#include "daemon/agents/house.h"
#include "daemon/decide/decision.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

/// One word without spaces: no sentence can hide in it.
bool looks_like_id(const json& value) {
    constexpr std::size_t kIdMax = 64;
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    return text.size() <= kIdMax && std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == ':';
           });
}

/// Members that only say what a message is about and commit to nothing: digits of an id are no
/// amount. Whether anybody knows the id is looked up before.
bool is_reference(std::string_view name, const json& value) {
    return looks_like_id(value) && is_reference_name(name);
}

bool is_harmless(std::string_view name, const json& value) {
    return is_reference(name, value) ||
           (name == "type" && (value == "text" || value == "inquiry" || value == "reject"));
}

bool is_words(std::string_view name, const json& value) {
    return (name == "text" || name == "note" || name == "summary") && value.is_string();
}

/// What says yes to something, in whichever member.
bool holds_true(const json& value) {
    if (!value.is_structured()) return value == true;
    return std::any_of(value.begin(), value.end(), holds_true);
}

/// Everything that `value` says, members by name, so that a number is read with what it counts.
void collect(const json& value, std::string& words) {
    if (value.is_object()) {
        for (const auto& [name, member] : value.items()) {
            std::string label = name;
            std::replace(label.begin(), label.end(), '_', ' ');
            words += label + ": ";
            collect(member, words);
        }
    } else if (value.is_array()) {
        for (const json& item : value)
            collect(item, words);
    } else if (value.is_string()) {
        words += value.get<std::string>() + "\n";
    } else if (!value.is_null()) {
        words += value.dump() + "\n";
    }
}

/// A sentence without spaces is a sentence; the digits of an agent's id are no amount.
std::string with_spaces(const std::string& words) {
    std::string spaced;
    std::string word;
    for (const char c : words + "\n") {
        if (c != ' ' && c != '\n') {
            word += c;
            continue;
        }
        if (!is_agent_id(word)) std::replace(word.begin(), word.end(), '_', ' ');
        spaced += word + c;
        word.clear();
    }
    return spaced;
}

/// Of so few words that they may say yes to whatever was said before, in any language, without any
/// word that a review knows.
bool may_be_assent(const std::string& words) {
    constexpr std::size_t kShortCodePoints = 16;
    constexpr int kShortWords = 2;
    const std::string_view text = trim(words);
    constexpr std::string_view kWideQuestionMark = "\xef\xbc\x9f";
    if (text.empty() || text.ends_with('?') || text.ends_with(kWideQuestionMark)) return false;
    const auto spaces = std::count(text.begin(), text.end(), ' ');
    const bool is_short = code_point_count(text) <= kShortCodePoints && spaces < kShortWords;
    return is_short && !decide::is_courtesy(text);
}

}  // namespace

bool may_leave(std::string_view message_type, const std::string& payload_json,
               const std::vector<Listing>& listings) {
    const json payload = json::parse(payload_json, nullptr, false);
    if (!payload.is_object()) return false;
    const auto type = wire::parse_agent_message_type(message_type);
    const bool is_between_agents = type && *type != wire::AgentMessageType::General;
    const bool is_report = type == wire::AgentMessageType::StatusReport;
    std::string words;
    for (const auto& [name, value] : payload.items()) {
        // Whom we know is given away as `[agents] introductions` says, which the caller has asked.
        const bool introduces =
            type == wire::AgentMessageType::IntroductionResponse && name == "introduced";
        if (holds_true(value) && !introduces) return false;
        if (is_words(name, value)) {
            words += value.get<std::string>() + "\n";
        } else if (is_report && name == "status") {
            continue;  // one of the five words that `wire::fault_of` knows
        } else if (is_between_agents && !is_reference(name, value)) {
            collect(value, words);
        } else if (!is_harmless(name, value)) {
            return false;
        }
    }
    if (!is_between_agents && may_be_assent(words)) return false;
    return decide::review_text(with_spaces(words), listings).free;
}

bool only_rejects(const std::string& payload_json) {
    const json payload = json::parse(payload_json, nullptr, false);
    if (wire::text_member(payload, "type") != "reject") return false;
    for (const auto& [name, value] : payload.items()) {
        if (name != "type" && !is_reference(name, value)) return false;
    }
    return true;
}

Result<bool> is_open_with(Runtime& runtime, const std::string& peer_id) {
    for (const auto& [agent_id, agent] : runtime.agents) {
        const auto is_open = store::has_unanswered(runtime.context.reader, agent_id, peer_id);
        if (!is_open || *is_open) return is_open;
    }
    return false;
}

Result<bool> is_free_to_leave(Runtime& runtime, const Call& call, const AboutMail& mail) {
    if (runtime.house->is_ours(mail.target_id)) return true;
    if (!may_leave(mail.message_type, mail.payload_json, call.agent.listings)) return false;
    if (only_rejects(mail.payload_json)) return true;
    const auto is_open = is_open_with(runtime, mail.target_id);
    if (!is_open) return fail(is_open.error());
    return !*is_open;
}

}  // namespace a2h::operations
