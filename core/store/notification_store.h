#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/notification.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

Result<std::int64_t> insert_notification(Database& db, const Notification& notification);
Result<std::optional<Notification>> get_notification(Database& db, std::int64_t id);
/// The notifications about an approval, oldest first.
Result<std::vector<Notification>> notifications_of_approval(Database& db,
                                                            std::string_view approval_id);
/// Whether `person` (empty: anybody) received the question in a message of its own, on a channel
/// that carries codes: all but the desktop. A message with several questions has no codes.
Result<bool> was_code_delivered(Database& db, std::string_view approval_id,
                                std::string_view person = {});
/// The notifications of all people, newest first.
Result<std::vector<Notification>> list_notifications(Database& db, int limit);

/// The number of due rows in one place: a person on a channel.
struct DueNotifications {
    std::string person;
    std::string channel;
    std::int64_t count = 0;
    std::int64_t high_count = 0;  ///< of priority High
    std::int64_t held_count = 0;  ///< collected ones
    std::int64_t last_id = 0;     ///< the newest of them
};
Result<std::vector<DueNotifications>> due_notifications(Database& db, UnixMs now_ms);
/// The due rows of one place, most urgent first, then longest waiting; none newer than `last_id`.
Result<std::vector<Notification>> due_notifications_at(Database& db, const DueNotifications& place,
                                                       UnixMs now_ms, int limit);

/// The notifications that a person was sent on a channel after `since_ms` and until `until_ms`.
/// Later times come from before the clock was set back.
struct SentNotifications {
    std::int64_t count = 0;
    UnixMs oldest_ms = 0;  ///< 0 if there was none
};
Result<SentNotifications> sent_notifications(Database& db, std::string_view person,
                                             std::string_view channel, UnixMs since_ms,
                                             UnixMs until_ms);

/// Writes state, outcome, receipt, card, attempts, held, sent_at_ms, next_attempt_ms and
/// updated_at_ms. The card of an approval that is no longer pending becomes "stale" at once,
/// because it was answered during the delivery.
///
/// Errors:  NotFound.
Result<void> update_notification(Database& db, const Notification& notification);
/// Rows that were due at `now_ms` are held until `until_ms`, and those of later steps `step_ms`
/// longer for each step.
Result<void> hold_notifications(Database& db, const DueNotifications& place, UnixMs now_ms,
                                UnixMs until_ms, std::int64_t step_ms, std::string_view why);

/// Gives up the other rows of this news, because `delivered` has reached the person.
Result<void> skip_other_steps(Database& db, const Notification& delivered, std::string_view why,
                              UnixMs now_ms);
/// Queues the next step of this news if each channel of `tried`'s step has failed, was tried twice
/// without success, or is not tried again within ten seconds because its service asked to wait.
Result<void> promote_next_step(Database& db, const Notification& tried, UnixMs now_ms);
/// Whether `promote_overdue_steps` would find one.
Result<bool> has_overdue_steps(Database& db, UnixMs now_ms);
/// Queues waiting rows whose time has come, because the step before took too long.
Result<void> promote_overdue_steps(Database& db, UnixMs now_ms);

/// Count and give up the due questions of a place that were answered already.
Result<std::int64_t> count_answered_questions(Database& db, const DueNotifications& place);
Result<void> drop_answered_questions(Database& db, const DueNotifications& place,
                                     std::string_view why, UnixMs now_ms);

/// The rows that one message of a channel shows, by its receipt: the first `limit` rows, open or
/// answered questions first, and their total number.
struct ShownTogether {
    std::vector<Notification> rows;
    std::int64_t count = 0;
};
Result<ShownTogether> shown_together(Database& db, std::string_view channel,
                                     std::string_view receipt, int limit);

/// Cards whose final state is not shown yet, oldest first.
Result<std::vector<Notification>> stale_cards(Database& db, int limit);
/// Records that the card shows its approval with this status and outcome. If these have changed in
/// the meantime, the card stays out of date.
Result<void> finish_card(Database& db, std::int64_t id, std::string_view status,
                         std::string_view outcome);
/// Sets the state of a card: "" if it cannot be changed any more, "stale" if it has to be shown
/// again.
///
/// Errors:  NotFound.
Result<void> set_card(Database& db, std::int64_t id, std::string_view card);

}  // namespace a2h::store
