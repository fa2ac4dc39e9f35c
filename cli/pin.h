#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "cli/command.h"

namespace a2h::cli {

/// Fewer characters are refused when a PIN is set: five guesses every 15 minutes are allowed.
constexpr std::size_t kPinCharactersMin = 6;

/// The human's PIN, from the terminal without echo or with --pin-stdin from stdin's first line.
std::variant<std::string, Failure> read_pin(const Invocation& invocation);

/// A new PIN, asked twice on a terminal.
std::variant<std::string, Failure> read_new_pin(const Invocation& invocation);

}  // namespace a2h::cli
