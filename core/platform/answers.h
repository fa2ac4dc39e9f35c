#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/listing.h"
#include "core/http/client.h"

namespace a2h::platform {

/// The answer of our own market to the registration of an agent.
struct Registration {
    std::string agent_id;
    std::string agent_key;
    std::string mqtt_url;  ///< mqtt://host:port or mqtts://…
};

struct BrokerToken {
    std::string client_id;
    std::string username;
    std::string password;
    UnixMs expires_at_ms = 0;
};

struct AgentRecord {
    std::string agent_id;
    std::string key_id;
    std::string public_key;
    std::string name;
};

/// The market's own agent, see docs/protocol.md, "Events of the market".
struct MarketRecord {
    std::string agent_id;
    std::string key_id;
    std::string public_key;
};

/// A part of the messages that an agent was sent, oldest first.
struct IncomingPage {
    std::vector<std::string> envelopes{};  ///< as recorded, not parsed
    std::int64_t after = 0;                ///< the position after the last one
    bool more = false;
};

/// Numbers of the market's events for this agent that have not reached the broker; 0: none.
struct WaitingNews {
    std::int64_t oldest = 0;
    std::int64_t newest = 0;
};

/// Larger answers are refused.
constexpr std::size_t kAnswerBytesMax = 4 * 1024 * 1024;

// Converts answers of the market into types; `data` is always the result of `data_of`. Members that
// are not named here are ignored.
//
// Errors:  Corrupt if something is missing or contradicts the request.
// Thread:  any.

/// The reason of a refusal by the HTTP status alone.
ErrorCode code_of_status(int status);
/// `data` of an answer that reports success, in either of the platform's two forms; null if it has
/// none.
///
/// Errors:  also those of `Client`.
Result<nlohmann::json> data_of(const http::ClientResponse& response);

Result<Registration> read_registration(const nlohmann::json& data);
/// `client_id` is the client for which the token was requested.
Result<BrokerToken> read_broker_token(const nlohmann::json& data, std::string_view client_id);
Result<MarketRecord> read_market_record(const nlohmann::json& data);
/// `agent_id` is the agent that was asked for.
Result<AgentRecord> read_agent_record(const nlohmann::json& data, std::string_view agent_id);
/// Whether the market confirms the sender of a message.
Result<bool> read_verdict(const nlohmann::json& data);
/// Envelopes as recorded, not parsed.
std::vector<std::string> read_history(const nlohmann::json& data);
/// For a request after the position `after`. If there is more, the next position must be different.
Result<IncomingPage> read_incoming(const nlohmann::json& data, std::int64_t after);
Result<WaitingNews> read_waiting_news(const nlohmann::json& data);
Result<Listing> read_listing(const nlohmann::json& data);
/// The listings in the member `name`.
Result<std::vector<Listing>> read_listings(const nlohmann::json& data, std::string_view name);

}  // namespace a2h::platform
