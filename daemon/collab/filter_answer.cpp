#include "daemon/collab/filter_answer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "core/i18n/normalize.h"
#include "core/wire/json_member.h"
#include "daemon/collab/model_words.h"
#include "daemon/collab/words.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr double kInferredMax = 0.7;

std::string all_words_of(const Profile& profile) {
    std::string words = profile.profile_summary + "\n" + profile.capabilities_json;
    for (const auto* list : {&profile.tags, &profile.interests})
        for (const std::string& each : *list)
            words += "\n" + each;
    return words;
}

/// The demand's tags that a profile, or the reason for choosing it, mentions.
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

/// Takes candidates in the order of the answer, each only once.
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
            const bool may_be = profile != shown_.end() && id != run_.negotiation.agent_id &&
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

}  // namespace

Filtered chosen_of(const json& answer, const Run& run, const std::vector<Profile>& shown,
                   const Filtered& by_rules) {
    Choice choice(run, shown, by_rules);
    Filtered made;
    made.definitely_related = choice.take(member(answer, "definitely_related"));
    made.possibly_related = choice.take(member(answer, "possibly_related"));
    const bool is_empty = made.definitely_related.empty() && made.possibly_related.empty();
    return is_empty ? by_rules : made;
}

}  // namespace a2h::collab
