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

/// What the handlers work with. Everything in it may be used from any thread and outlives the
/// HTTP server.
struct Service {
    db::Database& database;
    AgentCache& agents;
    ReplayGuard& replay_guard;
    const TokenSigner& token_signer;
    const TokenVerifier& token_verifier;
    PaymentProvider& payments;
    const OwnAgent& own_agent;  ///< in whose name the market speaks
    const Clock& clock;
    const RouteTable& routes;
    Watch& watch;
    const FileFolder& files;
    std::string secret_key;                     ///< of upload addresses and forms; never told
    std::string public_url;                     ///< empty: the address listened on
    std::string mqtt_url;                       ///< told to agents that register
    std::chrono::seconds token_lifetime{7200};  ///< of broker tokens
    std::chrono::hours history_kept{0};         ///< recorded messages; 0: for ever
};

/// What makes a request that is sent again the same one.
struct OnceKey {
    std::string key;           ///< the caller's own
    std::string request_hash;  ///< of method, path and parsed body
};

/// One request on its way through a handler.
struct Call {
    const http::Request& request;
    std::vector<std::string> arguments;  ///< what stood for `{…}` in the path, in order
    Agent caller;                        ///< empty where the route is public
    const nlohmann::json& query;         ///< an object that fits the row's `query_schema`
    const nlohmann::json& body;          ///< an object that fits the row's `body_schema`
    std::optional<OnceKey> once{};       ///< from `Idempotency-Key`, where the row knows it
};

/// Answers every request from the table of routes; never throws. Thread: any.
/// Source: docs/protocol.md, "HTTP API of the market".
http::Response serve(Service& service, const http::Request& request);

/// What the HTTP server refuses by itself, in the form of the request's row, and counted; see
/// `http::Server::Options::refusal`. Thread: any.
http::Response refuse_early(Service& service, const http::Request& request, int status,
                            std::string_view sentence);

/// Whether `serve` answers `request` without waiting for disk, network or another thread, so that
/// it may run on an I/O thread: a row that says so, with SQLite, and no nonce to be stored.
bool is_quick(const Service& service, const http::Request& request);

}  // namespace a2h::market
