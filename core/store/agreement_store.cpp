#include "core/store/agreement_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr int kNewsReadMax = 1'000;  // of the market for one agent, the newest

}  // namespace

Result<UnixMs> last_agreement_ms(Database& db, std::string_view agent_id, std::string_view peer_id,
                                 std::string_view works_id) {
    static constexpr const char* kSql =
        "select coalesce(max(o.created_at_ms), 0) from outbox o indexed by outbox_history "
        "join approval a on a.id = substr(o.cause, 10) "
        "where o.agent_id = ?1 and o.target_id = ?2 and o.cause glob 'approval:*' "
        "and a.status = 'approved' and (json_extract(o.payload_json, '$.type') = 'accept' "
        "or (a.amount_minor is not null and a.about = 'terms')) and (?3 = '' "
        "or coalesce(json_extract(a.action_json, '$.works_id'), '') in ('', ?3))";
    return db.statement(kSql).number(agent_id, peer_id, works_id);
}

Result<UnixMs> last_order_ms(Database& db, std::string_view agent_id, std::string_view peer_id) {
    static constexpr const char* kSql =
        "select coalesce(max(told.received_at_ms), 0) from (select * from inbox "
        "indexed by inbox_platform where agent_id = ?1 and source = 'platform' "
        "order by id desc limit ?3) as told where instr(told.payload_json, json_quote(?2)) > 0 "
        "and json_extract(told.payload_json, '$.type') = 'order.event' "
        "and json_extract(told.payload_json, '$.order.status') = 'PENDING_CONFIRM'";
    return db.statement(kSql).number(agent_id, peer_id, kNewsReadMax);
}

}  // namespace a2h::store
