#include "daemon/collab/realise.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/money.h"
#include "core/base/text.h"
#include "core/store/approval_store.h"
#include "core/store/plan_action_store.h"
#include "core/wire/demand_json.h"
#include "daemon/collab/plan_rules.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<Realisation, std::string_view>, 3> kRealisations = {{
    {Realisation::Briefs, "briefs"},
    {Realisation::Offers, "offers"},
    {Realisation::Rfps, "rfps"},
}};
constexpr std::size_t kTitleMax = 100;
constexpr std::size_t kCapabilityMax = 64;

std::string amount_in_words(const Price& price) {
    return to_text(Money{price.amount_minor, price.currency});
}

/// The number for `price.amount` of an offer, in major units.
json major_units(const Price& price) {
    double amount = static_cast<double>(price.amount_minor);
    for (int digit = minor_digits(price.currency); digit > 0; --digit)
        amount /= 10.0;
    return amount;
}

PlanAction of_part(const PlanPart& part, Realisation as, std::string action,
                   const json& arguments) {
    return {as,         part.agent_id,     part.display_name, part.responsibility,
            part.price, std::move(action), arguments.dump()};
}

/// The conditions of the part besides its price.
std::vector<std::string> conditions_of(const Run& run, const PlanPart& part,
                                       i18n::Language language) {
    std::vector<std::string> conditions;
    if (!part.notes.empty()) conditions.push_back(part.notes);
    for (const std::string& each : part.dependencies)
        conditions.push_back(i18n::text(language, "plan.brief_after", {{"role", each}}));
    if (!run.proposal.start_date.empty()) {
        conditions.push_back(
            i18n::text(language, "plan.brief_date", {{"date", run.proposal.start_date}}));
    }
    return conditions;
}

PlanAction brief_of(const Run& run, const PlanPart& part, i18n::Language language) {
    json constraints = conditions_of(run, part, language);
    if (part.price) {
        constraints.push_back(
            i18n::text(language, "plan.brief_price", {{"price", amount_in_words(*part.price)}}));
    }
    if (constraints.empty()) constraints.push_back(i18n::text(language, "plan.brief_as_agreed"));
    json brief{{"objective", part.responsibility},
               {"constraints", std::move(constraints)},
               {"inputs", run.demand.surface_demand},
               {"outputs", part.role},
               {"completion_criteria", i18n::text(language, "plan.brief_done")}};
    const json arguments{{"target_agent_id", part.agent_id}, {"task_brief", std::move(brief)}};
    return of_part(part, Realisation::Briefs, "task.assign", arguments);
}

PlanAction offer_of(const Run& run, const PlanPart& part, i18n::Language language) {
    std::string text = i18n::text(language, "plan.offer",
                                  {{"demand", preview(run.demand.surface_demand)},
                                   {"part", part.responsibility},
                                   {"price", amount_in_words(*part.price)}});
    for (const std::string& condition : conditions_of(run, part, language))
        text += '\n' + condition;
    const json price{{"currency", part.price->currency}, {"amount", major_units(*part.price)}};
    const json arguments{
        {"target_agent_id", part.agent_id},
        {"text", text},
        {"extra_payload",
         {{"type", "offer"}, {"price", price}, {"summary", preview(part.responsibility)}}}};
    return of_part(part, Realisation::Offers, "send", arguments);
}

PlanAction rfp_of(const Run& run, const Gap& gap, i18n::Language language) {
    const std::string kind = gap.tags.empty() ? gap.gap_type : gap.tags.front();
    const json arguments{{"title", std::string(truncate(gap.gap_type, kTitleMax))},
                         {"description", i18n::text(language, "plan.rfp",
                                                    {{"demand", run.demand.surface_demand},
                                                     {"reason", gap.reason}})},
                         {"capability_type", std::string(truncate(kind, kCapabilityMax))}};
    return {Realisation::Rfps, gap.gap_type, {}, gap.reason, {}, "rfp.create", arguments.dump()};
}

bool has_price(const PlanPart& part) {
    return part.price && part.price->amount_minor > 0;
}

std::vector<Gap> gaps_at_the_end(const Run& run) {
    return wire::read_gaps(json::parse(run.negotiation.gaps_json, nullptr, false));
}

/// True if a yes to `approval` has had no effect and will have none.
bool came_to_nothing(const Approval& approval) {
    return approval.status == ApprovalStatus::Expired ||
           approval.status == ApprovalStatus::Cancelled ||
           approval.outcome == ApprovalOutcome::Failed ||
           approval.outcome == ApprovalOutcome::Expired;
}

}  // namespace

std::string_view to_string(Realisation value) {
    return kRealisations[static_cast<std::size_t>(value)].second;
}

std::optional<Realisation> parse_realisation(std::string_view text) {
    for (const auto& [value, name] : kRealisations) {
        if (text == name) return value;
    }
    return std::nullopt;
}

std::vector<PlanAction> plan_actions_of(const Run& run, std::optional<Realisation> as) {
    std::vector<PlanAction> plan_actions;
    if (run.negotiation.state != NegotiationState::Finalized) return plan_actions;
    const i18n::Language language = language_of_text(run.demand.surface_demand);
    for (const PlanPart& part : final_plan(run.proposal, run.feedback).parts) {
        const Realisation kind =
            as.value_or(has_price(part) ? Realisation::Offers : Realisation::Briefs);
        if (kind == Realisation::Briefs) plan_actions.push_back(brief_of(run, part, language));
        if (kind == Realisation::Offers && has_price(part))
            plan_actions.push_back(offer_of(run, part, language));
    }
    if (as.value_or(Realisation::Rfps) != Realisation::Rfps) return plan_actions;
    for (const Gap& gap : gaps_at_the_end(run))
        plan_actions.push_back(rfp_of(run, gap, language));
    return plan_actions;
}

Result<PlanActionState> state_of_plan_action(store::Database& db, const std::string& negotiation_id,
                                             const PlanAction& plan_action) {
    PlanActionState state;
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        store::get_plan_action(
            db,
            {negotiation_id, std::string(to_string(plan_action.as)), plan_action.subject, {}, 0}));
    if (!row) return state;
    state.is_put = true;
    state.approval_id = row->approval_id;
    A2H_ASSIGN_OR_RETURN(auto approval, store::get_approval(db, state.approval_id));
    state.approval = std::move(approval);
    state.may_be_put = state.approval && came_to_nothing(*state.approval);
    return state;
}

json to_json(const PlanAction& plan_action, const PlanActionState& state) {
    json shown{{"as", to_string(plan_action.as)},
               {"subject", plan_action.subject},
               {"text", plan_action.text}};
    if (!plan_action.name.empty()) shown["display_name"] = plan_action.name;
    if (plan_action.price) {
        shown["price"] = {{"amount_minor", plan_action.price->amount_minor},
                          {"currency", plan_action.price->currency}};
    }
    if (!state.is_put) return shown;
    shown["approval_id"] = state.approval_id;
    shown["status"] = state.approval ? to_string(state.approval->status) : "unknown";
    shown["outcome"] = state.approval ? to_string(state.approval->outcome) : "unknown";
    return shown;
}

Result<json> plan_actions_view(store::Database& db, const Run& run) {
    std::vector<PlanAction> plan_actions = plan_actions_of(run, std::nullopt);
    const std::size_t usual = plan_actions.size();
    for (const Realisation as : {Realisation::Briefs, Realisation::Offers}) {
        for (PlanAction& plan_action : plan_actions_of(run, as))
            plan_actions.push_back(std::move(plan_action));
    }
    json list = json::array();
    for (std::size_t i = 0; i < plan_actions.size(); ++i) {
        const auto same = [&](const PlanAction& other) {
            return other.as == plan_actions[i].as && other.subject == plan_actions[i].subject;
        };
        const auto begin = plan_actions.begin();
        const auto place = begin + static_cast<std::ptrdiff_t>(i);
        if (i >= usual && std::any_of(begin, place, same)) continue;
        A2H_ASSIGN_OR_RETURN(
            const auto state,
            state_of_plan_action(db, run.negotiation.negotiation_id, plan_actions[i]));
        if (i >= usual && !state.is_put) continue;
        json shown = to_json(plan_actions[i], state);
        if (i < usual && state.may_be_put) shown["may_be_asked"] = true;
        list.push_back(std::move(shown));
    }
    return list;
}

}  // namespace a2h::collab
