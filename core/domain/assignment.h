#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// Offered: given by an agent of another home and not accepted by our human yet. Open: being worked
/// on. Completed, Failed, Cancelled and Declined are final.
enum class AssignmentState { Offered, Open, Completed, Failed, Cancelled, Declined };
std::string_view to_string(AssignmentState value);
std::optional<AssignmentState> parse_assignment_state(std::string_view text);
bool is_final(AssignmentState value);

/// The side of the row: giver and worker each keep a row of their own.
enum class AssignmentSide { Given, Taken };
std::string_view to_string(AssignmentSide value);
std::optional<AssignmentSide> parse_assignment_side(std::string_view text);

/// A task that one agent gave another, with a brief. (`Job` is the work that one inbound message
/// causes.)
struct Assignment {
    std::string task_id;  ///< uuid; the same on both sides
    std::string agent_id;
    std::string peer_id;
    /// Whether its giver is verified. An unverified task with the same id is a different task.
    bool is_authentic = true;
    AssignmentSide side = AssignmentSide::Taken;
    std::string parent_task_id;  ///< the task of `agent_id` that this one is part of; may be empty
    std::string brief_json;      ///< canonical, as given
    std::string mandate_id;      ///< what the worker may spend; may be empty
    AssignmentState state = AssignmentState::Open;
    std::string outcome_json;  ///< what the giver was told at the end; empty before
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

/// One entry of a task's history, oldest first: "assigned", "accepted", "message", "report",
/// "result", "evaluation", "retry", "ended".
struct AssignmentEntry {
    std::int64_t id = 0;
    std::string agent_id;
    std::string task_id;
    std::string kind;
    std::string message_id;  ///< of the message that caused it; may be empty
    std::string detail_json;
    UnixMs at_ms = 0;
    std::string peer_id{};     ///< of the task
    bool is_authentic = true;  ///< as in the task
};

}  // namespace a2h
