#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "cli/terminal.h"

namespace a2h::cli {

/// One line of a2hd's log for a person: local time, level, text. It cannot contain control codes
/// for the terminal.
struct LogLine {
    std::string level;  ///< its name in the protocol
    std::string text;
};
LogLine read_log_line(const Invocation& invocation, const nlohmann::json& line);

/// Its text in the colour of its level, cut to `columns`; 0: not cut.
std::string shown(const LogLine& line, const Colours& colours, std::size_t columns = 0);

}  // namespace a2h::cli
