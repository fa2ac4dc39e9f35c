#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace a2h::market {

// Who may do what on the broker, as pure functions of names. The market uses them when it gives
// tokens out, the broker's plug-in at every login, subscription and message.
// Source: docs/protocol.md, "MQTT".

constexpr std::size_t kPayloadBytesMax = 64 * 1024;

/// What a token lets its holder do. `Recorder` is the market's own client, which reads every
/// agent's mail for the history; the market gives such a token to nobody else.
enum class BrokerRole { Agent, Recorder };

/// `GID_agent@@@{agent}`: the client id of the agent's listener.
std::string listener_client_id(std::string_view agent_id);

/// `P2P_TOPIC/p2p/GID_agent@@@{agent}`: where the agent receives.
std::string receive_topic(std::string_view agent_id);

/// The agent that `client_id` belongs to: the listener's id, `…_pub_` + 8 hex digits, or `…_rt_` +
/// 1 to 64 letters, digits, `-`, `_` or `.`. nullopt for anything else.
std::optional<std::string_view> agent_of_client_id(std::string_view client_id);

/// `GID_recorder@@@{agent}`: the market's own client.
std::string recorder_client_id(std::string_view agent_id);
/// The agent that a recorder's `client_id` belongs to; nullopt for every other client id, as
/// `agent_of_client_id` is for a recorder's.
std::optional<std::string_view> agent_of_recorder(std::string_view client_id);

/// The agent whose receive topic `topic` is.
std::optional<std::string_view> agent_of_topic(std::string_view topic);

/// `P2P_TOPIC/p2p/+`: all receive topics, to which only the recorder may subscribe.
inline constexpr std::string_view kAllReceiveTopics = "P2P_TOPIC/p2p/+";

/// The recorder subscribes to all receive topics at once and reads each of them.
bool may_record(std::string_view topic);

/// An agent subscribes to and reads its own topic, spelt out: no wildcard, no shared subscription.
bool may_receive(std::string_view agent_id, std::string_view topic);

/// Anybody may write to any agent's receive topic; nothing is retained, because a retained message
/// would come again with every subscription.
bool may_publish(std::string_view topic, std::size_t payload_bytes, bool retained);

}  // namespace a2h::market
