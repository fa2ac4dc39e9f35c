#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// Pending: to be decided. InStages: a case is open. WaitingForHuman: an approval is open. Done and
/// Failed are final.
enum class JobState { Pending, InStages, WaitingForHuman, Done, Failed };
std::string_view to_string(JobState value);
std::optional<JobState> parse_job_state(std::string_view text);

/// The work that one inbound message causes. It is written in the same commit as the message, so
/// that a crash loses neither.
struct Job {
    std::int64_t id = 0;
    std::string agent_id;
    std::int64_t inbox_id = 0;
    JobState state = JobState::Pending;
    std::string rule_id;     ///< the rule that decided; empty until then
    std::string decision;    ///< silent, answer or ask; empty until decided
    std::string why;         ///< one sentence for people
    std::string basis_json;  ///< basis of the decision, `decide::basis_json`; may be empty
    int retry_count = 0;     ///< earlier attempts (R43)
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

}  // namespace a2h
