#include "core/store/approval_pages.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/store/approval_store.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr std::array kSettled{ApprovalStatus::Approved, ApprovalStatus::Rejected,
                              ApprovalStatus::Instructed, ApprovalStatus::Expired,
                              ApprovalStatus::Cancelled};

struct Placed {
    std::string id;
    ApprovalPlace place;
};

Placed read_place(Row& row) {
    return {row.text(0), {row.integer(1), row.integer(2)}};
}

/// The page of `places`, which contain one more than `limit` if there are further ones.
Result<ApprovalPage> load(Database& db, const std::vector<Placed>& places,
                          const ApprovalPlace& after, int limit) {
    ApprovalPage page{{}, after, places.size() > static_cast<std::size_t>(limit)};
    for (const Placed& placed : places) {
        if (page.approvals.size() == static_cast<std::size_t>(limit)) break;
        A2H_ASSIGN_OR_RETURN(auto approval, get_approval(db, placed.id));
        page.end = placed.place;
        if (approval) page.approvals.push_back(std::move(*approval));
    }
    return page;
}

/// All agents that have ever had an approval, by one index search each.
Result<std::vector<std::string>> agents_with_approvals(Database& db) {
    static constexpr const char* kSql =
        "select min(agent_id) from approval where agent_id > ? having min(agent_id) is not null";
    std::vector<std::string> agents;
    std::string last;
    while (true) {
        A2H_ASSIGN_OR_RETURN(auto next, db.statement(kSql).first(sql::kFirstText, last));
        if (!next) return agents;
        last = *next;
        agents.push_back(last);
    }
}

}  // namespace

Result<ApprovalPage> open_approvals(Database& db, std::string_view peer_id,
                                    const ApprovalPlace& after, int limit) {
    static constexpr const char* kSql =
        "select id, answer_by_ms, number from approval indexed by approval_pending "
        "where status = 'pending' and (answer_by_ms, number) > (?, ?) "
        "order by answer_by_ms, number limit ?";
    static constexpr const char* kOfPeer =
        "select id, answer_by_ms, number from approval indexed by approval_pending "
        "where status = 'pending' and (answer_by_ms, number) > (?, ?) and peer_id = ? "
        "order by answer_by_ms, number limit ?";
    A2H_ASSIGN_OR_RETURN(
        auto places, peer_id.empty() ? db.statement(kSql).all(read_place, after.answer_by_ms,
                                                              after.number, limit + 1)
                                     : db.statement(kOfPeer).all(read_place, after.answer_by_ms,
                                                                 after.number, peer_id, limit + 1));
    return load(db, places, after, limit);
}

Result<ApprovalPage> settled_approvals(Database& db, const ApprovalPlace& after, int limit) {
    static constexpr const char* kSql =
        "select id, 0, number from approval indexed by approval_agent "
        "where agent_id = ? and status = ? and number < ? order by number desc limit ?";
    const std::int64_t before =
        after.number == 0 ? std::numeric_limits<std::int64_t>::max() : after.number;
    A2H_ASSIGN_OR_RETURN(const auto agents, agents_with_approvals(db));
    std::vector<Placed> places;
    for (const std::string& agent : agents) {
        for (const ApprovalStatus status : kSettled) {
            A2H_ASSIGN_OR_RETURN(
                auto some, db.statement(kSql).all(read_place, agent, status, before, limit + 1));
            places.insert(places.end(), some.begin(), some.end());
        }
    }
    std::sort(places.begin(), places.end(),
              [](const Placed& a, const Placed& b) { return a.place.number > b.place.number; });
    return load(db, places, after, limit);
}

Result<std::int64_t> count_open_approvals(Database& db) {
    static constexpr const char* kSql =
        "select count(*) from approval indexed by approval_pending where status = 'pending'";
    return db.statement(kSql).number();
}

}  // namespace a2h::store
