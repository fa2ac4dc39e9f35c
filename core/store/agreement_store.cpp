#include "core/store/agreement_store.h"

#include "core/sql/text_list.h"
#include "core/store/statement.h"

namespace a2h::store {

Result<UnixMs> last_agreement_ms(Database& db, const Agreement& about,
                                 const std::vector<std::string>& accepting_types) {
    static constexpr const char* kSql =
        "select coalesce(max(o.created_at_ms), 0) from outbox o indexed by outbox_history "
        "join approval a on a.id = substr(o.cause, 10) "
        "where o.agent_id = ?1 and o.target_id = ?2 and o.cause glob 'approval:*' "
        "and o.state not in ('dead', 'dropped') "
        "and a.status = 'approved' and (json_extract(o.payload_json, '$.type') "
        "in (select value from json_each(?4)) "
        "or (a.amount_minor is not null and a.about = 'terms')) and (?3 = '' "
        "or coalesce(json_extract(a.action_json, '$.works_id'), '') in ('', ?3))";
    return db.statement(kSql).number(about.agent_id, about.peer_id, about.works_id,
                                     sql::list_text(accepting_types));
}

}  // namespace a2h::store
