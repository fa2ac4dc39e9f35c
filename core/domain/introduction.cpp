#include "core/domain/introduction.h"

namespace a2h {

std::string_view to_string(IntroductionSide value) {
    return value == IntroductionSide::Asking ? "asking" : "asked";
}

std::optional<IntroductionSide> parse_introduction_side(std::string_view text) {
    if (text == "asking") return IntroductionSide::Asking;
    if (text == "asked") return IntroductionSide::Asked;
    return std::nullopt;
}

std::string_view to_string(IntroductionState value) {
    if (value == IntroductionState::Open) return "open";
    return value == IntroductionState::Answered ? "answered" : "declined";
}

std::optional<IntroductionState> parse_introduction_state(std::string_view text) {
    for (const auto state :
         {IntroductionState::Open, IntroductionState::Answered, IntroductionState::Declined}) {
        if (text == to_string(state)) return state;
    }
    return std::nullopt;
}

}  // namespace a2h
