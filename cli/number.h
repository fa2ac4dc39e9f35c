#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "cli/command.h"

namespace a2h::cli {

/// The value of `name`, which must be a whole number above 0; otherwise a usage Failure.
std::variant<std::int64_t, Failure> number_of(const Invocation& invocation, std::string_view name);

}  // namespace a2h::cli
