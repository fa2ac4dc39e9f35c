#include "daemon/stages/case_effects.h"

#include "core/store/case_store.h"
#include "core/store/job_store.h"
#include "daemon/agents/tasks.h"
#include "daemon/effects/message_audit.h"

namespace a2h::stages {
namespace {

/// A holding reply is pointless if nothing waits any more.
Result<bool> is_late_holding(store::Database& db, const StageCase& done) {
    if (done.kind != CaseKind::Holding || done.stage != CaseStage::Closed) return false;
    A2H_ASSIGN_OR_RETURN(const auto job, store::get_job(db, done.job_id));
    return !job || job->state != JobState::WaitingForHuman;
}

}  // namespace

Result<void> CaseEffects::write(store::Database& db, outcome::Effects& effects) const {
    A2H_TRY(agents::add_stages_to_history(db, now_, messages_));
    if (carrier_) {
        A2H_TRY(store::update_job(db, *carrier_));
        A2H_TRY(effects::audit_decision(db, *carrier_, "", carrier_->updated_at_ms));
    }
    A2H_TRY(store::put_case(db, now_));
    for (const StageMessage& message : messages_)
        A2H_TRY(store::insert_stage_message(db, message));
    A2H_ASSIGN_OR_RETURN(const auto late, is_late_holding(db, now_));
    if (late) effects.outbox.clear();
    return {};
}

}  // namespace a2h::stages
