#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/rows.h"

namespace a2h::cli {
namespace {

/// Prints the text unchanged for programs that read it: a scraper, `grep`.
std::string render_metrics(const Invocation&, const nlohmann::json& data) {
    return text_of(data, "text");
}

}  // namespace

std::vector<Command> metrics_rows() {
    return {
        standard_row("metrics", "metrics", "cli.metrics", {}, render_metrics),
    };
}

}  // namespace a2h::cli
