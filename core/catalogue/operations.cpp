#include "core/catalogue/operations.h"

#include <algorithm>
#include <vector>

#include "core/catalogue/rows.h"

namespace a2h::catalogue {

namespace {

/// The rows of one file and their toolset; empty if each row names its own.
struct Rows {
    std::string_view toolset;
    std::span<const Operation> rows;
};

}  // namespace

std::span<const Operation> operations() {
    static const std::vector<Operation> all = [] {
        std::vector<Operation> rows;
        for (const auto& [toolset, some] : {Rows{"core", core_rows()},
                                            Rows{"core", deal_rows()},
                                            Rows{"works", works_rows()},
                                            Rows{"orders", order_rows()},
                                            Rows{"", approvals_rows()},
                                            Rows{"profile", profile_rows()},
                                            Rows{"files", file_rows()},
                                            Rows{"discussion", discussion_rows()},
                                            Rows{"address", address_rows()},
                                            Rows{"payment", payment_rows()},
                                            Rows{"exchange", exchange_rows()},
                                            Rows{"auth", auth_rows()},
                                            Rows{"", human_rows()},
                                            Rows{"approvals", mandate_rows()},
                                            Rows{"agents", agent_rows()},
                                            Rows{"negotiation", demand_rows()},
                                            Rows{"negotiation", invitation_rows()},
                                            Rows{"negotiation", plan_rows()},
                                            Rows{"negotiation", candidate_rows()},
                                            Rows{"core", watch_rows()}}) {
            for (Operation row : some) {
                if (row.toolset.empty()) row.toolset = toolset;
                rows.push_back(row);
            }
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
