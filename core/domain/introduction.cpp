#include "core/domain/introduction.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<IntroductionSide> kIntroductionSideNames[] = {
    {IntroductionSide::Asking, "asking"},
    {IntroductionSide::Asked, "asked"},
};
A2H_ENUM_NAMES(IntroductionSide, parse_introduction_side, kIntroductionSideNames);

constexpr EnumName<IntroductionState> kIntroductionStateNames[] = {
    {IntroductionState::Open, "open"},
    {IntroductionState::Answered, "answered"},
    {IntroductionState::Declined, "declined"},
};
A2H_ENUM_NAMES(IntroductionState, parse_introduction_state, kIntroductionStateNames);

}  // namespace a2h
