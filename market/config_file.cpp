#include "market/config_file.h"

#include <toml++/toml.h>
#include <algorithm>
#include <optional>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/i18n/messages.h"

namespace a2h::market {
namespace {

/// A known name at a greater distance is not suggested.
constexpr std::size_t kSuggestionDistanceMax = 3;

std::string translated(std::string_view key, i18n::Arguments arguments = {}) {
    return i18n::text(i18n::language_of_environment(), key, arguments);
}

Unexpected error_at(const std::filesystem::path& file, const toml::source_region& where,
                    const std::string& message) {
    return fail(ErrorCode::InvalidArgument,
                file.string() + ":" + std::to_string(where.begin.line) + ": " + message);
}

std::string replaced(std::string name, char from, char to) {
    std::replace(name.begin(), name.end(), from, to);
    return name;
}

/// Empty if no name is similar.
std::string nearest(const std::string& name, const std::vector<std::string>& known) {
    std::string best;
    std::size_t best_distance = kSuggestionDistanceMax + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

std::string unknown(const std::string& key, const std::vector<std::string>& known) {
    const std::string near = nearest(replaced(key, '_', '-'), known);
    std::string message = translated("market.config_unknown", {{"key", key}});
    if (near.empty()) return message;
    return message + " " + translated("market.config_meant", {{"key", replaced(near, '-', '_')}});
}

std::optional<std::string> value_text(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return *text;
    if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
    if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
    return std::nullopt;
}

}  // namespace

Result<std::vector<std::string>> read_config_file(const std::filesystem::path& file,
                                                  const std::vector<std::string>& known) {
    A2H_ASSIGN_OR_RETURN(const auto text, read_file(file));
    try {
        const toml::table table = toml::parse(text, file.string());
        std::vector<std::string> words;
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            const std::string option = replaced(name, '_', '-');
            if (std::find(known.begin(), known.end(), option) == known.end()) {
                return error_at(file, node.source(), unknown(name, known));
            }
            const auto value = value_text(node);
            if (!value) {
                return error_at(file, node.source(),
                                translated("market.config_value", {{"key", name}}));
            }
            words.push_back("--" + option + "=" + *value);
        }
        return words;
    } catch (const toml::parse_error& error) {
        return error_at(file, error.source(), std::string(error.description()));
    }
}

}  // namespace a2h::market
