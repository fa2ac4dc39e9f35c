#pragma once

#include <cstdint>
#include <string>

#include "core/base/clock.h"
#include "core/domain/person.h"

namespace a2h {

/// Something a person must be told, on one channel. Durable until its outcome is known.
struct Notification {
    std::int64_t id = 0;
    std::string agent_id;
    std::string approval_id;  ///< empty for plain news
    std::string news;         ///< the same in all rows of one piece of news
    std::string person{kOwner};
    int step = 0;  ///< of the person's channels: later ones wait until nobody was reached
    Priority priority = Priority::Normal;
    std::string channel;  ///< name of a configured channel
    std::string kind;  ///< "approval.asked", "approval.expired", "key.changed", "outbox.dead", …
    std::string body_json;  ///< what the channel renders; holds neither code nor link token
    /// "queued", "waiting" (for an earlier step), "delivered", "failed", "skipped" (not needed)
    std::string state;
    std::string outcome;  ///< honest words: who or what was reached, or why nobody was
    std::string receipt;  ///< the channel's own id of what it shows; empty: cannot be changed
    /// "" (nothing to change), "open", "stale" (its final state is not shown yet), "final"
    std::string card;
    bool held = false;  ///< collected: told together with others of its kind
    int attempts = 0;
    UnixMs next_attempt_ms = 0;
    UnixMs sent_at_ms = 0;  ///< when it took a place of the person's limit; 0: it did not
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

/// A line of what happened, for `status`, the page and live views.
struct Event {
    std::int64_t id = 0;
    std::string agent_id;
    std::string kind;     ///< noun.verb, e.g. "message.received"
    std::string subject;  ///< id of what it is about
    std::string detail_json;
    UnixMs created_at_ms = 0;
};

}  // namespace a2h
