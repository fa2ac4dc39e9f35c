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
///   pass: none, retry → Conclude (a result that passed is never requested again); next_slice →
///   NextSlice fail: retry → Retry while attempts are left; next_slice → NextSlice; none → Ask
/// After the last attempt or slice: Ask.
///
/// Source:  R43, R44.
Move follow(wire::EvaluationStatus status, wire::NextAction next, const StageCase& judged);

}  // namespace a2h::stages
