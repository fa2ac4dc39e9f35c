#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/http/server.h"
#include "market/api/agent_cache.h"
#include "market/api/replay_guard.h"
#include "market/api/watch.h"
#include "market/broker/token.h"
#include "market/db/database.h"
#include "market/files/file_folder.h"
#include "market/payment/payment_provider.h"
#include "market/store/agent_store.h"
#include "market/store/relay_store.h"

namespace a2h::market {

class RouteTable;

/// The objects that handlers use. All may be used from any thread and must outlive the HTTP server.
struct ApiParts {
    db::Database& database;
    AgentCache& agents;
    ReplayGuard& replay_guard;
    const TokenSigner& token_signer;
    const TokenVerifier& token_verifier;
    PaymentProvider& payments;
    const OwnAgent& own_agent;  ///< the agent in whose name the market sends
    const Clock& clock;
    const RouteTable& routes;
    Watch& watch;
    const FileFolder& files;
    std::string secret_key;                     ///< for upload addresses and forms; never sent
    std::string public_url;                     ///< empty: the listen address
    std::string mqtt_url;                       ///< sent to agents that register
    std::chrono::seconds token_lifetime{7200};  ///< of broker tokens
    std::chrono::hours history_kept{0};  ///< how long recorded messages are kept; 0: for ever
};

/// Identifies a repeated request.
struct OnceKey {
    std::string key;           ///< chosen by the caller
    std::string request_hash;  ///< hash of method, path and parsed body
};

/// One request for a handler.
struct Call {
    const http::Request& request;
    std::vector<std::string> arguments;  ///< the values for `{…}` in the path, in order
    Agent caller;                        ///< empty if the route is public
    const nlohmann::json& query;         ///< an object that fits the row's `query_schema`
    const nlohmann::json& body;          ///< an object that fits the row's `body_schema`
    std::optional<OnceKey> once{};       ///< from `Idempotency-Key`, if the row supports it
};

/// Answers every request by the table of routes; never throws.
///
/// Thread:  any.
/// Source:  docs/protocol.md, "HTTP API of the market".
http::Response serve(ApiParts& parts, const http::Request& request);

/// The answer when the HTTP server itself refuses a request, in the form of its row, and counted;
/// see `http::Server::Options::refusal`.
///
/// Thread:  any.
http::Response refuse_early(ApiParts& parts, const http::Request& request, int status,
                            std::string_view sentence);

/// Whether `serve` answers `request` without waiting for disk, network or another thread, so that
/// it may run on an I/O thread: a row marked as quick, with SQLite, and without a nonce to be
/// stored.
bool is_quick(const ApiParts& parts, const http::Request& request);

}  // namespace a2h::market
