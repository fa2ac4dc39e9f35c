#pragma once

#include <algorithm>
#include <string_view>

#include <doctest/doctest.h>

#include "cli/command.h"

namespace a2h::test {

/// What the command `name` does with an invocation of it.
inline cli::Outcome run_command(std::string_view name, const cli::Invocation& invocation) {
    const auto rows = cli::commands();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const cli::Command& each) { return each.name == name; });
    REQUIRE(row != rows.end());
    return row->run(invocation);
}

}  // namespace a2h::test
