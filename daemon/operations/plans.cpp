#include <memory>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/plan_action_store.h"
#include "daemon/collab/realise.h"
#include "daemon/collab/steps.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/negotiations_seen.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct PlansParts {
    const kernel::Kernel& kernel;
    const Agents& agents;
    const Table& table;
};

/// One plan that is being carried out; its plan actions are put one after the other.
struct Applying {
    const PlansParts& parts;
    std::string action;
    Caller caller;
    Agent& agent;
    Negotiation negotiation;
    std::vector<collab::PlanAction> left;
    json items;
    Reply reply;
};

void put_next(const std::shared_ptr<Applying>& applying);

void add_item(Applying& applying, json shown, bool is_ok, bool is_from_before) {
    shown["ok"] = is_ok;
    if (is_from_before) shown["before"] = true;
    applying.items.push_back(std::move(shown));
}

/// The row says whether the question exists, whatever the operation answered.
void record_step(Applying& applying, const collab::PlanAction& plan_action,
                 const std::string& before, const json& result) {
    const auto now = collab::state_of_plan_action(applying.parts.kernel.reader,
                                                  applying.negotiation.negotiation_id, plan_action);
    const collab::PlanActionState state = now.value_or(collab::PlanActionState());
    json shown = collab::to_json(plan_action, state);
    const bool stands = state.is_put && state.approval_id != before;
    if (!stands && result.contains("error")) shown["error"] = result["error"];
    add_item(applying, std::move(shown), stands, false);
}

/// The row that is written with the question of the plan action.
Along row_of(const Applying& applying, const collab::PlanAction& plan_action,
             const std::string& before) {
    const store::StoredPlanAction row{applying.negotiation.negotiation_id,
                                      std::string(to_string(plan_action.as)),
                                      plan_action.subject,
                                      {},
                                      applying.parts.kernel.clock.now_ms()};
    return [row, before](store::Database& db, const Approval& approval) {
        store::StoredPlanAction put = row;
        put.approval_id = approval.id;
        A2H_FAULT_POINT("apply.2");
        return store::put_plan_action(db, put, before);
    };
}

void put(const std::shared_ptr<Applying>& applying, const collab::PlanAction& plan_action,
         const std::string& before) {
    A2H_FAULT_POINT("apply.1");
    const json arguments = json::parse(plan_action.arguments_json);
    const Call call{plan_action.action, applying->caller, applying->agent, arguments,
                    row_of(*applying, plan_action, before)};
    applying->parts.table.run(call, [applying, plan_action, before](const json& result) {
        A2H_FAULT_POINT("apply.3");
        record_step(*applying, plan_action, before, result);
        put_next(applying);
    });
}

void put_next(const std::shared_ptr<Applying>& applying) {
    while (!applying->left.empty()) {
        const collab::PlanAction plan_action = std::move(applying->left.front());
        applying->left.erase(applying->left.begin());
        const auto known = collab::state_of_plan_action(
            applying->parts.kernel.reader, applying->negotiation.negotiation_id, plan_action);
        if (!known) return applying->reply(error_result(applying->action, known.error()));
        if (known->may_be_put) return put(applying, plan_action, known->approval_id);
        add_item(*applying, collab::to_json(plan_action, *known), true, true);
    }
    applying->reply(
        ok_result(applying->action, {{"demand_id", applying->negotiation.demand_id},
                                     {"channel_id", applying->negotiation.negotiation_id},
                                     {"items", applying->items}}));
}

Result<collab::Run> finished_run(store::Database& db, const Call& call) {
    const std::string id = call.text("demand_id");
    A2H_ASSIGN_OR_RETURN(const auto negotiation, negotiation_named(db, seen_by(call), id));
    A2H_ASSIGN_OR_RETURN(auto run, collab::read_run(db, negotiation.negotiation_id));
    if (run->negotiation.state != NegotiationState::Finalized) {
        return fail(ErrorCode::Conflict, "negotiation " + id + " is " +
                                             std::string(to_string(run->negotiation.state)) +
                                             "; only a finalized plan can be carried out");
    }
    return std::move(*run);
}

void handle_negotiation_apply(const PlansParts& parts, const Call& call, const Reply& reply) {
    const auto run = finished_run(parts.kernel.reader, call);
    if (!run) return reply(error_result(call.action, run.error()));
    const auto agent = parts.agents.find(run->negotiation.agent_id);
    if (agent == parts.agents.end() || agent->second->is_stopped) {
        return reply(error_result(call.action, {ErrorCode::NotFound, "its agent is gone"}));
    }
    auto applying = std::make_shared<Applying>(
        Applying{parts, call.action, call.caller, *agent->second, run->negotiation,
                 collab::plan_actions_of(*run, collab::parse_realisation(call.text("as"))),
                 json::array(), reply});
    put_next(applying);
}

}  // namespace

void add_plans(Table& table, const AllParts& all) {
    const PlansParts parts{all.kernel, all.agents, table};
    table.add("negotiation.apply", with(parts, handle_negotiation_apply));
}

}  // namespace a2h::operations
