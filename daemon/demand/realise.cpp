#include "daemon/demand/realise.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/money.h"
#include "core/base/text.h"
#include "daemon/demand/plan_rules.h"

namespace a2h::demand {
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

/// A number as `price.amount` of an offer has it: major units.
json major_units(const Price& price) {
    double amount = static_cast<double>(price.amount_minor);
    for (int digit = minor_digits(price.currency); digit > 0; --digit)
        amount /= 10.0;
    return amount;
}

Deed brief_of(const Run& run, const PlanPart& part, i18n::Language language) {
    json constraints = json::array();
    if (!part.notes.empty()) constraints.push_back(part.notes);
    for (const std::string& each : part.dependencies)
        constraints.push_back(i18n::text(language, "plan.brief_after", {{"role", each}}));
    if (part.price) {
        constraints.push_back(
            i18n::text(language, "plan.brief_price", {{"price", amount_in_words(*part.price)}}));
    }
    if (!run.proposal.start_date.empty()) {
        constraints.push_back(
            i18n::text(language, "plan.brief_date", {{"date", run.proposal.start_date}}));
    }
    if (constraints.empty()) constraints.push_back(i18n::text(language, "plan.brief_as_agreed"));
    json brief{{"objective", part.responsibility},
               {"constraints", std::move(constraints)},
               {"inputs", run.demand.surface_demand},
               {"outputs", part.role},
               {"completion_criteria", i18n::text(language, "plan.brief_done")}};
    const json arguments{{"target_agent_id", part.agent_id}, {"task_brief", std::move(brief)}};
    return {part.agent_id, "task.assign", arguments.dump()};
}

Deed offer_of(const Run& run, const PlanPart& part, i18n::Language language) {
    const std::string text = i18n::text(language, "plan.offer",
                                        {{"demand", preview(run.demand.surface_demand)},
                                         {"part", part.responsibility},
                                         {"price", amount_in_words(*part.price)}});
    const json price{{"currency", part.price->currency}, {"amount", major_units(*part.price)}};
    const json arguments{
        {"target_agent_id", part.agent_id},
        {"text", text},
        {"extra_payload",
         {{"type", "offer"}, {"price", price}, {"summary", preview(part.responsibility)}}}};
    return {part.agent_id, "send", arguments.dump()};
}

Deed rfp_of(const Run& run, const Gap& gap, i18n::Language language) {
    const std::string kind = gap.tags.empty() ? gap.gap_type : gap.tags.front();
    const json arguments{{"title", std::string(truncate(gap.gap_type, kTitleMax))},
                         {"description", i18n::text(language, "plan.rfp",
                                                    {{"demand", run.demand.surface_demand},
                                                     {"reason", gap.reason}})},
                         {"capability_type", std::string(truncate(kind, kCapabilityMax))}};
    return {gap.gap_type, "rfp.create", arguments.dump()};
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

std::vector<Deed> deeds_of(const Run& run, const std::vector<Gap>& gaps, Realisation as) {
    std::vector<Deed> deeds;
    if (run.channel.state != ChannelState::Finalized) return deeds;
    const i18n::Language language = language_of_text(run.demand.surface_demand);
    if (as == Realisation::Rfps) {
        for (const Gap& gap : gaps)
            deeds.push_back(rfp_of(run, gap, language));
        return deeds;
    }
    for (const PlanPart& part : final_plan(run.proposal, run.feedback).parts) {
        if (as == Realisation::Briefs) {
            deeds.push_back(brief_of(run, part, language));
        } else if (part.price && part.price->amount_minor > 0) {
            deeds.push_back(offer_of(run, part, language));
        }
    }
    return deeds;
}

}  // namespace a2h::demand
