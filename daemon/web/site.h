#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/http/server.h"
#include "core/i18n/messages.h"
#include "daemon/web/api.h"
#include "daemon/web/reach.h"
#include "daemon/web/sessions.h"

namespace a2h::web {

/// The address on which the link of this token is opened.
std::string entrance_url(const SiteOptions& options, std::string_view link_token);

/// The application with its sessions:
///   GET  /enter?t={link}   shows a button and changes nothing: previews of links may fetch it;
///   POST /enter            form field t; uses the link and sets the session's cookie;
///   POST /leave            ends the session;
///   GET  /                 the application; without a session, how to get one;
///   GET  /app/{file}       its files, embedded into the program;
///   GET  /api/live         live events, see `LiveFeed`;
///   *    /api/…            its data, see `Api`; 401 without a session.
/// A change needs the session's key in X-A2H-Key and must come from our own origin. The site loads
/// nothing from elsewhere and allows only its own scripts.
///
/// Thread:  any.
class Site {
  public:
    /// Starts to send a stream; must not block.
    using Follow =
        std::function<void(std::shared_ptr<http::Stream> stream, const std::string& last_event_id,
                           std::function<bool()> still_allowed)>;

    /// `sessions` must outlive this object.
    Site(SiteOptions options, Sessions& sessions, Api api,
         std::function<i18n::Language(std::string_view person)> language_of, Follow follow = {});

    /// True for the paths above.
    static bool serves(std::string_view path);
    http::Response serve(const http::Request& request);

    Sessions& sessions() { return sessions_; }
    /// The id of the session in the request's cookie; empty: none.
    std::string session_id(const http::Request& request) const;
    /// Whether a request comes from our own page and has its session's key.
    bool may_change(const http::Request& request) const;

  private:
    http::Response show_enter(const http::Request& request);
    http::Response take_enter(const http::Request& request);
    http::Response show_application(const http::Request& request);
    http::Response leave(const http::Request& request);
    http::Response show_live(const http::Request& request, const std::string& session_id);
    http::Response serve_api(const http::Request& request);
    i18n::Language wanted_language(const http::Request& request, std::string_view person) const;
    std::string cookie(std::string_view id, bool ends) const;

    const SiteOptions options_;
    const std::string cookie_name_;
    Sessions& sessions_;
    Api api_;
    std::function<i18n::Language(std::string_view)> language_of_;
    Follow follow_;
};

}  // namespace a2h::web
