#include "core/catalogue/operations.h"

#include <algorithm>
#include <array>

#include "core/catalogue/rows.h"

namespace a2h::catalogue {

std::span<const Operation> operations() {
    static const auto all = [] {
        std::array<Operation, kAssistantRows.size() + kHumanRows.size()> rows;
        const auto middle = std::copy(kAssistantRows.begin(), kAssistantRows.end(), rows.begin());
        std::copy(kHumanRows.begin(), kHumanRows.end(), middle);
        return rows;
    }();
    return all;
}

const Operation* find_action(std::string_view action) {
    const auto all = operations();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Operation& row) { return row.action == action; });
    return found == all.end() ? nullptr : &*found;
}

const Operation* find_tool(std::string_view tool) {
    if (tool.empty()) return nullptr;
    const auto all = operations();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Operation& row) { return row.tool == tool; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace a2h::catalogue
