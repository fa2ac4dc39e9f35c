#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/job.h"
#include "core/domain/notification.h"
#include "core/domain/outbox.h"
#include "core/domain/stage_case.h"
#include "core/store/database.h"
#include "core/store/outbox_store.h"
#include "daemon/bargain/dialogue.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/newer.h"

namespace a2h::outcome {

/// Everything one decision or call changes, written in one transaction: all of it or none.
struct Effects {
    std::optional<Job> job;
    std::vector<OutboxMessage> outbox;
    std::optional<Approval> approval;
    std::vector<Event> events;
    std::optional<Notification> news;  ///< for the human
    /// Closes the older questions that it makes old; `approval` stands instead.
    std::optional<consent::Later> later;
    /// What a bargain would take from the message that `approval` asks about.
    std::optional<bargain::Word> word;

    std::string
        market_news;  ///< payload of the market's message; closes the questions it makes void

    std::optional<StageCase> stage_case;       ///< as it becomes; nullopt: no case is touched
    std::vector<StageMessage> stage_messages;  ///< of `stage_case`
    std::optional<Job> carrier;                ///< of the stage message that led to all this
};

/// Effect key of the reply to the message of a job: it is queued once, whatever is tried again.
std::string job_effect_key(std::int64_t job_id);

/// For what was decided before its message had a row: the id of that row, which is also the
/// job's, in `effects.job` and in the key of the reply.
void set_job_id(Effects& effects, std::int64_t job_id);

/// Returns the places of `effects.outbox`. `policy` is for the approval. When a mandate gave its
/// yes, `effects.approval` becomes what was stored. No holding text is queued or reviewed then, nor
/// while an earlier question of this peer waits, nor once the human has answered. Where a
/// bargain goes on instead of the question, it is that one's approval, or none. Thread: the
/// store writer, inside its transaction.
Result<std::vector<store::OutboxPlace>> write_effects(store::Database& db, Effects& effects,
                                                      const consent::Policy& policy);

}  // namespace a2h::outcome
