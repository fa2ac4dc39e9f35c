#pragma once

#include <string>
#include <variant>

#include "cli/command.h"

namespace a2h::cli {

/// A shorter PIN is refused, because five guesses every 15 minutes are allowed.
constexpr std::size_t kPinCharactersMin = 6;

/// The human's PIN, from the terminal without echo, or with --pin-stdin from the first line of
/// stdin.
std::variant<std::string, Failure> read_pin(const Invocation& invocation);

/// A new PIN, requested twice on a terminal.
std::variant<std::string, Failure> read_new_pin(const Invocation& invocation);

}  // namespace a2h::cli
