#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/http/server.h"
#include "daemon/web/agents_api.h"
#include "daemon/web/reach.h"

namespace a2h::web {

/// Negotiations for programs and their pages, under /api/v1:
///   POST /api/v1/demand/submit                              starts one
///   GET  /api/v1/demand/{demand_id}                         its state, `negotiation_view`
///   POST /api/v1/demand/{demand_id}/cancel                  ends it
///   GET  /api/v1/events/negotiations/{demand_id}/stream     its history, see `NegotiationFeed`
///   *    /api/v1/agents…                                    the agents, see `AgentsApi`
/// Errors are those of `api_answers`.
///
/// Access: a request needs one of the tokens or an open session of the page, on every address,
/// because all users of a machine can reach its loopback. A foreign host name and a page of another
/// origin that is not in `cors_origins` are refused first.
///
/// Thread:  any.
/// Source:  sections 3.1 and 6.1 of the negotiation specification.
class DemandApi {
  public:
    struct Options {
        SiteOptions site;
        std::vector<std::string> tokens;        ///< any of them gives access; none is empty
        std::vector<std::string> cors_origins;  ///< without a slash at the end
    };
    /// The functions of the daemon that it uses. Each may block up to 20 s, except `follow`.
    struct Backend {
        AgentsApi::Operate call;
        /// The demand with the id of a demand or negotiation.
        ///
        /// Errors:  NotFound.
        std::function<Result<std::string>(std::string_view id)> demand_of;
        /// See `AgentsApi`.
        AgentsApi::ProfileOf profile_of;
        /// Starts a stream. Must not block.
        std::function<void(std::shared_ptr<http::Stream> stream, const std::string& demand_id,
                           const std::string& last_event_id, std::function<bool()> still_allowed)>
            follow;
        /// True if another stream would be refused.
        std::function<bool()> is_full;
        /// Whether the request has an open session of the page, and for a change also its key.
        std::function<bool(const http::Request&, bool changes)> has_session;
        /// Whether the session is still open, for a stream.
        std::function<std::function<bool()>(const http::Request&)> session_of;
    };

    DemandApi(Options options, Backend backend)
        : options_(std::move(options)),
          backend_(std::move(backend)),
          agents_(backend_.call, backend_.profile_of) {}

    static bool serves(std::string_view path);
    http::Response serve(const http::Request& request);

  private:
    /// How a request was authorised.
    enum class Entry { Refused, Token, Session };
    struct Ask;
    struct Route;
    static const Route kRoutes[];

    Entry entry_of(const http::Request& request) const;
    bool is_allowed_origin(const http::Request& request) const;
    http::Response answer(const http::Request& request);
    http::Response submit(const http::Request& request);
    http::Response show(std::string_view id);
    http::Response cancel(std::string_view id);
    http::Response follow(const Ask& ask);

    const Options options_;
    Backend backend_;
    AgentsApi agents_;
};

}  // namespace a2h::web
