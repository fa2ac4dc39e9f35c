#include "daemon/demand/answers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/decide/playbook.h"
#include "daemon/decide/reading.h"
#include "daemon/demand/counting.h"
#include "daemon/demand/plan_rules.h"
#include "daemon/demand/words.h"

namespace a2h::demand {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr std::size_t kNotesMax = 1'000;
constexpr std::size_t kListMax = 20;
constexpr double kInferredMax = 0.7;

/// Amounts of money in texts: whose they are is for the caller to know.
class Amounts {
  public:
    void add(std::string_view text) {
        for (auto& amount : in(text))
            known_.insert(std::move(amount));
    }
    void add(const std::optional<Price>& price) {
        if (price) add(to_text(Money{price->amount_minor, price->currency}));
    }
    void add(const Offer& offer) {
        add(offer.contribution);
        for (const std::string& condition : offer.conditions)
            add(condition);
        add(offer.price);
    }
    void add(const Feedback& feedback) {
        add(feedback.reasoning);
        add(feedback.adjustment_request);
        add(feedback.wanted_price);
    }
    bool know_all_of(std::string_view text) const {
        const auto named = in(text);
        return std::all_of(named.begin(), named.end(),
                           [&](const auto& amount) { return known_.contains(amount); });
    }

  private:
    using Amount = std::pair<std::string, std::string>;  // currency, digits
    static std::set<Amount> in(std::string_view text) {
        std::set<Amount> found;
        const auto reading = decide::read_text(text, decide::built_in_rules().impl());
        for (const decide::NumberMention& number : reading.numbers) {
            if (number.kind != decide::NumberKind::Money) continue;
            if (number.money) {
                found.insert({number.money->currency, std::to_string(number.money->minor)});
            } else {
                found.insert({number.currency, number.digits + " or so"});
            }
        }
        return found;
    }
    std::set<Amount> known_;
};

Amounts amounts_of_demand(const Run& run) {
    Amounts amounts;
    amounts.add(run.channel.raw_input);
    amounts.add(run.demand.surface_demand);
    amounts.add(run.demand.budget);
    return amounts;
}

/// What everybody who takes part has named.
Amounts amounts_of_all(const Run& run) {
    Amounts amounts = amounts_of_demand(run);
    for (const Party& party : run.parties)
        if (party.offer) amounts.add(*party.offer);
    for (const Feedback& feedback : run.feedback)
        amounts.add(feedback);
    for (const PlanPart& part : run.proposal.parts)
        amounts.add(part.price);
    return amounts;
}

Amounts amounts_of(const Run& run, const Party& party) {
    Amounts amounts = amounts_of_demand(run);
    if (party.offer) amounts.add(*party.offer);
    for (const Feedback& feedback : run.feedback)
        if (feedback.agent_id == party.agent_id) amounts.add(feedback);
    return amounts;
}

/// Words that all participants read: of terms only what all may know.
Amounts amounts_for_all(const Run& run) {
    return run.channel.shows_terms ? amounts_of_all(run) : amounts_of_demand(run);
}

std::string words_or(const std::string& said, const Amounts& known, const std::string& otherwise) {
    return trim(said).empty() || !known.know_all_of(said) ? otherwise : said;
}

void keep_known(std::vector<std::string>& texts, const Amounts& known) {
    std::erase_if(texts, [&](const std::string& text) {
        return trim(text).empty() || !known.know_all_of(text);
    });
}

std::vector<std::string> texts_in(const json& list) {
    std::vector<std::string> texts;
    for (const json& each : list)
        if (each.is_string()) texts.push_back(each.get<std::string>());
    return texts;
}

void add_once(std::vector<std::string>& to, const std::vector<std::string>& more,
              std::size_t length_max) {
    for (const std::string& each : more) {
        if (to.size() >= length_max) return;
        if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
    }
}

const Party* party_in(const Run& run, const std::string& agent_id) {
    const auto found = std::find_if(run.parties.begin(), run.parties.end(),
                                    [&](const Party& party) { return party.agent_id == agent_id; });
    return found == run.parties.end() ? nullptr : &*found;
}

const PlanPart* part_in(const std::vector<PlanPart>& parts, const std::string& agent_id) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const PlanPart& part) {
        return part.agent_id == agent_id;
    });
    return found == parts.end() ? nullptr : &*found;
}

// Prompt 1.

bool stands_in(std::string_view text, const std::string& words) {
    return !trim(words).empty() && i18n::fold(text).find(i18n::fold(words)) != std::string::npos;
}

bool names_number(std::string_view text, int number) {
    const auto reading = decide::read_text(text, decide::built_in_rules().impl());
    return std::any_of(reading.numbers.begin(), reading.numbers.end(),
                       [&](const decide::NumberMention& mention) {
                           return mention.kind != decide::NumberKind::Money &&
                                  mention.digits == std::to_string(number);
                       });
}

std::vector<std::string> distinct_tags(const std::vector<std::string>& tags) {
    std::vector<std::string> distinct;
    std::set<std::string> known;
    for (const std::string& tag : tags) {
        const std::string folded = i18n::fold(trim(tag));
        if (!folded.empty() && known.insert(folded).second) distinct.emplace_back(trim(tag));
    }
    return distinct;
}

// Prompt 2.

std::string all_words_of(const Profile& profile) {
    std::string words = profile.profile_summary + "\n" + profile.capabilities_json;
    for (const auto* list : {&profile.tags, &profile.interests})
        for (const std::string& each : *list)
            words += "\n" + each;
    return words;
}

/// The tags of the demand that a profile and the reason for it speak of.
std::vector<std::string> tags_covered(const Run& run, const Profile& profile,
                                      const std::string& reason) {
    const SearchedText text(i18n::fold(all_words_of(profile) + "\n" + reason));
    std::vector<std::string> covered;
    for (const std::string& tag : run.demand.capability_tags)
        if (!text.evidence_of(words_of_tag(i18n::fold(tag))).empty()) covered.push_back(tag);
    return covered;
}

const Candidate* candidate_in(const Filtered& filtered, const std::string& agent_id) {
    for (const auto* list : {&filtered.definitely_related, &filtered.possibly_related})
        for (const Candidate& each : *list)
            if (each.agent_id == agent_id) return &each;
    return nullptr;
}

/// Takes candidates in the order in which they are said, each the first time only.
class Choice {
  public:
    Choice(const Run& run, const std::vector<Profile>& shown, const Filtered& by_rules)
        : run_(run), shown_(shown), by_rules_(by_rules) {}

    std::vector<Candidate> take(const json& list) {
        std::vector<Candidate> taken;
        for (const json& said : list) {
            const std::string id = text_member(said, "agent_id");
            const auto profile =
                std::find_if(shown_.begin(), shown_.end(),
                             [&](const Profile& each) { return each.agent_id == id; });
            const bool may_be = profile != shown_.end() && id != run_.channel.agent_id &&
                                taken_.size() < kCandidatesMax && taken_.insert(id).second;
            if (may_be) taken.push_back(candidate(*profile, said));
        }
        return taken;
    }

  private:
    Candidate candidate(const Profile& profile, const json& said) const {
        const Candidate* known = candidate_in(by_rules_, profile.agent_id);
        Amounts amounts = amounts_of_demand(run_);
        amounts.add(all_words_of(profile));
        Candidate made;
        made.agent_id = profile.agent_id;
        made.display_name = profile.user_name;
        made.reason = words_or(text_member(said, "reason"), amounts, known ? known->reason : "");
        made.tags = known ? known->tags : tags_covered(run_, profile, made.reason);
        const json& confidence = member(said, "confidence");
        double sure = confidence.is_number() ? confidence.get<double>() : 0;
        if (text_member(said, "match_type") != "explicit") sure = std::min(sure, kInferredMax);
        made.match_score = std::clamp(static_cast<int>(std::lround(sure * 100)), 1, 100);
        return made;
    }

    const Run& run_;
    const std::vector<Profile>& shown_;
    const Filtered& by_rules_;
    std::set<std::string> taken_;
};

// Prompts 4 and 6.

/// The words of `said` for a part whose person, price and conditions stay.
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

/// Which part waits for which; only edges that close no circle are kept.
class Order {
  public:
    explicit Order(const std::vector<PlanPart>& parts)
        : parts_(parts), after_(parts.size(), std::vector<bool>(parts.size(), false)) {}

    /// False, and nothing changed, when `role` is none of the plan or waits for `part` itself.
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

/// Dates are not made up: they stand in what the requester or a participant wrote.
bool is_known_date(const Run& run, const std::string& date) {
    if (stands_in(run.channel.raw_input, date) || stands_in(run.demand.date, date)) return true;
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

/// What is said about the plan as a whole.
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

bool has_accepted(const Run& run, const std::string& agent_id) {
    return std::any_of(run.feedback.begin(), run.feedback.end(), [&](const Feedback& each) {
        return each.agent_id == agent_id && each.type == FeedbackType::Accept && !each.is_presumed;
    });
}

/// The first of `entries` that is about this agent; empty when there is none.
std::string entry_about(const std::vector<std::string>& entries, const std::string& agent_id) {
    for (const std::string& entry : entries) {
        if (!entry.starts_with(agent_id)) continue;
        const bool is_whole = entry.size() == agent_id.size() ||
                              !std::isalnum(static_cast<unsigned char>(entry[agent_id.size()]));
        if (is_whole) return entry;
    }
    return {};
}

/// Every request is accounted for once. About prices the rules have decided; of the others one is
/// granted only where the sender's own part has changed.
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

// Prompt 7.

std::set<std::string> folded(const std::vector<std::string>& texts) {
    std::set<std::string> all;
    for (const std::string& text : texts)
        all.insert(i18n::fold(trim(text)));
    return all;
}

std::set<std::string> names_of(const Gap& gap) {
    auto names = folded(gap.tags);
    names.insert(i18n::fold(trim(gap.gap_type)));
    return names;
}

bool share_one(const std::set<std::string>& one, const std::set<std::string>& other) {
    return std::any_of(one.begin(), one.end(),
                       [&](const std::string& name) { return other.contains(name); });
}

/// Tags of the demand that somebody covers who has accepted.
std::set<std::string> tags_accepted(const Run& run) {
    std::set<std::string> covered;
    for (const PlanPart& part : final_plan(run.proposal, run.feedback).parts)
        if (const Party* party = party_in(run, part.agent_id)) covered.merge(folded(party->tags));
    return covered;
}

}  // namespace

wire::Understanding understood(const json& answer, const wire::Understanding& by_rules,
                               std::string_view raw_input) {
    wire::Understanding made = wire::read_understanding(answer);
    Amounts known;
    known.add(raw_input);
    made.surface_demand = words_or(made.surface_demand, known, by_rules.surface_demand);
    made.motivation = words_or(made.motivation, known, "");
    made.emotional_context = words_or(made.emotional_context, known, "");
    for (auto* list : {&made.likely_preferences, &made.uncertainties})
        keep_known(*list, known);
    made.capability_tags = distinct_tags(made.capability_tags);
    if (made.capability_tags.empty()) made.capability_tags = by_rules.capability_tags;
    if (!stands_in(raw_input, made.location)) made.location = by_rules.location;
    if (!stands_in(raw_input, made.date)) made.date = by_rules.date;
    if (!stands_in(raw_input, made.budget)) made.budget = by_rules.budget;
    if (!made.expected_attendees || !names_number(raw_input, *made.expected_attendees)) {
        made.expected_attendees = by_rules.expected_attendees;
    }
    return made;
}

Filtered chosen_of(const json& answer, const Run& run, const std::vector<Profile>& shown,
                   const Filtered& by_rules) {
    Choice choice(run, shown, by_rules);
    Filtered made;
    made.definitely_related = choice.take(member(answer, "definitely_related"));
    made.possibly_related = choice.take(member(answer, "possibly_related"));
    const bool is_empty = made.definitely_related.empty() && made.possibly_related.empty();
    return is_empty ? by_rules : made;
}

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
        if (said && !has_accepted(run, part.agent_id)) part = worded(run, part, *said);
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

std::vector<Gap> gaps_with(const json& answer, const Run& run, std::vector<Gap> by_rules) {
    const auto accepted = tags_accepted(run);
    const Amounts known = amounts_of_all(run);
    std::vector<Gap> gaps = std::move(by_rules);
    const std::size_t own = gaps.size();
    for (Gap& said : wire::read_gaps(member(answer, "gaps"))) {
        if (!known.know_all_of(said.reason) || !known.know_all_of(said.gap_type)) continue;
        const auto names = names_of(said);
        const auto same = std::find_if(gaps.begin(), gaps.end(), [&](const Gap& gap) {
            return share_one(names_of(gap), names);
        });
        if (same != gaps.end()) {
            // Whoever judged it may say how much it matters; that it is open stays.
            if (same - gaps.begin() < static_cast<std::ptrdiff_t>(own)) {
                same->importance = std::max(same->importance, said.importance);
                same->reason = said.reason;
            }
            continue;
        }
        if (gaps.size() >= kGapsMax || share_one(names, accepted)) continue;
        gaps.push_back(std::move(said));
    }
    std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& one, const Gap& other) {
        return one.importance > other.importance;
    });
    return gaps;
}

bool may_recurse(const Run& run, const std::vector<Gap>& gaps) {
    const bool has_plan = run.channel.outcome == ChannelOutcome::Agreed ||
                          run.channel.outcome == ChannelOutcome::Partial;
    return has_plan && run.channel.parent_channel_id.empty() &&
           std::any_of(gaps.begin(), gaps.end(),
                       [](const Gap& gap) { return gap.importance >= kSubDemandImportanceMin; });
}

std::vector<SubDemand> sub_demands_of(const json& answer, const Run& run,
                                      const std::vector<Gap>& gaps) {
    if (!may_recurse(run, gaps)) return {};
    for (const char* condition :
         {"should_recurse", "condition_1_met", "condition_2_met", "condition_3_met"})
        if (member(answer, condition) != json(true)) return {};
    std::set<std::string> open;
    for (const Gap& gap : gaps)
        if (gap.importance >= kSubDemandImportanceMin) open.merge(names_of(gap));
    std::vector<SubDemand> made;
    for (const json& said : member(answer, "sub_demands")) {
        if (made.size() == kSubDemandsMax) break;
        SubDemand sub{text_member(said, "description"),
                      distinct_tags(texts_in(member(said, "capability_tags")))};
        std::erase_if(sub.tags,
                      [&](const std::string& tag) { return !open.contains(i18n::fold(tag)); });
        // What it may cost is the first demand's own business.
        if (sub.tags.empty() || !Amounts().know_all_of(sub.description)) continue;
        for (const std::string& tag : sub.tags)
            open.erase(i18n::fold(tag));  // one gap is looked for once
        made.push_back(std::move(sub));
    }
    return made;
}

std::string compromise_with(const json& answer, const Run& run, const std::vector<Gap>& gaps) {
    const Amounts known = amounts_of_all(run);
    const Compromise by_rules = compromise_of(run, gaps);
    json made = to_json(by_rules);
    // What holds and what does not is told in our own words first.
    const std::string summary = text_member(answer, "summary");
    if (known.know_all_of(summary)) made["summary"] = by_rules.summary + " " + summary;
    for (const json& each : member(answer, "compromises")) {
        if (known.know_all_of(each.dump())) made["compromises"].push_back(each);
    }
    std::vector<std::string> unresolved = by_rules.unresolved;
    std::vector<std::string> more = texts_in(member(answer, "unresolved"));
    keep_known(more, known);
    add_once(unresolved, more, kListMax);
    made["unresolved"] = unresolved;
    std::vector<std::string> suggestions = texts_in(member(answer, "suggestions"));
    keep_known(suggestions, known);
    if (!suggestions.empty()) made["suggestions"] = suggestions;
    if (unresolved.empty()) made["confidence"] = text_member(answer, "confidence");
    return wire::canonical_json(made);
}

}  // namespace a2h::demand
