#include "daemon/config/agents_options.h"

#include "core/base/enum_names.h"

namespace a2h::agents {

constexpr EnumName<Introductions> kIntroductionsNames[] = {
    {Introductions::Ask, "ask"},
    {Introductions::Known, "known"},
    {Introductions::Never, "never"},
};
A2H_ENUM_NAMES(Introductions, parse_introductions, kIntroductionsNames);

}  // namespace a2h::agents
