#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/guarded.h"
#include "core/base/result.h"

namespace a2h::web {

/// One-time links and the sessions that they open.
///
/// Both are kept in memory and only as SHA-256: what another program writes into or reads from the
/// database opens nothing, and a restart ends all sessions. A session has two secrets. Its id is a
/// cookie, which browsers also send to other ports of the same host, so it only allows reading. A
/// change also needs the key, which the browser receives once and stores for this origin only. The
/// cookies are made in site.cpp.
///
/// Thread:  any.
class Sessions {
  public:
    static constexpr std::chrono::minutes kLinkLife{5};
    static constexpr std::chrono::hours kIdleMax{12};
    static constexpr std::chrono::hours kLifeMax{24 * 7};
    /// If there are more, the oldest is removed.
    static constexpr std::size_t kLinksMax = 32;
    static constexpr std::size_t kSessionsMax = 64;

    explicit Sessions(const Clock& clock) : clock_(clock) {}

    /// The token of a link for `person`.
    std::string make_link(std::string person);
    /// True if `open` would accept it. Changes nothing.
    bool is_open(std::string_view link_token) const;

    struct Opened {
        std::string id;   ///< for the cookie
        std::string key;  ///< for changes
        std::string person;
    };
    /// Uses the link.
    ///
    /// Errors:  Conflict if it was used before; NotFound if there is no link with this token or it
    ///          has expired.
    Result<Opened> open(std::string_view link_token);

    /// The person of a session; restarts its idle time. nullopt if the session has ended, or never
    /// was.
    std::optional<std::string> person_of(std::string_view id);
    /// True while `person_of` would return a person; does not change the idle time.
    bool is_alive(std::string_view id) const;
    /// True if `key` belongs to the session.
    bool may_change(std::string_view id, std::string_view key) const;
    /// True if the link of this token opened this session, as with a second click.
    bool was_opened_by(std::string_view id, std::string_view link_token) const;
    void close(std::string_view id);

  private:
    struct Link {
        std::string person;
        UnixMs made_at_ms = 0;
        bool used = false;
    };
    struct Session {
        std::string person;
        std::string key_hash;
        std::string link_hash;
        UnixMs opened_at_ms = 0;
        UnixMs used_at_ms = 0;
    };
    struct State {
        std::map<std::string, Link> links;        ///< keyed by the hash of the token
        std::map<std::string, Session> sessions;  ///< keyed by the hash of the id
    };

    static bool is_over(const Session& session, UnixMs now_ms);
    void forget_old(State& state) const;

    const Clock& clock_;
    Guarded<State> state_;
};

}  // namespace a2h::web
