#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kMetrics{
    .action = "metrics",
    .tool = {},
    .title = "Metrics",
    .summary =
        "Returns what a2hd has counted since it was started and what waits now, as Prometheus "
        "reads it and as a list.",
    .input_schema = kNoArguments,
    .output_schema = {},
    .toolset = "core",
    .hints = kReadsHome,
    .callers = {.assistant = false, .human = true},
};

constexpr Operation kWatchRows[] = {kMetrics};

}  // namespace

std::span<const Operation> watch_rows() {
    return kWatchRows;
}

}  // namespace a2h::catalogue
