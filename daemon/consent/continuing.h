#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/message.h"
#include "core/domain/notification.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"
#include "daemon/decide/decision.h"

namespace a2h::consent {

// Mandates that go on over several messages, such as those for haggling. The feature to which they
// belong registers a row; the way of a message and the dispatcher know only this header.

/// The peer and the listing about which a mandate of `agent_id` acts.
struct Subject {
    std::string agent_id;
    std::string peer_id;
    std::string works_id;
};

/// The result of acting instead of asking a person.
struct Taken {
    std::optional<Approval> approval;   ///< given by the mandate; its message is queued
    std::vector<OutboxMessage> outbox;  ///< to be queued; commits to nothing
    std::optional<Notification> news;
};

/// A message as the next step under such a mandate.
class MandateStep {
  public:
    virtual ~MandateStep() = default;

    /// The listing that the step is about.
    virtual const std::string& works_id() const = 0;
    /// Takes the step if a mandate covers it. nullopt: the human is asked `question`.
    ///
    /// Errors:  those of the database.
    /// Thread:  the store writer, inside its transaction.
    virtual Result<std::optional<Taken>> take(store::Database& db, const Approval& question,
                                              const Policy& policy, UnixMs now_ms) const = 0;
};

/// The row that a feature registers. All members are set.
struct ContinuingRow {
    /// The step that a message is. `decision` is the question that it became. Null if nobody is
    /// asked. Pure.
    std::shared_ptr<const MandateStep> (*step_of)(const InboxMessage& message,
                                                  const decide::Decision& decision, UnixMs now_ms);
    /// Whether a mandate covers `subject` only while the listing, which is somebody else's, says
    /// what the owner has seen. Errors count as true. Thread: that of `db`.
    bool (*depends_on_listing)(store::Database& db, const Subject& subject, UnixMs now_ms);
    /// The ids of the peer's messages that were steps under such a mandate, whatever has become of
    /// it. Each said one thing, which the next step has answered, so that nothing of it is open.
    /// Errors: those of the database. Thread: that of `db`.
    Result<std::vector<std::string>> (*steps_heard)(store::Database& db,
                                                    const std::string& agent_id,
                                                    const std::string& peer_id);
    /// When such a mandate has last agreed with the peer about the listing, or about any if
    /// `works_id` is empty; 0: never. Errors: those of the database. Thread: that of `db`.
    Result<UnixMs> (*last_agreed_ms)(store::Database& db, const Subject& subject);
    /// Ends politely what the peer has left unanswered for too long. Returns how many. Errors:
    /// those of the database. Thread: the store writer, inside its transaction.
    Result<int> (*close_silent)(store::Database& db, const Policy& policy, UnixMs now_ms);
};

/// Adds a row; a row that is known is not added again. Call before other threads start.
void register_continuing(const ContinuingRow& row);

/// The first step that a row makes of the message, null if none does. Thread: any.
std::shared_ptr<const MandateStep> step_of(const InboxMessage& message,
                                           const decide::Decision& decision, UnixMs now_ms);
/// Whether `depends_on_listing` of any row is true. Thread: that of `db`.
bool depends_on_listing(store::Database& db, const Subject& subject, UnixMs now_ms);
/// The ids that `steps_heard` of all rows return.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<std::vector<std::string>> steps_heard(store::Database& db, const std::string& agent_id,
                                             const std::string& peer_id);
/// The latest time that `last_agreed_ms` of any row returns.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<UnixMs> last_agreed_ms(store::Database& db, const Subject& subject);
/// Calls `close_silent` of all rows.
///
/// Errors:  those of the database.
/// Thread:  the store writer, inside its transaction.
Result<void> close_silent(store::Database& db, const Policy& policy, UnixMs now_ms);

}  // namespace a2h::consent
