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

/// What registering a new agent at our own market answers.
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

struct ListingReceipt {
    std::string works_id;
    std::string change_request_id;
    std::string status;
};

struct AgentRecord {
    std::string agent_id;
    std::string key_id;
    std::string public_key;
    std::string name;
};

/// The market's own agent, see docs/protocol.md, "Messages of the market".
struct MarketRecord {
    std::string agent_id;
    std::string key_id;
    std::string public_key;
};

/// Part of what anybody has sent to an agent, oldest first.
struct IncomingPage {
    std::vector<std::string> envelopes{};  ///< as they were recorded, unread
    std::int64_t after = 0;                ///< the place behind the last one
    bool more = false;
};

/// Larger ones are no answers.
constexpr std::size_t kAnswerBytesMax = 4 * 1024 * 1024;

// What the market answers, read into types; `data` is always that of `data_of`. Whatever comes
// besides what is named here is left unread. Errors: Corrupt when something of it is missing or
// contradicts what was asked. Thread: any.

/// Why a request was refused, by the HTTP status alone.
ErrorCode code_of_status(int status);
/// `data` of an answer that reports success, in either of the platform's two forms; null when it
/// has none. Errors: also those of `Client`.
Result<nlohmann::json> data_of(const http::ClientResponse& response);

Result<Registration> read_registration(const nlohmann::json& data);
/// Of the client that asked for it.
Result<BrokerToken> read_broker_token(const nlohmann::json& data, std::string_view client_id);
Result<MarketRecord> read_market_record(const nlohmann::json& data);
/// Of the agent that was asked for.
Result<AgentRecord> read_agent_record(const nlohmann::json& data, std::string_view agent_id);
/// Whether the market vouches for a message.
Result<bool> read_verdict(const nlohmann::json& data);
/// Envelopes as they were recorded, unread.
std::vector<std::string> read_history(const nlohmann::json& data);
/// Of who asked behind the place `after`: where there is more, the next one is another.
Result<IncomingPage> read_incoming(const nlohmann::json& data, std::int64_t after);
Result<ListingReceipt> read_receipt(const nlohmann::json& data);
Result<Listing> read_listing(const nlohmann::json& data);
/// The listings in the member `name`.
Result<std::vector<Listing>> read_listings(const nlohmann::json& data, std::string_view name);

}  // namespace a2h::platform
