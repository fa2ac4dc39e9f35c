#include "core/domain/introduction.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<IntroductionSide> kIntroductionSideNames[] = {
    {IntroductionSide::Asking, "asking"},
    {IntroductionSide::Asked, "asked"},
};
static_assert(names_all(kIntroductionSideNames));

std::string_view to_string(IntroductionSide value) {
    return name_of(kIntroductionSideNames, value);
}

std::optional<IntroductionSide> parse_introduction_side(std::string_view text) {
    return value_of(kIntroductionSideNames, text);
}

constexpr EnumName<IntroductionState> kIntroductionStateNames[] = {
    {IntroductionState::Open, "open"},
    {IntroductionState::Answered, "answered"},
    {IntroductionState::Declined, "declined"},
};
static_assert(names_all(kIntroductionStateNames));

std::string_view to_string(IntroductionState value) {
    return name_of(kIntroductionStateNames, value);
}

std::optional<IntroductionState> parse_introduction_state(std::string_view text) {
    return value_of(kIntroductionStateNames, text);
}

}  // namespace a2h
