#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace a2h::test {

struct RanOnTerminal {
    int status = -1;    ///< exit status; -1 if a signal ended the program
    std::string shown;  ///< everything that the terminal shows, output and echo alike
};

/// What to wait for, and what to type then.
using Dialogue = std::vector<std::pair<std::string, std::string>>;

/// Runs a program to its end on a terminal of its own, on which somebody types.
RanOnTerminal run_on_terminal(std::vector<std::string> argv,
                              const std::map<std::string, std::string>& environment,
                              const Dialogue& dialogue);

}  // namespace a2h::test
