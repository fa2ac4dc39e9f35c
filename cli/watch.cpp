#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/handlers.h"

namespace a2h::cli {

/// Prints the text unchanged for programs that read it: a scraper, `grep`.
std::string render_metrics(const Invocation&, const nlohmann::json& data) {
    return text_of(data, "text");
}

}  // namespace a2h::cli
