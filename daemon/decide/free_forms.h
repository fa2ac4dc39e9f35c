#pragma once

#include <cstdint>
#include <string_view>

namespace a2h::decide {

/// The purpose of a whole clause, in any of the languages of playbooks/free_forms.toml.
enum class FreeForm : std::uint8_t { Courtesy, Question };

/// True if the whole of `clause`, in comparable form, is one of the forms of that kind: fixed words
/// with gaps for words of closed lists, such as "how old is {thing}". Nothing else is allowed, so
/// no word of a clause is ever unknown. A question still needs its mark.
///
/// Thread:  any. Pure.
bool is_free_form(std::string_view clause, FreeForm form);

}  // namespace a2h::decide
