#include "core/domain/job.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<JobState> kJobStateNames[] = {
    {JobState::Pending, "pending"},
    {JobState::InStages, "in_stages"},
    {JobState::WaitingForHuman, "waiting_for_human"},
    {JobState::Done, "done"},
    {JobState::Failed, "failed"},
};
A2H_ENUM_NAMES(JobState, parse_job_state, kJobStateNames);

}  // namespace a2h
