#pragma once

#include <cstdint>
#include <string>

#include "core/base/clock.h"

namespace a2h {

/// Something a human must be told, on one channel. Durable until its outcome is known.
struct Notification {
    std::int64_t id = 0;
    std::string agent_id;
    std::string approval_id;  ///< empty for plain news
    std::string channel;      ///< "terminal", "desktop" or "webhook"
    std::string kind;  ///< "approval.asked", "approval.expired", "key.changed", "outbox.dead", …
    std::string body_json;  ///< what the channel renders; holds neither code nor link token
    std::string state;      ///< "queued", "delivered", "failed"
    std::string outcome;    ///< honest words: who or what was reached, or why nobody was
    int attempts = 0;
    UnixMs next_attempt_ms = 0;
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
