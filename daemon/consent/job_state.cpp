#include "daemon/consent/job_state.h"

#include "core/base/ids.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"

namespace a2h::consent {

Result<void> settle_job(store::Database& db, std::int64_t job_id, std::string_view why,
                        UnixMs now_ms) {
    if (job_id == 0) return {};
    A2H_ASSIGN_OR_RETURN(auto job, store::get_job(db, job_id));
    if (!job || job->state == JobState::Done || job->state == JobState::Failed) {
        return {};
    }
    job->state = JobState::Done;
    job->why = why;
    job->updated_at_ms = now_ms;
    return store::update_job(db, *job);
}

Result<std::string> trace_of_job(store::Database& db, std::int64_t job_id, UnixMs now_ms) {
    if (job_id == 0) return new_trace_id(now_ms);
    A2H_ASSIGN_OR_RETURN(auto job, store::get_job(db, job_id));
    if (!job) return new_trace_id(now_ms);
    A2H_ASSIGN_OR_RETURN(auto message, store::get_inbox(db, job->inbox_id));
    return message && is_wordless_id(message->trace_id) ? message->trace_id : new_trace_id(now_ms);
}

}  // namespace a2h::consent
