#include "core/domain/permit.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<Right> kRightNames[] = {
    {Right::None, "none"},
    {Right::Answer, "answer"},
    {Right::Fixed, "fixed"},
    {Right::Harmless, "harmless"},
    {Right::Unreviewed, "unreviewed"},
    {Right::Mandate, "mandate"},
    {Right::Yes, "yes"},
    {Right::OwnHand, "own_hand"},
    {Right::BeforePermits, "before_permits"},
};
A2H_ENUM_NAMES(Right, parse_right, kRightNames);

}  // namespace a2h
