#include "daemon/collab/plan_rules.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/join.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "daemon/collab/counting.h"
#include "daemon/reading/reading.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr std::size_t kRoleMax = 100;
constexpr std::size_t kGoalMax = 500;
constexpr int kTagImportance = 80;
constexpr int kPartImportance = 60;

/// The fixed words of a plan in the language of the demand.
class PlanWords {
  public:
    explicit PlanWords(const Run& run) : language_(language_of_text(run.demand.surface_demand)) {}
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(language_, key, arguments);
    }
    std::string joined(const std::vector<std::string>& all) const {
        std::string joined;
        for (const std::string& each : all) {
            joined = joined.empty() ? each : text("plan.list", {{"list", joined}, {"next", each}});
        }
        return joined;
    }

  private:
    const i18n::Language language_;
};

/// One condition on each line, word for word, so that each author recognises their own.
std::string joined_lines(const std::vector<std::string>& conditions) {
    return joined_with("\n", conditions);
}

std::string amount_text(const Price& price) {
    return to_text(Money{price.amount_minor, price.currency});
}

PlanPart part_of(const Party& party, const PlanWords& words) {
    PlanPart part;
    part.agent_id = party.agent_id;
    part.display_name = party.agent_id;  // a name is somebody's words, and this is signed by us
    part.role = party.tags.empty()
                    ? std::string(truncate(preview(party.offer->contribution), kRoleMax))
                    : std::string(truncate(words.joined(party.tags), kRoleMax));
    if (part.role.empty()) part.role = words.text("plan.role_participant");
    part.responsibility = party.offer->contribution;
    if (part.responsibility.empty()) part.responsibility = part.role;
    part.notes = joined_lines(party.offer->conditions);
    part.price = party.offer->price;
    return part;
}

bool takes_part(const Run& run, const std::string& agent_id) {
    const Party* party = party_in(run, agent_id);
    return party && party->state == PartyState::Participating;
}

std::int64_t total_in(const std::vector<PlanPart>& parts, const std::string& currency) {
    std::int64_t total = 0;
    for (const PlanPart& part : parts) {
        if (!part.price || part.price->currency != currency) continue;
        total = std::min(kMoneyMinorMax, total + part.price->amount_minor);
    }
    return total;
}

/// The most expensive part that others cover as well; end if there is none.
std::vector<PlanPart>::iterator dearest_spare(const Run& run, std::vector<PlanPart>& parts,
                                              const std::string& currency) {
    auto dearest = parts.end();
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        if (!part->price || part->price->currency != currency) continue;
        if (!others_cover(run, parts, *part)) continue;
        if (dearest == parts.end() || part->price->amount_minor > dearest->price->amount_minor) {
            dearest = part;
        }
    }
    return dearest;
}

void keep_to_budget(const Run& run, Proposal& proposal, const PlanWords& words) {
    const auto budget = budget_of(run.demand);
    if (!budget) return;
    while (total_in(proposal.parts, budget->currency) > budget->amount_minor) {
        const auto spare = dearest_spare(run, proposal.parts, budget->currency);
        if (spare == proposal.parts.end()) {
            const std::int64_t total = total_in(proposal.parts, budget->currency);
            proposal.gaps.push_back(
                words.text("plan.gap_budget", {{"total", amount_text({total, budget->currency})}}));
            return;
        }
        proposal.rationale +=
            (proposal.rationale.empty() ? "" : " ") +
            words.text("plan.left_out_for_budget", {{"name", spare->display_name}});
        proposal.parts.erase(spare);
    }
}

std::vector<std::string> uncovered_tags(const Run& run, const std::vector<PlanPart>& parts) {
    std::vector<std::string> open;
    for (const std::string& tag : run.demand.capability_tags) {
        const bool is_covered = std::any_of(parts.begin(), parts.end(), [&](const PlanPart& part) {
            const Party* party = party_in(run, part.agent_id);
            return party &&
                   std::find(party->tags.begin(), party->tags.end(), tag) != party->tags.end();
        });
        if (!is_covered) open.push_back(tag);
    }
    return open;
}

/// Fills the members that follow from the parts.
void complete(const Run& run, Proposal& proposal, const PlanWords& words, UnixMs now_ms) {
    proposal.demand_id = run.negotiation.demand_id;
    proposal.version = run.negotiation.round + 1;
    proposal.proposal_id =
        "prop_" + run.negotiation.negotiation_id + "_" + std::to_string(proposal.version);
    proposal.objective = std::string(truncate(run.negotiation.raw_input, kGoalMax));
    std::vector<std::string> names;
    for (const PlanPart& part : proposal.parts)
        names.push_back(part.display_name);
    proposal.summary = words.text(
        "plan.summary", {{"count", std::to_string(names.size())}, {"names", words.joined(names)}});
    proposal.summary = std::string(truncate(proposal.summary, 1'000));
    const auto open = uncovered_tags(run, proposal.parts);
    for (const std::string& tag : open)
        proposal.gaps.push_back(words.text("plan.gap_tag", {{"tag", tag}}));
    const bool is_over = proposal.gaps.size() > open.size();
    proposal.confidence = is_over || !open.empty() ? "low" : "medium";
    proposal.created_at_ms = now_ms;
}

std::string who_asked(const Feedback& feedback) {
    const std::string words =
        feedback.adjustment_request.empty() ? feedback.reasoning : feedback.adjustment_request;
    return feedback.agent_id + ": " + words;
}

/// False if the request cannot be granted.
bool grant(const Run& run, Proposal& proposal, const Feedback& feedback, const PlanWords& words) {
    if (!feedback.wanted_price) return false;
    const auto part =
        std::find_if(proposal.parts.begin(), proposal.parts.end(),
                     [&](const PlanPart& each) { return each.agent_id == feedback.agent_id; });
    if (part == proposal.parts.end()) return false;
    const std::optional<Price> before = std::exchange(part->price, feedback.wanted_price);
    const auto budget = budget_of(run.demand);
    if (budget && total_in(proposal.parts, budget->currency) > budget->amount_minor) {
        part->price = before;
        return false;
    }
    proposal.changes.push_back(
        words.text("plan.change_price",
                   {{"name", part->display_name},
                    {"before", before ? amount_text(*before) : words.text("plan.no_price")},
                    {"after", amount_text(*part->price)}}));
    return true;
}

void answer_requests(const Run& run, Proposal& proposal, const PlanWords& words) {
    for (const Feedback& each : run.feedback) {
        if (each.type != FeedbackType::Negotiate) continue;
        auto& list = grant(run, proposal, each, words) ? proposal.requests_granted
                                                       : proposal.requests_declined;
        list.push_back(who_asked(each));
    }
}

void add_who_joined(const Run& run, Proposal& proposal, const PlanWords& words) {
    std::set<std::string> known;
    for (const PlanPart& part : run.proposal.parts)
        known.insert(part.agent_id);
    for (const Party& party : run.parties) {
        const bool is_new = party.state == PartyState::Participating && party.offer &&
                            party.joined_round == run.negotiation.round &&
                            !known.contains(party.agent_id);
        if (!is_new) continue;
        proposal.parts.push_back(part_of(party, words));
        proposal.changes.push_back(
            words.text("plan.change_joined", {{"name", proposal.parts.back().display_name}}));
    }
}

}  // namespace

i18n::Language language_of_text(std::string_view text) {
    return reading::read_text(text, reading::built_in_vocabulary()).language;
}

std::optional<Price> budget_of(const wire::Understanding& demand) {
    if (demand.budget.empty()) return std::nullopt;
    const auto reading = reading::read_text(demand.budget, reading::built_in_vocabulary());
    for (const reading::NumberMention& number : reading.numbers) {
        if (number.money) return Price{number.money->minor, number.money->currency};
    }
    return std::nullopt;
}

bool others_cover(const Run& run, const std::vector<PlanPart>& parts, const PlanPart& one) {
    const Party* party = party_in(run, one.agent_id);
    if (!party || party->tags.empty()) return false;
    return std::all_of(party->tags.begin(), party->tags.end(), [&](const std::string& tag) {
        return std::any_of(parts.begin(), parts.end(), [&](const PlanPart& other) {
            if (other.agent_id == one.agent_id) return false;
            const Party* by = party_in(run, other.agent_id);
            return by && std::find(by->tags.begin(), by->tags.end(), tag) != by->tags.end();
        });
    });
}

Proposal aggregate(const Run& run, UnixMs now_ms) {
    const PlanWords words(run);
    Proposal proposal;
    for (const Party& party : run.parties) {
        if (party.state == PartyState::Participating && party.offer) {
            proposal.parts.push_back(part_of(party, words));
        }
    }
    proposal.rationale = words.text("plan.rationale_as_offered");
    keep_to_budget(run, proposal, words);
    complete(run, proposal, words, now_ms);
    return proposal;
}

Proposal adjust(const Run& run, UnixMs now_ms) {
    const PlanWords words(run);
    Proposal proposal = run.proposal;
    proposal.changes.clear();
    proposal.requests_granted.clear();
    proposal.requests_declined.clear();
    proposal.gaps.clear();
    for (const PlanPart& part : run.proposal.parts) {
        if (takes_part(run, part.agent_id)) continue;
        proposal.changes.push_back(words.text("plan.change_left", {{"name", part.display_name}}));
    }
    std::erase_if(proposal.parts,
                  [&](const PlanPart& part) { return !takes_part(run, part.agent_id); });
    add_who_joined(run, proposal, words);
    answer_requests(run, proposal, words);
    keep_to_budget(run, proposal, words);
    complete(run, proposal, words, now_ms);
    return proposal;
}

Proposal next_proposal(const Run& run, UnixMs now_ms) {
    return run.negotiation.round == 0 ? aggregate(run, now_ms) : adjust(run, now_ms);
}

std::vector<Gap> gaps_of(const Run& run) {
    const PlanWords words(run);
    const Proposal bound = final_plan(run.proposal, run.feedback);
    std::vector<Gap> gaps;
    std::set<std::string> named;
    for (const std::string& tag : uncovered_tags(run, bound.parts)) {
        gaps.push_back({tag, kTagImportance, words.text("plan.gap_tag", {{"tag", tag}}), {tag}});
        named.insert(tag);
    }
    for (const PlanPart& part : run.proposal.parts) {
        const bool holds = std::any_of(bound.parts.begin(), bound.parts.end(),
                                       [&](const PlanPart& each) { return each == part; });
        const Party* party = party_in(run, part.agent_id);
        const bool is_named =
            party && !party->tags.empty() &&
            std::all_of(party->tags.begin(), party->tags.end(),
                        [&](const std::string& tag) { return named.contains(tag); });
        if (holds || is_named) continue;
        gaps.push_back(
            {part.role, kPartImportance, words.text("plan.gap_part", {{"name", part.display_name}}),
             party && !party->tags.empty() ? party->tags : std::vector<std::string>{part.role}});
    }
    return gaps;
}

Compromise compromise_of(const Run& run, const std::vector<Gap>& gaps) {
    const PlanWords words(run);
    Compromise made;
    made.parts = final_plan(run.proposal, run.feedback).parts;
    for (const Gap& gap : gaps)
        made.unresolved.push_back(gap.reason);
    made.summary = made.parts.empty() ? words.text("plan.compromise_nothing")
                                      : words.text("plan.compromise_part",
                                                   {{"open", std::to_string(gaps.size())},
                                                    {"count", std::to_string(made.parts.size())}});
    made.suggestions.push_back(words.text("plan.suggest_later"));
    if (!gaps.empty()) made.suggestions.push_back(words.text("plan.suggest_smaller"));
    if (!run.demand.location.empty()) {
        made.suggestions.push_back(
            words.text("plan.suggest_place", {{"place", run.demand.location}}));
    }
    return made;
}

json to_json(const Compromise& compromise) {
    Proposal carrier;
    carrier.parts = compromise.parts;
    return {{"summary", compromise.summary},
            {"type", "compromise"},
            {"assignments", wire::to_json(carrier)["assignments"]},
            {"compromises", json::array()},
            {"unresolved", compromise.unresolved},
            {"suggestions", compromise.suggestions},
            {"confidence", "low"}};
}

}  // namespace a2h::collab
