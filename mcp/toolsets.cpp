#include "mcp/toolsets.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::mcp {
namespace {

bool holds(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string_view> known_toolsets() {
    std::vector<std::string_view> names;
    for (const catalogue::Operation& row : catalogue::operations()) {
        if (row.callers.assistant && !holds(names, row.toolset)) names.push_back(row.toolset);
    }
    return names;
}

Unexpected unknown(std::string_view name) {
    std::string message = "there is no toolset \"" + preview(name) + "\"; known are all";
    for (const std::string_view known : known_toolsets())
        message += ", " + std::string(known);
    return fail(ErrorCode::InvalidArgument, std::move(message));
}

}  // namespace

Toolsets Toolsets::everyday() {
    return Toolsets({"core", "works", "orders", "approvals"});
}

Toolsets Toolsets::all() {
    return Toolsets(known_toolsets());
}

Result<Toolsets> Toolsets::parse(std::string_view text) {
    const auto known = known_toolsets();
    std::vector<std::string_view> names;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view name = trim(text.substr(begin, end - begin));
        begin = end + 1;
        if (name == "all") return all();
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end()) return unknown(name);
        names.push_back(*found);
    }
    return Toolsets(std::move(names));
}

bool Toolsets::shows(const catalogue::Operation& operation) const {
    return operation.callers.assistant && holds(names_, operation.toolset);
}

}  // namespace a2h::mcp
