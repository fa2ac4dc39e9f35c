#include "core/catalogue/operations.h"

#include <algorithm>
#include <vector>

#include "core/catalogue/rows.h"

namespace a2h::catalogue {

std::span<const Operation> operations() {
    static const std::vector<Operation> all = [] {
        std::vector<Operation> rows;
        for (const auto& some :
             {core_rows(), works_rows(), order_rows(), approvals_rows(), profile_rows(),
              file_rows(), discussion_rows(), address_rows(), payment_rows(), exchange_rows(),
              auth_rows(), human_rows(), mandate_rows(), agent_rows(), demand_rows(),
              invitation_rows(), plan_rows(), candidate_rows(), watch_rows()}) {
            rows.insert(rows.end(), some.begin(), some.end());
        }
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
