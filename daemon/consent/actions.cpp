#include "daemon/consent/actions.h"

#include <map>

namespace a2h::consent {
namespace {

std::map<std::string_view, ActionRow>& registered() {
    static std::map<std::string_view, ActionRow> rows;
    return rows;
}

}  // namespace

void register_actions(std::span<const ActionRow> rows) {
    for (const ActionRow& row : rows)
        registered().emplace(row.action, row);
}

const ActionRow& row_of(std::string_view action) {
    static const ActionRow kNone{};
    const auto found = registered().find(action);
    return found == registered().end() ? kNone : found->second;
}

Result<std::optional<Approval>> end_without_yes(store::Database& db, const Approval& approval,
                                                const Ending& ending, const Policy& policy,
                                                UnixMs now_ms) {
    const ActionRow& row = row_of(approval.action);
    if (row.end == nullptr) return std::optional<Approval>();
    return row.end(db, approval, ending, policy, now_ms);
}

}  // namespace a2h::consent
