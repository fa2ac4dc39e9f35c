#include "daemon/consent/waiting.h"

#include <algorithm>
#include <iterator>

namespace a2h::consent {
namespace {

std::vector<WaitingRow>& waiting_rows() {
    static std::vector<WaitingRow> rows;
    return rows;
}

}  // namespace

void register_waiting(const WaitingRow& row) {
    std::vector<WaitingRow>& rows = waiting_rows();
    const bool is_known = std::any_of(rows.begin(), rows.end(), [&](const WaitingRow& known) {
        return known.waits_since == row.waits_since;
    });
    if (!is_known) rows.push_back(row);
}

Result<bool> has_unanswered(store::Database& db, const store::Between& between) {
    std::optional<UnixMs> waits_since;
    for (const WaitingRow& row : waiting_rows()) {
        A2H_ASSIGN_OR_RETURN(const auto since, row.waits_since(db, between));
        waits_since = std::max(waits_since, since);
    }
    return store::has_unanswered_message(db, between, waits_since);
}

Result<std::vector<store::Said>> all_said_after(store::Database& db, std::string_view agent_id,
                                                std::string_view peer_id,
                                                const store::SaidAfter& after, int max) {
    A2H_ASSIGN_OR_RETURN(auto all, store::said_after(db, agent_id, peer_id, after, max));
    for (const WaitingRow& row : waiting_rows()) {
        A2H_ASSIGN_OR_RETURN(auto said, row.said_after(db, agent_id, peer_id, after, max));
        all.insert(all.end(), std::make_move_iterator(said.begin()),
                   std::make_move_iterator(said.end()));
    }
    return all;
}

}  // namespace a2h::consent
