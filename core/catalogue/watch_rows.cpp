#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kMetrics{
    .action = "metrics",
    .title = "Metrics",
    .summary =
        "Returns what a2hd has counted since its start and what waits now, in the format of "
        "Prometheus and as a list.",
    .hints = kReadsHome,
};

constexpr Operation kLogs{
    .action = "logs",
    .title = "Log",
    .summary =
        "Returns the newest lines of a2hd's log, oldest first; with wait_seconds it waits for "
        "the next ones.",
    .arguments = R"(
  "after": ["integer 0- = 0", "Only lines after the one with this number"],
  "level": ["one of error warning notice info debug",
    "Only lines at least as severe; default: all"],
  "limit": ["integer 1-2000 = 100", "Lines at most"],
  "wait_seconds": ["integer 0-25 = 0", "Seconds to wait if there is none"]
)",
    .hints = kReadsHome,
};

constexpr Operation kWatchRows[] = {kLogs, kMetrics};

}  // namespace

std::span<const Operation> watch_rows() {
    return kWatchRows;
}

}  // namespace a2h::catalogue
