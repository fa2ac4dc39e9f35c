#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kMetrics{
    .action = "metrics",
    .tool = {},
    .title = "Metrics",
    .summary =
        "Returns what a2hd has counted since its start and what waits now, in the format of "
        "Prometheus and as a list.",
    .input_schema = kNoArguments,
    .output_schema = {},
    .toolset = "core",
    .hints = kReadsHome,
    .callers = {.assistant = false, .human = true},
};

constexpr Operation kLogs{
    .action = "logs",
    .tool = {},
    .title = "Log",
    .summary =
        "Returns the newest lines of a2hd's log, oldest first; with wait_seconds it waits for "
        "the next ones.",
    .input_schema = R"({
  "type": "object",
  "properties": {
    "after": {"type": "integer", "minimum": 0, "default": 0,
      "description": "Only lines after the one with this number"},
    "level": {"type": "string", "enum": ["error", "warning", "notice", "info", "debug"],
      "description": "Only lines at least as severe; default: all"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 2000, "default": 100,
      "description": "Lines at most"},
    "wait_seconds": {"type": "integer", "minimum": 0, "maximum": 25, "default": 0,
      "description": "Seconds to wait if there is none"}
  },
  "additionalProperties": false
})",
    .output_schema = {},
    .toolset = "core",
    .hints = kReadsHome,
    .callers = {.assistant = false, .human = true},
};

constexpr Operation kWatchRows[] = {kLogs, kMetrics};

}  // namespace

std::span<const Operation> watch_rows() {
    return kWatchRows;
}

}  // namespace a2h::catalogue
