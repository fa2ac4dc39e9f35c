#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/http/server.h"
#include "daemon/web/agents_api.h"
#include "daemon/web/reach.h"

namespace a2h::web {

/// Negotiations for programs and for pages of their own, under /api/v1:
///   POST /api/v1/demand/submit                              begins one
///   GET  /api/v1/demand/{demand_id}                         how it stands, `negotiation_view`
///   POST /api/v1/demand/{demand_id}/cancel                  ends it
///   GET  /api/v1/events/negotiations/{demand_id}/stream     its story, see `NegotiationFeed`
///   *    /api/v1/agents…                                    who can be asked, see `AgentsApi`
/// Errors are those of `api_answers`.
///
/// Who may: who shows one of the tokens or an open session of the page, on every address, because
/// all users of a machine reach its loopback. A name that is not ours and a page of another origin
/// that is not named in `cors_origins` are refused first.
///
/// Source: section 3.1 and 6.1 of the seed of multi-party negotiation. Thread: any.
class DemandApi {
  public:
    struct Options {
        SiteOptions site;
        std::vector<std::string> tokens;        ///< each of them opens it; none is empty
        std::vector<std::string> cors_origins;  ///< without a slash at the end
    };
    /// What it needs of the daemon. Each may block up to 20 s, except `follow`.
    struct Backend {
        AgentsApi::Operate call;
        /// The demand that a demand's or negotiation's id means. Errors: NotFound.
        std::function<Result<std::string>(std::string_view id)> demand_of;
        /// See `AgentsApi`.
        AgentsApi::ProfileOf profile_of;
        /// Begins to feed a stream. Must not block.
        std::function<void(std::shared_ptr<http::Stream> stream, const std::string& demand_id,
                           const std::string& last_event_id, std::function<bool()> still_allowed)>
            follow;
        /// True when it would be refused.
        std::function<bool()> is_full;
        /// Whether the request shows an open session of the page; to change something, its key too.
        std::function<bool(const http::Request&, bool changes)> has_session;
        /// As long as it is open: for a stream that goes on.
        std::function<std::function<bool()>(const http::Request&)> session_of;
    };

    DemandApi(Options options, Backend backend)
        : options_(std::move(options)),
          backend_(std::move(backend)),
          agents_(backend_.call, backend_.profile_of) {}

    static bool serves(std::string_view path);
    http::Response serve(const http::Request& request);

  private:
    /// How a request got in.
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
