#include "daemon/operations/may_leave.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "core/wire/agent_messages.h"
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
/// amount.
bool is_reference(std::string_view name, const json& value) {
    constexpr std::string_view kNames[] = {"orderId", "worksId",        "offer_message_id",
                                           "task_id", "parent_task_id", "request_id",
                                           "taskId",  "parentTaskId",   "requestId"};
    return looks_like_id(value) &&
           std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool is_harmless(std::string_view name, const json& value) {
    return is_reference(name, value) ||
           (name == "type" && (value == "text" || value == "inquiry" || value == "reject"));
}

bool is_words(std::string_view name, const json& value) {
    return (name == "text" || name == "note" || name == "summary") && value.is_string();
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
    return decide::review_text(words, listings).free;
}

}  // namespace a2h::operations
