#include "mcp/toolsets.h"

#include <algorithm>

#include "core/base/join.h"
#include "core/base/text.h"

namespace a2h::mcp {
namespace {

using NameList = std::vector<std::string_view>;

bool holds(const NameList& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

NameList known_toolsets() {
    NameList names;
    for (const catalogue::Operation& row : catalogue::operations()) {
        if (row.is_for_assistants() && !holds(names, row.toolset)) names.push_back(row.toolset);
    }
    return names;
}

NameList known_tools() {
    NameList names;
    for (const catalogue::Operation& row : catalogue::operations()) {
        if (row.is_for_assistants()) names.push_back(row.tool);
    }
    return names;
}

/// The entry of `known` that is similar enough to `name`; empty if there is none.
std::string_view meant(const NameList& known, std::string_view name) {
    constexpr std::size_t kSpellingErrorsMax = 3;
    constexpr std::size_t kComparedCodePoints = 64;
    const std::string_view text = truncate(name, kComparedCodePoints);
    std::string_view best;
    std::size_t best_distance = kSpellingErrorsMax + 1;
    for (const std::string_view candidate : known) {
        // "status" for a2h_status: models and people omit the prefix.
        const std::string_view bare = candidate.starts_with("a2h_") ? candidate.substr(4) : "";
        const std::size_t distance =
            std::min(edit_distance(text, candidate), edit_distance(text, bare) + 1);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    // Little of a short name would remain.
    return best_distance * 2 > text.size() ? std::string_view() : best;
}

Unexpected unknown_name(std::string_view what, std::string_view name, const NameList& known) {
    std::string message = "there is no " + std::string(what) + " \"" + preview(name) + "\"; ";
    const std::string_view near = meant(known, name);
    message += near.empty() ? "known are " + joined_with(", ", known)
                            : "did you mean " + std::string(near) + "?";
    return fail(ErrorCode::InvalidArgument, std::move(message));
}

/// The names in `text`, in the spelling of the catalogue.
Result<NameList> read_names(std::string_view what, const std::string& text, const NameList& known) {
    NameList names;
    if (text.empty()) return names;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view name = trim(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end()) return unknown_name(what, name, known);
        names.push_back(*found);
    }
    return names;
}

}  // namespace

Toolsets Toolsets::everyday() {
    return Toolsets({"core", "works", "orders", "approvals"});
}

Toolsets Toolsets::all() {
    return Toolsets(known_toolsets());
}

std::string Toolsets::known() {
    return joined_with(", ", known_toolsets());
}

Result<Toolsets> Toolsets::choose(const ToolChoice& choice) {
    NameList names = known_toolsets();
    names.insert(names.begin(), "all");
    A2H_ASSIGN_OR_RETURN(auto sets, read_names("toolset", choice.toolsets, names));
    A2H_ASSIGN_OR_RETURN(auto tools, read_names("tool", choice.tools, known_tools()));
    A2H_ASSIGN_OR_RETURN(auto excluded, read_names("tool", choice.exclude_tools, known_tools()));
    Toolsets chosen = holds(sets, "all")                ? all()
                      : !sets.empty() || !tools.empty() ? Toolsets(std::move(sets))
                                                        : everyday();
    chosen.tools_ = std::move(tools);
    chosen.excluded_ = std::move(excluded);
    chosen.read_only_ = choice.read_only;
    const auto all_rows = catalogue::operations();
    if (std::none_of(all_rows.begin(), all_rows.end(),
                     [&](const catalogue::Operation& row) { return chosen.shows(row); })) {
        return fail(ErrorCode::InvalidArgument,
                    "no tool is left: name more of them, or leave out what excludes them");
    }
    return chosen;
}

bool Toolsets::shows(const catalogue::Operation& operation) const {
    if (!operation.is_for_assistants() || holds(excluded_, operation.tool)) return false;
    if (read_only_ && !operation.hints.read_only) return false;
    return holds(toolsets_, operation.toolset) || holds(tools_, operation.tool);
}

std::string Toolsets::why_hidden(const catalogue::Operation& operation) const {
    if (read_only_ && !operation.hints.read_only) {
        return "a2h-mcp was started with --read-only, and this tool changes something";
    }
    if (holds(excluded_, operation.tool)) return "a2h-mcp was started with --exclude-tools";
    return "it is in the toolset " + std::string(operation.toolset) +
           ", which a2h-mcp was started without (--toolsets)";
}

}  // namespace a2h::mcp
