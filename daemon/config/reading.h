#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/text.h"
#include "daemon/config/option.h"
#include "daemon/config/source.h"

namespace a2h::config {

/// "name must be …", in the language of the log.
template <typename Target>
std::string must_be(const OptionOf<Target>& option) {
    return std::string(option.name) + " must be " +
           allowed_text(i18n::Language::English, option.kind);
}

/// The name in `rows` most similar to `name`; empty if none is similar.
template <typename Target>
std::string nearest_in(std::span<const OptionOf<Target>> rows, std::string_view name) {
    std::string_view best;
    std::size_t best_distance = 4;
    for (const OptionOf<Target>& option : rows) {
        const std::size_t distance = edit_distance(name, option.name);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = option.name;
    }
    return std::string(best);
}

/// "unknown setting …; did you mean …?".
inline std::string unknown_setting(std::string_view name, const std::string& near) {
    return "unknown setting " + std::string(name) +
           (near.empty() ? std::string() : "; did you mean " + near + "?");
}

/// Sets the option of `rows` that `entry` names.
/// Errors: InvalidArgument naming file, line, option and what is allowed.
template <typename Target>
Result<void> read_entry(Target& target, std::span<const OptionOf<Target>> rows, const Entry& entry,
                        const Source& source) {
    const auto option = std::find_if(rows.begin(), rows.end(),
                                     [&](const auto& row) { return row.name == entry.name; });
    if (option == rows.end()) {
        return source.error_at(entry.line,
                               unknown_setting(entry.name, nearest_in(rows, entry.name)));
    }
    if (!entry.value || !fits(option->kind, *entry.value)) {
        return source.error_at(entry.line, must_be(*option));
    }
    option->set(target, *entry.value);
    return {};
}

}  // namespace a2h::config
