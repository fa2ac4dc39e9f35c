#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace a2h::market {

// The rights of each client on the broker, as pure functions of names. The market uses them when it
// issues tokens, and the broker's plug-in for every login, subscription and message.
//
// Source:  docs/protocol.md, "MQTT".

constexpr std::size_t kPayloadBytesMax = 64 * 1024;

/// The rights of a token. `Recorder` is the market's own client, which reads every agent's mail for
/// the history; the market issues such a token only to itself.
enum class BrokerRole { Agent, Recorder };

/// `GID_agent@@@{agent}`: the client id of the agent's listener.
std::string listener_client_id(std::string_view agent_id);

/// `P2P_TOPIC/p2p/GID_agent@@@{agent}`: the topic on which the agent receives.
std::string receive_topic(std::string_view agent_id);

/// The agent of `client_id`: the listener's id, `…_pub_` + 8 hex digits, or `…_rt_` + 1 to 64
/// letters, digits, `-`, `_` or `.`. nullopt for all others.
std::optional<std::string_view> agent_of_client_id(std::string_view client_id);

/// `GID_recorder@@@{agent}`: the market's own client.
std::string recorder_client_id(std::string_view agent_id);
/// The agent of a recorder's `client_id`; nullopt for all other client ids, and
/// `agent_of_client_id` is nullopt for a recorder's.
std::optional<std::string_view> agent_of_recorder(std::string_view client_id);

/// The agent with the receive topic `topic`.
std::optional<std::string_view> agent_of_topic(std::string_view topic);

/// `P2P_TOPIC/p2p/+`: all receive topics. Only the recorder may subscribe to it.
inline constexpr std::string_view kAllReceiveTopics = "P2P_TOPIC/p2p/+";

/// The recorder subscribes to all receive topics at once and reads each of them.
bool may_record(std::string_view topic);

/// An agent may subscribe to and read its own topic, written out: no wildcard, no shared
/// subscription.
bool may_receive(std::string_view agent_id, std::string_view topic);

/// Every agent may write to every receive topic. Nothing may be retained, because a retained
/// message would be delivered again with every subscription.
bool may_publish(std::string_view topic, std::size_t payload_bytes, bool retained);

}  // namespace a2h::market
