#include "core/store/retry_times.h"

#include "core/store/statement.h"

namespace a2h::store {

// For rows of one state, so that its index finds them.
#define A2H_WAIT_FROM_NOW                                             \
    " set next_attempt_ms = next_attempt_ms - (updated_at_ms - ?1), " \
    "updated_at_ms = ?1 where next_attempt_ms > ?1 and updated_at_ms > ?1 and "

Result<void> resume_retries(Database& db, UnixMs now_ms) {
    static constexpr const char* kMessages =
        "update outbox indexed by outbox_queued" A2H_WAIT_FROM_NOW "state = 'queued'";
    static constexpr const char* kNotifications =
        "update notification indexed by notification_queued" A2H_WAIT_FROM_NOW
        "state = 'queued' and held = 0";
    static constexpr const char* kLaterSteps =
        "update notification indexed by notification_waiting" A2H_WAIT_FROM_NOW
        "state = 'waiting' and held = 0";
    A2H_TRY(db.statement(kMessages).run(now_ms));
    A2H_TRY(db.statement(kNotifications).run(now_ms));
    return db.statement(kLaterSteps).run(now_ms);
}

#undef A2H_WAIT_FROM_NOW

}  // namespace a2h::store
