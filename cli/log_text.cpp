#include "cli/log_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "core/base/time_text.h"

namespace a2h::cli {
namespace {

constexpr std::size_t kLevelColumns = 7;

std::string colour_of(const std::string& level, const Colours& colours) {
    if (level == "error") return colours.red;
    if (level == "warning") return colours.yellow;
    return level == "debug" ? colours.dim : std::string();
}

}  // namespace

LogLine read_log_line(const Invocation& invocation, const nlohmann::json& line) {
    const auto at_ms = parse_time(text_of(line, "at"));
    const std::string level = text_of(line, "level");
    std::string shown_level = word(invocation, "level_" + level);
    const std::size_t width = display_width(shown_level);
    if (width < kLevelColumns) shown_level.append(kLevelColumns - width, ' ');
    std::string words = text_of(line, "text");
    std::replace(words.begin(), words.end(), '\n', ' ');
    return {level,
            (at_ms ? to_local_second(*at_ms) : std::string()) + " " + shown_level + " " + words};
}

std::string shown(const LogLine& line, const Colours& colours, std::size_t columns) {
    const std::string colour = colour_of(line.level, colours);
    const std::string text = columns == 0 ? line.text : fit(line.text, columns);
    return colour.empty() ? text : colour + text + colours.reset;
}

}  // namespace a2h::cli
