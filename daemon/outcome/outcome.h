#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/job.h"
#include "core/domain/notification.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "core/store/outbox_store.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/continuing.h"
#include "daemon/consent/newer.h"
#include "daemon/deals/book.h"

namespace a2h::outcome {

struct Effects;

/// Rows that a feature writes together with the effects of a decision.
class OwnEffects {
  public:
    virtual ~OwnEffects() = default;

    /// Whether all of it belongs to a holding reply. It is not written if that became pointless.
    virtual bool is_holding() const = 0;
    /// Whether the audit row of the decision about `job` is written later.
    virtual bool is_audited_later(const Job& job) const = 0;
    /// Writes it. Removes what has become pointless from `effects.outbox`.
    ///
    /// Errors:  those of the store.
    /// Thread:  the store writer, inside its transaction.
    virtual Result<void> write(store::Database& db, Effects& effects) const = 0;
};

/// Everything that one decision or call changes, written in one transaction.
struct Effects {
    std::optional<Job> job;
    std::vector<OutboxMessage> outbox;
    std::optional<consent::Question> approval;  ///< to be asked; once written, as stored
    std::vector<Event> events;
    std::optional<Notification> news;  ///< for the human
    /// Closes the older questions that it makes out of date; `approval` replaces them.
    std::optional<consent::Later> later;
    /// The message that `approval` asks about, as a step that a mandate may take instead. Shared
    /// because effects are copied.
    std::shared_ptr<const consent::MandateStep> step;

    /// What the message does in its deal, which is that of `named`.
    std::vector<Act> acts;
    deals::Named named;

    std::string market_news;  ///< payload of the market's message; closes what it makes pointless

    std::shared_ptr<const OwnEffects> own;  ///< null: no feature writes more

    bool has_renewed = false;  ///< set when written: older questions were asked again or closed
};

/// Effect key of the reply to the message of a job: it is queued once, however often it is tried.
std::string job_effect_key(std::int64_t job_id);

/// For a decision made before its message had a row: sets the id of that row, which is also the
/// job's, in `effects.job` and in the key of the reply.
void set_job_id(Effects& effects, std::int64_t job_id);

/// Writes `effects` in the caller's transaction, and returns the places of `effects.outbox`.
/// `policy` is for the approval. If a mandate gave its yes, `effects.approval` becomes what was
/// stored. A holding reply is not queued or reviewed in that case, nor while an earlier question of
/// this peer is open, nor after the human has answered. If `effects.step` is taken instead of the
/// question, `effects.approval` is that of the step, or none.
///
/// Errors:  Conflict if the job is already decided; those of the store.
/// Thread:  the store writer, inside its transaction.
Result<std::vector<store::OutboxPlace>> write_effects(store::Database& db, Effects& effects,
                                                      const consent::Policy& policy);

}  // namespace a2h::outcome
