#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/person.h"

namespace a2h {

/// The kind of notification that shows a question. All other kinds are news of features.
inline constexpr std::string_view kAskedKind = "approval.asked";

/// One piece of news for a person, on one channel. Kept until its outcome is known.
struct Notification {
    std::int64_t id = 0;
    std::string agent_id;
    std::string approval_id;  ///< empty if it is not about an approval
    std::string news;         ///< the same in all rows of one piece of news
    std::string person{kOwner};
    int step = 0;  ///< step of the person's channels; later ones wait until nobody was reached
    Priority priority = Priority::Normal;
    std::string channel;  ///< name of a configured channel
    std::string kind;  ///< "approval.asked", "approval.expired", "key.changed", "outbox.dead", …
    std::string body_json;  ///< content for the channel; contains neither code nor link token
    /// "queued", "waiting" (for an earlier step), "delivered", "failed", "skipped" (not needed)
    std::string state;
    std::string outcome;  ///< who or what was reached, or why nobody was
    std::string receipt;  ///< the channel's own id of the message; empty: it cannot be changed
    /// "" (nothing to change), "open", "stale" (the final state is not shown yet), "final"
    std::string card;
    bool held = false;       ///< held back to be sent together with others
    bool shows_code = true;  ///< false if what was delivered had no code for a yes
    int attempts = 0;
    UnixMs next_attempt_ms = 0;
    UnixMs sent_at_ms = 0;  ///< when it counted for the person's limit; 0: it did not
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

/// An entry for `status`, the page and live views.
struct Event {
    std::int64_t id = 0;
    std::string agent_id;
    std::string kind;     ///< in the form noun.verb, such as "message.received"
    std::string subject;  ///< id of its subject
    std::string detail_json;
    UnixMs created_at_ms = 0;
};

}  // namespace a2h
