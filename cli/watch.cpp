#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/handlers.h"

namespace a2h::cli {
namespace {

/// Prints the text unchanged for programs that read it: a scraper, `grep`.
std::string render_metrics(const Invocation&, const nlohmann::json& data) {
    return text_of(data, "text");
}

}  // namespace

Outcome run_metrics(const Invocation& invocation) {
    return call_daemon(invocation, "metrics", nlohmann::json::object(), render_metrics);
}

}  // namespace a2h::cli
