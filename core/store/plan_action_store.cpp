#include "core/store/plan_action_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kPlanAction = sql::table<StoredPlanAction>(
    "deed",
    A2H_COLUMNS(StoredPlanAction, negotiation_id, realisation, subject, approval_id, at_ms));

}  // namespace

Result<void> put_plan_action(Database& db, const StoredPlanAction& plan_action,
                             const std::string& replaced) {
    static constexpr auto kChange =
        sql::only<kPlanAction, &StoredPlanAction::approval_id, &StoredPlanAction::at_ms>();
    static const std::string kInsert = kPlanAction.insert("on conflict do nothing");
    static const std::string kReplace = kChange.update(
        "where negotiation_id = ? and realisation = ? and subject = ? and approval_id = ?");
    A2H_ASSIGN_OR_RETURN(const bool is_put,
                         replaced.empty()
                             ? db.statement(kInsert).puts_a_row(kPlanAction, plan_action)
                             : db.statement(kReplace).puts_a_row(
                                   kChange, plan_action, plan_action.negotiation_id,
                                   plan_action.realisation, plan_action.subject, replaced));
    return is_put ? Result<void>()
                  : fail(ErrorCode::Conflict, "another request for this was made at the same time");
}

Result<std::optional<StoredPlanAction>> get_plan_action(Database& db,
                                                        const StoredPlanAction& plan_action) {
    static const std::string kSql =
        kPlanAction.select("where negotiation_id = ? and realisation = ? and subject = ?");
    return db.statement(kSql).first(kPlanAction, plan_action.negotiation_id,
                                    plan_action.realisation, plan_action.subject);
}

}  // namespace a2h::store
