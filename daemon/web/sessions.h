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
/// Both live in memory and as SHA-256 only: what another program writes into the database or reads
/// from it opens nothing, and a restart ends all sessions. A session has two secrets. Its id is a
/// cookie, which browsers also send to other ports of the same host, so it allows reading and no
/// more. Whoever wants to change something shows its key as well, which the browser is given once
/// and keeps for this address alone.
///
/// Thread: any.
class Sessions {
  public:
    static constexpr std::chrono::minutes kLinkLife{5};
    static constexpr std::chrono::hours kIdleMax{12};
    static constexpr std::chrono::hours kLifeMax{24 * 7};
    /// The oldest goes when there are more.
    static constexpr std::size_t kLinksMax = 32;
    static constexpr std::size_t kSessionsMax = 64;

    explicit Sessions(const Clock& clock) : clock_(clock) {}

    /// Token of a link for `person`.
    std::string make_link(std::string person);
    /// True when `open` would take it. Changes nothing.
    bool is_open(std::string_view link_token) const;

    struct Opened {
        std::string id;   ///< for the cookie
        std::string key;  ///< for changes
        std::string person;
    };
    /// Uses the link. Errors: Conflict when it was used before; NotFound when there is none of
    /// that token, or its time is over.
    Result<Opened> open(std::string_view link_token);

    /// Whose session it is; starts its idle time again. nullopt: there is none, or no longer.
    std::optional<std::string> person_of(std::string_view id);
    /// True while `person_of` would name somebody; leaves the idle time as it is.
    bool is_alive(std::string_view id) const;
    /// True when `key` is that of the session.
    bool may_change(std::string_view id, std::string_view key) const;
    /// True when the link of this token opened this very session: a second click.
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
        std::map<std::string, Link> links;        ///< by hash of the token
        std::map<std::string, Session> sessions;  ///< by hash of the id
    };

    static bool is_over(const Session& session, UnixMs now_ms);
    void forget_old(State& state) const;

    const Clock& clock_;
    Guarded<State> state_;
};

}  // namespace a2h::web
