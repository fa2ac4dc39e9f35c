#include "market/broker/access.h"

#include <algorithm>

#include "core/base/ids.h"

namespace a2h::market {
namespace {

constexpr std::string_view kClientPrefix = "GID_agent@@@";
constexpr std::string_view kRecorderPrefix = "GID_recorder@@@";
constexpr std::string_view kTopicPrefix = "P2P_TOPIC/p2p/GID_agent@@@";
constexpr std::string_view kAgentPrefix = "ag_";
constexpr std::string_view kSenderMark = "_pub_";
constexpr std::string_view kInstanceMark = "_rt_";
constexpr std::size_t kSenderDigits = 8;
constexpr std::size_t kInstanceCharactersMax = 64;

bool is_lower_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_instance_character(char c) {
    return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
}

bool is_suffix(std::string_view text) {
    if (text.empty()) return true;
    if (text.starts_with(kSenderMark)) {
        text.remove_prefix(kSenderMark.size());
        return text.size() == kSenderDigits && std::all_of(text.begin(), text.end(), is_lower_hex);
    }
    if (!text.starts_with(kInstanceMark)) return false;
    text.remove_prefix(kInstanceMark.size());
    return !text.empty() && text.size() <= kInstanceCharactersMax &&
           std::all_of(text.begin(), text.end(), is_instance_character);
}

}  // namespace

std::string listener_client_id(std::string_view agent_id) {
    return std::string(kClientPrefix) + std::string(agent_id);
}

std::string receive_topic(std::string_view agent_id) {
    return std::string(kTopicPrefix) + std::string(agent_id);
}

std::optional<std::string_view> agent_of_client_id(std::string_view client_id) {
    if (!client_id.starts_with(kClientPrefix)) return std::nullopt;
    client_id.remove_prefix(kClientPrefix.size());
    if (!client_id.starts_with(kAgentPrefix)) return std::nullopt;
    // An agent id has no "_" after its first, so the next such character begins the suffix.
    std::size_t end = kAgentPrefix.size();
    while (end < client_id.size() && is_letter_or_digit(client_id[end]))
        ++end;
    const std::string_view agent = client_id.substr(0, end);
    if (!is_agent_id(agent) || !is_suffix(client_id.substr(end))) return std::nullopt;
    return agent;
}

std::string recorder_client_id(std::string_view agent_id) {
    return std::string(kRecorderPrefix) + std::string(agent_id);
}

std::optional<std::string_view> agent_of_recorder(std::string_view client_id) {
    if (!client_id.starts_with(kRecorderPrefix)) return std::nullopt;
    client_id.remove_prefix(kRecorderPrefix.size());
    return is_agent_id(client_id) ? std::optional(client_id) : std::nullopt;
}

std::optional<std::string_view> agent_of_topic(std::string_view topic) {
    if (!topic.starts_with(kTopicPrefix)) return std::nullopt;
    topic.remove_prefix(kTopicPrefix.size());
    return is_agent_id(topic) ? std::optional(topic) : std::nullopt;
}

bool may_record(std::string_view topic) {
    return topic == kAllReceiveTopics || agent_of_topic(topic).has_value();
}

bool may_receive(std::string_view agent_id, std::string_view topic) {
    return topic.starts_with(kTopicPrefix) && topic.substr(kTopicPrefix.size()) == agent_id;
}

bool may_publish(std::string_view topic, std::size_t payload_bytes, bool retained) {
    return !retained && payload_bytes <= kPayloadBytesMax && agent_of_topic(topic).has_value();
}

}  // namespace a2h::market
