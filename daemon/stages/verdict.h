#pragma once

#include "core/domain/stage_case.h"
#include "core/wire/task_messages.h"

namespace a2h::stages {

/// The maximum number of slices of a task. After the last one the human is asked.
constexpr int kSlicesMax = 5;

/// The step that follows a review.
enum class Move {
    Conclude,   ///< the reported result is used
    Retry,      ///< another attempt of this slice
    NextSlice,  ///< the next slice begins
    Ask,        ///< the human decides
};

/// The next move for a status and next action of the current attempt. Pure.
///
///   next action | pass                     | fail
///   next_slice  | NextSlice                | NextSlice
///   retry       | Conclude                 | Retry
///   none        | Conclude                 | Ask
///
/// A result that passed is never requested again. After the last slice NextSlice becomes Ask, and
/// after the last attempt Retry does.
///
/// Source:  R43, R44.
Move follow(wire::EvaluationStatus status, wire::NextAction next, const StageCase& judged);

}  // namespace a2h::stages
