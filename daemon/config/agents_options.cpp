#include "daemon/config/agents_options.h"

#include "core/base/enum_names.h"

namespace a2h::house {

constexpr EnumName<Introductions> kIntroductionsNames[] = {
    {Introductions::Ask, "ask"},
    {Introductions::Known, "known"},
    {Introductions::Never, "never"},
};
static_assert(names_all(kIntroductionsNames));

std::string_view to_string(Introductions value) {
    return name_of(kIntroductionsNames, value);
}

std::optional<Introductions> parse_introductions(std::string_view text) {
    return value_of(kIntroductionsNames, text);
}

}  // namespace a2h::house
