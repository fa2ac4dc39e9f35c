#pragma once

#include "core/domain/stage_case.h"
#include "core/wire/task_messages.h"

namespace a2h::stages {

/// Slices of one task at most; then the human is asked.
constexpr int kSlicesMax = 5;

/// What follows from a review.
enum class Move {
    Conclude,   ///< what was reported happens
    Retry,      ///< another try of this slice
    NextSlice,  ///< the next slice begins
    Ask,        ///< the human decides
};

/// The table of status and next action, for a case whose present try was judged so. Pure.
///
///   pass: none, retry → Conclude (what passed is not tried again); next_slice → NextSlice
///   fail: retry → Retry while there are tries left; next_slice → NextSlice; none → Ask
///
/// Beyond the last try or the last slice: Ask. Source: R43, R44.
Move follow(wire::EvaluationStatus status, wire::NextAction next, const StageCase& judged);

}  // namespace a2h::stages
