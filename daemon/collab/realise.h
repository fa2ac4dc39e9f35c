#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/collab/negotiation.h"

namespace a2h::collab {

/// The form that an agreed plan is turned into.
enum class Realisation {
    Briefs,  ///< a task for each agent that accepted, with its part as the brief
    Offers,  ///< an offer of the named price for each agent that accepted and named one, which
             ///< is the first step to an order
    Rfps     ///< a request for proposals for each gap
};
std::string_view to_string(Realisation value);
std::optional<Realisation> parse_realisation(std::string_view text);

/// One call of an operation of the catalogue that carries out a part of the plan.
struct PlanAction {
    Realisation as = Realisation::Briefs;
    std::string subject;  ///< agent id or gap, unique within a negotiation and realisation
    std::string name;     ///< name of that agent; may be empty
    std::string text;     ///< the agent's part, or why the gap matters
    std::optional<Price> price;
    std::string action;
    std::string arguments_json;  ///< an object
};

/// The calls that the plan is turned into: all of one kind, or for each part an offer if it has a
/// price and a brief otherwise, and for each gap a request for proposals. Presumed answers are
/// ignored, because the parts are those of `final_plan` (R31, R32). A negotiation that is not
/// finalised yields nothing. Pure; any thread.
std::vector<PlanAction> plan_actions_of(const Run& run, std::optional<Realisation> as);

/// The state of a plan action.
struct PlanActionState {
    bool is_put = false;                 ///< it has been put to people as a question
    std::string approval_id;             ///< id of that question
    std::optional<Approval> approval{};  ///< empty: an older a2hd did not keep the result
    /// It was not put yet, or nobody has answered, or the approved call has failed.
    bool may_be_put = true;
};
/// Errors: those of `db`. Thread: the one of `db`.
Result<PlanActionState> state_of_plan_action(store::Database& db, const std::string& negotiation_id,
                                             const PlanAction& plan_action);
/// An object with kind, subject, text and price, and once it was put also approval_id, status and
/// outcome.
nlohmann::json to_json(const PlanAction& plan_action, const PlanActionState& state);

/// All plan actions that follow from the final plan by default, with `may_be_asked` if a plan
/// action can be put (again), and other plan actions that were put. Empty while the plan is not
/// final.
///
/// Errors:  and thread as above.
Result<nlohmann::json> plan_actions_view(store::Database& db, const Run& run);

}  // namespace a2h::collab
