#include "daemon/collab/plan_answers.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/collab/model_words.h"
#include "daemon/collab/plan_rules.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr std::size_t kNotesMax = 1'000;
constexpr std::size_t kListMax = 20;

Amounts amounts_of(const Run& run, const Party& party) {
    Amounts amounts = amounts_of_demand(run);
    if (party.offer) amounts.add(*party.offer);
    for (const Feedback& feedback : run.feedback)
        if (feedback.agent_id == party.agent_id) amounts.add(feedback);
    return amounts;
}

/// Amounts in words that all participants read. Only terms that everybody may know are included.
Amounts amounts_for_all(const Run& run) {
    return run.negotiation.shows_terms ? amounts_of_all(run) : amounts_of_demand(run);
}

/// The words of `said` for a part. Person, price and conditions of the part stay.
PlanPart worded(const Run& run, const PlanPart& part, const json& said) {
    const Party* party = party_in(run, part.agent_id);
    if (!party || !party->offer) return part;
    Amounts known = amounts_of(run, *party);
    known.add(part.price);
    PlanPart made = part;
    made.role = words_or(text_member(said, "role"), known, part.role);
    made.responsibility = words_or(text_member(said, "responsibility"), known, part.responsibility);
    const std::string notes = words_or(text_member(said, "notes"), known, "");
    const auto& conditions = party->offer->conditions;
    const bool keeps_conditions = std::all_of(
        conditions.begin(), conditions.end(),
        [&](const std::string& condition) { return notes.find(condition) != std::string::npos; });
    if (keeps_conditions) {
        made.notes = notes.empty() ? part.notes : notes;
    } else if (!notes.empty() && part.notes.find(notes) == std::string::npos) {
        made.notes = std::string(truncate(part.notes + "\n" + notes, kNotesMax));
    }
    made.dependencies = texts_in(member(said, "dependencies"));
    return made;
}

/// The dependencies between parts. An edge that would close a cycle is dropped.
class Order {
  public:
    explicit Order(const std::vector<PlanPart>& parts)
        : parts_(parts), after_(parts.size(), std::vector<bool>(parts.size(), false)) {}

    /// Returns false and changes nothing if the plan has no such `role`, or if that role waits for
    /// `part`.
    bool wait(std::size_t part, const std::string& role) {
        std::vector<std::size_t> others;
        for (std::size_t other = 0; other < parts_.size(); ++other) {
            if (parts_[other].role != role) continue;
            if (other == part || reaches(other, part)) return false;
            others.push_back(other);
        }
        for (const std::size_t other : others)
            after_[part][other] = true;
        return !others.empty();
    }

  private:
    bool reaches(std::size_t from, std::size_t to) const {
        std::vector<bool> seen(parts_.size(), false);
        std::vector<std::size_t> open{from};
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            if (at == to) return true;
            if (seen[at]) continue;
            seen[at] = true;
            for (std::size_t next = 0; next < parts_.size(); ++next)
                if (after_[at][next]) open.push_back(next);
        }
        return false;
    }

    const std::vector<PlanPart>& parts_;
    std::vector<std::vector<bool>> after_;
};

void order(std::vector<PlanPart>& parts) {
    Order known(parts);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        std::vector<std::string> kept;
        for (const std::string& role : parts[part].dependencies)
            if (known.wait(part, role)) add_once(kept, {role}, kListMax);
        parts[part].dependencies = std::move(kept);
    }
}

/// Only dates that the requester or a participant wrote are used.
bool is_known_date(const Run& run, const std::string& date) {
    if (stands_in(run.negotiation.raw_input, date) || stands_in(run.demand.date, date)) return true;
    for (const Party& party : run.parties) {
        if (!party.offer) continue;
        if (stands_in(party.offer->contribution, date)) return true;
        for (const std::string& condition : party.offer->conditions)
            if (stands_in(condition, date)) return true;
    }
    return std::any_of(run.feedback.begin(), run.feedback.end(), [&](const Feedback& feedback) {
        return stands_in(feedback.adjustment_request, date) || stands_in(feedback.reasoning, date);
    });
}

/// Takes over the model's words about the plan as a whole.
void word_plan(const Run& run, const Proposal& said, Proposal& plan) {
    const Amounts known = amounts_for_all(run);
    plan.summary = words_or(said.summary, known, plan.summary);
    plan.objective = words_or(said.objective, known, plan.objective);
    plan.rationale = words_or(said.rationale, known, plan.rationale);
    if (is_known_date(run, said.start_date)) plan.start_date = said.start_date;
    plan.milestones.clear();
    for (Milestone each : said.milestones) {
        if (!known.know_all_of(each.name) || !known.know_all_of(each.deliverable)) continue;
        if (!is_known_date(run, each.date)) each.date.clear();
        plan.milestones.push_back(std::move(each));
    }
    if (plan.gaps.empty()) plan.confidence = said.confidence;
    std::vector<std::string> gaps = said.gaps;
    keep_known(gaps, known);
    add_once(plan.gaps, gaps, kGapsMax);
}

const json* assignment_of(const json& answer, const std::string& agent_id) {
    for (const json& each : member(answer, "assignments"))
        if (text_member(each, "agent_id") == agent_id) return &each;
    return nullptr;
}

/// The first of `entries` about this agent; empty if there is none.
std::string entry_about(const std::vector<std::string>& entries, const std::string& agent_id) {
    for (const std::string& entry : entries) {
        if (!entry.starts_with(agent_id)) continue;
        const bool is_whole = entry.size() == agent_id.size() ||
                              !std::isalnum(static_cast<unsigned char>(entry[agent_id.size()]));
        if (is_whole) return entry;
    }
    return {};
}

/// Lists every request once as granted or declined. Rules have decided about prices; another
/// request is granted only if the sender's own part has changed.
void account_for_requests(const Run& run, const Proposal& said, Proposal& plan) {
    const Amounts known = amounts_of_all(run);
    for (const Feedback& each : run.feedback) {
        if (each.type != FeedbackType::Negotiate || each.wanted_price) continue;
        const std::string granted = entry_about(said.requests_granted, each.agent_id);
        const PlanPart* before = part_in(run.proposal.parts, each.agent_id);
        const PlanPart* after = part_in(plan.parts, each.agent_id);
        const bool has_changed = before && after && *before != *after;
        const bool is_granted = !granted.empty() && has_changed && known.know_all_of(granted);
        const std::string declined = entry_about(said.requests_declined, each.agent_id);
        const std::string own = entry_about(plan.requests_declined, each.agent_id);
        std::erase(plan.requests_declined, own);
        if (is_granted) {
            plan.requests_granted.push_back(granted);
        } else {
            plan.requests_declined.push_back(words_or(declined, known, own));
        }
    }
}

}  // namespace

Proposal aggregated(const json& answer, const Run& run, const Proposal& by_rules) {
    Proposal plan = by_rules;
    for (PlanPart& part : plan.parts)
        if (const json* said = assignment_of(answer, part.agent_id))
            part = worded(run, part, *said);
    for (const PlanPart& part : by_rules.parts) {
        const PlanPart* kept = part_in(plan.parts, part.agent_id);
        if (assignment_of(answer, part.agent_id) || !others_cover(run, plan.parts, *kept)) continue;
        plan.parts.erase(plan.parts.begin() + (kept - plan.parts.data()));
    }
    order(plan.parts);
    word_plan(run, wire::read_proposal(answer), plan);
    return plan;
}

Proposal adjusted(const json& answer, const Run& run, const Proposal& by_rules) {
    Proposal plan = by_rules;
    for (PlanPart& part : plan.parts) {
        const json* said = assignment_of(answer, part.agent_id);
        if (said && !has_accepted(run.feedback, part.agent_id)) part = worded(run, part, *said);
    }
    order(plan.parts);
    const Proposal said = wire::read_proposal(answer);
    word_plan(run, said, plan);
    account_for_requests(run, said, plan);
    if (plan.parts == by_rules.parts) return plan;
    std::vector<std::string> changes = said.changes;
    keep_known(changes, amounts_of_all(run));
    add_once(plan.changes, changes, kListMax);
    return plan;
}

}  // namespace a2h::collab
