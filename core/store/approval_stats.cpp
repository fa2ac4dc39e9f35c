#include "core/store/approval_stats.h"

#include "core/domain/audit.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// `card::closes_without_answer`
#define A2H_ONLY_CLOSES "(action = 'reply.send' and (reply_text = '' or peer_id = ''))"

}  // namespace

Result<std::vector<ApprovalCount>> count_approvals(Database& db, std::string_view agent_id,
                                                   UnixMs since_ms) {
    static constexpr const char* kSql =
        "select status, coalesce(surface, 'system'), count(*), " A2H_ONLY_CLOSES
        " from approval where agent_id = ? and created_at_ms >= ? group by 1, 2, 4 "
        "order by 1, 2, 4";
    return db.statement(kSql).all(
        [](Row& row) {
            return ApprovalCount{row.name(0, parse_approval_status),
                                 row.name(1, parse_answer_surface), row.integer(2),
                                 row.integer(3) != 0};
        },
        agent_id, since_ms);
}

Result<std::vector<std::int64_t>> yes_durations_ms(Database& db, std::string_view agent_id,
                                                   UnixMs since_ms) {
    static constexpr const char* kSql =
        "select max(0, answered_at_ms - created_at_ms) from approval "
        "where agent_id = ? and created_at_ms >= ? and status = 'approved' "
        "and surface in ('page', 'terminal', 'code', 'button') and not " A2H_ONLY_CLOSES
        " order by 1";
    return db.statement(kSql).all(sql::kFirstNumber, agent_id, since_ms);
}

Result<std::int64_t> count_edited(Database& db, std::string_view agent_id, UnixMs since_ms) {
    static constexpr const char* kSql =
        "select count(*) from approval a where a.agent_id = ? and a.created_at_ms >= ? and "
        "exists (select 1 from audit where approval_id = a.id and what = ?)";
    return db.statement(kSql).number(agent_id, since_ms, audit::kEdited);
}

}  // namespace a2h::store
