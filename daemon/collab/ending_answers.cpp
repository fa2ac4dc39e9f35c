#include "daemon/collab/ending_answers.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/collab/counting.h"
#include "daemon/collab/model_words.h"
#include "daemon/collab/plan_rules.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr std::size_t kUnresolvedMax = 20;

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

/// The demand's tags that are covered by somebody who has accepted.
std::set<std::string> tags_accepted(const Run& run) {
    std::set<std::string> covered;
    for (const PlanPart& part : final_plan(run.proposal, run.feedback).parts)
        if (const Party* party = party_in(run, part.agent_id)) covered.merge(folded(party->tags));
    return covered;
}

}  // namespace

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
            // The model may say how important a gap is, but cannot close it.
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
    const bool has_plan = run.negotiation.outcome == NegotiationOutcome::Agreed ||
                          run.negotiation.outcome == NegotiationOutcome::Partial;
    return has_plan && run.negotiation.parent_negotiation_id.empty() &&
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
        // What the sub-demand may cost is not passed on.
        if (sub.tags.empty() || !Amounts().know_all_of(sub.description)) continue;
        for (const std::string& tag : sub.tags)
            open.erase(i18n::fold(tag));  // each gap is searched for once
        made.push_back(std::move(sub));
    }
    return made;
}

std::string compromise_with(const json& answer, const Run& run, const std::vector<Gap>& gaps) {
    const Amounts known = amounts_of_all(run);
    const Compromise by_rules = compromise_of(run, gaps);
    json made = to_json(by_rules);
    // Our own words first say what was achieved and what was not.
    const std::string summary = text_member(answer, "summary");
    if (known.know_all_of(summary)) made["summary"] = by_rules.summary + " " + summary;
    for (const json& each : member(answer, "compromises")) {
        if (known.know_all_of(each.dump())) made["compromises"].push_back(each);
    }
    std::vector<std::string> unresolved = by_rules.unresolved;
    std::vector<std::string> more = texts_in(member(answer, "unresolved"));
    keep_known(more, known);
    add_once(unresolved, more, kUnresolvedMax);
    made["unresolved"] = unresolved;
    std::vector<std::string> suggestions = texts_in(member(answer, "suggestions"));
    keep_known(suggestions, known);
    if (!suggestions.empty()) made["suggestions"] = suggestions;
    if (unresolved.empty()) made["confidence"] = text_member(answer, "confidence");
    return wire::canonical_json(made);
}

}  // namespace a2h::collab
