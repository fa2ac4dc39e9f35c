#include "daemon/stages/verdict.h"

namespace a2h::stages {

Move follow(wire::EvaluationStatus status, wire::NextAction next, const StageCase& judged) {
    if (next == wire::NextAction::NextSlice) {
        return judged.slice + 1 < kSlicesMax ? Move::NextSlice : Move::Ask;
    }
    if (status == wire::EvaluationStatus::Pass) return Move::Conclude;
    const bool has_tries = judged.retry_count + 1 < judged.max_attempts;
    return next == wire::NextAction::Retry && has_tries ? Move::Retry : Move::Ask;
}

}  // namespace a2h::stages
