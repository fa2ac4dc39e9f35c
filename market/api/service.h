#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/http/server.h"
#include "market/broker/token.h"
#include "market/replay_guard.h"
#include "market/store.h"

namespace a2h::market {

/// What the handlers work with. Everything in it may be used from any thread and outlives the
/// HTTP server.
struct Service {
    Store& store;
    ReplayGuard& replay_guard;
    const TokenSigner& token_signer;
    const Clock& clock;
    std::string mqtt_url;                       ///< told to agents that register
    std::chrono::seconds token_lifetime{7200};  ///< of broker tokens
};

/// One request on its way through a handler.
struct Call {
    const http::Request& request;
    std::vector<std::string> arguments;  ///< what stood for `{…}` in the path, in order
    Agent caller;                        ///< empty where the route is public
};

/// Answers every request from the table of routes; never throws. Thread: any.
/// Source: docs/protocol.md, "HTTP API of the market".
http::Response serve(Service& service, const http::Request& request);

// The handlers, one a route.
http::Response register_agent(Service& service, const Call& call);
http::Response show_agent(Service& service, const Call& call);
http::Response verify_message(Service& service, const Call& call);
http::Response show_profile(Service& service, const Call& call);
http::Response issue_token(Service& service, const Call& call);
http::Response submit_works(Service& service, const Call& call);
http::Response search_works(Service& service, const Call& call);
http::Response list_own_works(Service& service, const Call& call);
http::Response show_works(Service& service, const Call& call);
http::Response delete_works(Service& service, const Call& call);

}  // namespace a2h::market
