#include "daemon/collab/filter_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/i18n/messages.h"
#include "core/i18n/normalize.h"
#include "core/store/profile_store.h"
#include "daemon/collab/place_time.h"
#include "daemon/collab/words.h"
#include "daemon/reading/lexicon.h"

namespace a2h::collab {
namespace {

constexpr std::size_t kReasonsMax = 3;
/// If a demand has no tags, a word that more than one in this many profiles contain is ignored.
constexpr std::int64_t kCommonShare = 4;
constexpr std::int64_t kCommonMin = 20;

/// Where a profile matches a part of the demand. Later values are stronger.
enum class Strength : std::uint8_t { None, Summary, Interest, Capability, Word, Part, Exact };

double weight_of(Strength strength) {
    constexpr std::array kWeights{0.0, 0.3, 0.4, 0.5, 0.75, 0.9, 1.0};
    return kWeights[static_cast<std::size_t>(strength)];
}

Strength strength_of(TagMatch match) {
    switch (match) {
        case TagMatch::None:
            break;
        case TagMatch::Word:
            return Strength::Word;
        case TagMatch::Part:
            return Strength::Part;
        case TagMatch::Exact:
            return Strength::Exact;
    }
    return Strength::None;
}

Strength strength_of(store::WordPlace place) {
    switch (place) {
        case store::WordPlace::Capabilities:
            return Strength::Capability;
        case store::WordPlace::Interests:
            return Strength::Interest;
        case store::WordPlace::Summary:
            break;
    }
    return Strength::Summary;
}

/// How a profile matches one part of the demand.
struct Finding {
    Strength strength = Strength::None;
    std::uint32_t ability = 0;  ///< index into the tags and words by which any profile was found
};

struct Found {
    std::vector<Finding> parts;  ///< parts of the demand
    int words = 0;               ///< words in common with a demand that has no tags
    store::ProfileBrief brief{};
    int score = 0;

    bool is_definite() const {
        return std::any_of(parts.begin(), parts.end(), [](const Finding& finding) {
            return finding.strength >= Strength::Word;
        });
    }
};

bool is_better(const Found* one, const Found* other) {
    if (one->score != other->score) return one->score > other->score;
    if (one->brief.updated_at_ms != other->brief.updated_at_ms)
        return one->brief.updated_at_ms > other->brief.updated_at_ms;
    return one->brief.agent_id < other->brief.agent_id;
}

i18n::Language language_in(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); i += reading::code_point_length(text, i)) {
        if (reading::is_han(reading::code_point_at(text, i))) return i18n::Language::Chinese;
    }
    return i18n::Language::English;
}

double points_of(Fit fit, double most) {
    switch (fit) {
        case Fit::No:
            return 0;
        case Fit::Unknown:
            return most / 2;
        case Fit::Yes:
            break;
    }
    return most;
}

class Filter {
  public:
    Filter(store::Database& reader, const wire::Understanding& demand, std::string_view requester,
           std::size_t candidates_max)
        : reader_(reader),
          demand_(demand),
          requester_(requester),
          max_(candidates_max),
          place_(i18n::fold(demand.location)),
          date_(i18n::fold(demand.date)) {
        std::string text = demand.surface_demand;
        for (const std::string& tag : demand.capability_tags) {
            wanted_.push_back(words_of_tag(i18n::fold(tag)));
            text += tag;
        }
        language_ = language_in(text);
    }

    Result<Filtered> run() {
        A2H_TRY(wanted_.empty() ? find_by_text() : find_by_tags());
        A2H_TRY(compare());
        return choose();
    }

  private:
    Found& found_at(std::int64_t profile) {
        Found& found = found_[profile];
        if (found.parts.empty()) found.parts.resize(std::max<std::size_t>(wanted_.size(), 1));
        return found;
    }

    void note(std::int64_t profile, std::size_t part, Strength strength, std::size_t ability) {
        Finding& finding = found_at(profile).parts[part];
        if (strength <= finding.strength) return;
        finding = {strength, static_cast<std::uint32_t>(ability)};
    }

    Result<void> find_by_tags() {
        A2H_ASSIGN_OR_RETURN(const auto known, store::tags_in_use(reader_));
        for (const store::TagUse& use : known)
            A2H_TRY(find_by_tag(words_of_tag(use.tag)));
        if (found_.size() > max_) return {};
        for (std::size_t part = 0; part < wanted_.size(); ++part) {
            const TagWords& wanted = wanted_[part];
            const std::vector<std::string> equal = equal_words_of(wanted);
            for (const auto* words : {&wanted.chinese, &wanted.latin, &equal}) {
                for (const std::string& word : *words)
                    A2H_TRY(find_by_word(word, part));
            }
        }
        return {};
    }

    Result<void> find_by_tag(const TagWords& known) {
        bool is_wanted = false;
        matches_.assign(wanted_.size(), TagMatch::None);
        for (std::size_t part = 0; part < wanted_.size(); ++part) {
            matches_[part] = match_tags(wanted_[part], known);
            is_wanted = is_wanted || matches_[part] != TagMatch::None;
        }
        if (!is_wanted) return {};
        A2H_ASSIGN_OR_RETURN(const auto profiles, store::profiles_with_tag(reader_, known.tag));
        abilities_.push_back(known.tag);
        for (const std::int64_t profile : profiles) {
            for (std::size_t part = 0; part < wanted_.size(); ++part)
                note(profile, part, strength_of(matches_[part]), abilities_.size() - 1);
        }
        return {};
    }

    Result<void> find_by_word(const std::string& word, std::size_t part) {
        A2H_ASSIGN_OR_RETURN(const auto uses, store::profiles_with_word(reader_, word));
        abilities_.push_back(word);
        for (const store::WordUse& use : uses)
            note(use.profile, part, strength_of(use.place), abilities_.size() - 1);
        return {};
    }

    /// The demand has only words. A profile needs two of them, or one among its capabilities or
    /// interests.
    Result<void> find_by_text() {
        A2H_ASSIGN_OR_RETURN(const auto all, store::count_profiles(reader_, ""));
        const auto common = static_cast<std::size_t>(std::max(kCommonMin, all / kCommonShare));
        for (const std::string& word : words_of_text(i18n::fold(demand_.surface_demand))) {
            A2H_ASSIGN_OR_RETURN(const auto uses, store::profiles_with_word(reader_, word));
            if (uses.size() > common) continue;
            abilities_.push_back(word);
            for (const store::WordUse& use : uses) {
                note(use.profile, 0, strength_of(use.place), abilities_.size() - 1);
                ++found_at(use.profile).words;
            }
        }
        std::erase_if(found_, [](const auto& entry) {
            const Found& found = entry.second;
            return found.words < 2 && found.parts[0].strength == Strength::Summary;
        });
        return {};
    }

    Result<void> compare() {
        for (auto& [profile, found] : found_) {
            A2H_ASSIGN_OR_RETURN(auto brief, store::profile_brief(reader_, profile));
            // A profile that was imported before ids were checked may have no mailbox.
            if (!brief || brief->agent_id == requester_ || !is_agent_id(brief->agent_id)) continue;
            found.brief = std::move(*brief);
            found.score = score_of(found);
            (found.is_definite() ? definite_ : possible_).push_back(&found);
        }
        std::sort(definite_.begin(), definite_.end(), is_better);
        std::sort(possible_.begin(), possible_.end(), is_better);
        return {};
    }

    int score_of(const Found& found) const {
        double best = 0;
        double sum = 0;
        for (const Finding& finding : found.parts) {
            best = std::max(best, weight_of(finding.strength));
            sum += weight_of(finding.strength);
        }
        const Fit place = fits_place(place_, i18n::fold(found.brief.location));
        const Fit time = fits_time(date_, i18n::fold(found.brief.availability));
        const double score = 50 * best + 20 * sum / static_cast<double>(found.parts.size()) +
                             points_of(place, 15) + points_of(time, 15);
        return static_cast<int>(std::lround(score));
    }

    /// If there are too many candidates, keeps the best for each part of the demand in turn.
    void keep_best() {
        if (definite_.size() <= max_) return;
        std::vector<const Found*> kept;
        while (kept.size() < max_) {
            for (std::size_t part = 0; part < wanted_.size(); ++part) {
                if (kept.size() == max_) break;
                const auto next =
                    std::find_if(definite_.begin(), definite_.end(), [&](const Found* found) {
                        return found && found->parts[part].strength >= Strength::Word;
                    });
                if (next != definite_.end()) kept.push_back(std::exchange(*next, nullptr));
            }
        }
        std::sort(kept.begin(), kept.end(), is_better);
        definite_ = std::move(kept);
    }

    Result<Filtered> choose() {
        keep_best();
        possible_.resize(std::min(possible_.size(), max_ - definite_.size()));
        Filtered chosen;
        for (const Found* found : definite_) {
            A2H_ASSIGN_OR_RETURN(auto candidate, candidate_of(*found));
            chosen.definitely_related.push_back(std::move(candidate));
        }
        for (const Found* found : possible_) {
            A2H_ASSIGN_OR_RETURN(auto candidate, candidate_of(*found));
            chosen.possibly_related.push_back(std::move(candidate));
        }
        return chosen;
    }

    Result<Candidate> candidate_of(const Found& found) {
        A2H_ASSIGN_OR_RETURN(auto profile, store::get_profile(reader_, found.brief.agent_id));
        if (!profile)
            return fail(ErrorCode::NotFound, "a profile was removed while it was being read");
        Candidate candidate;
        candidate.agent_id = found.brief.agent_id;
        candidate.display_name = found.brief.user_name;
        candidate.match_score = found.score;
        std::size_t reasons = 0;
        for (std::size_t part = 0; part < found.parts.size(); ++part) {
            if (found.parts[part].strength == Strength::None) continue;
            if (!wanted_.empty() && stands_for(found, part))
                candidate.tags.push_back(demand_.capability_tags[part]);
            if (reasons++ >= kReasonsMax) continue;
            add_reason(candidate.reason, reason_of(*profile, found.parts[part], part));
        }
        if (!place_.empty() && fits_place(place_, i18n::fold(found.brief.location)) == Fit::Yes) {
            add_reason(candidate.reason, i18n::text(language_, "profiles.reason_place",
                                                    {{"location", found.brief.location}}));
        }
        return candidate;
    }

    /// An agent with a capability is not chosen for things that it only likes or mentions.
    static bool stands_for(const Found& found, std::size_t part) {
        return !found.is_definite() || found.parts[part].strength >= Strength::Capability;
    }

    void add_reason(std::string& reasons, const std::string& reason) const {
        if (!reasons.empty()) reasons += i18n::text(language_, "profiles.reason_and");
        reasons += reason;
    }

    std::string reason_of(const Profile& profile, const Finding& finding, std::size_t part) const {
        const std::string ability = as_written(profile, abilities_[finding.ability]);
        const std::string& wanted =
            wanted_.empty() ? demand_.surface_demand : demand_.capability_tags[part];
        return i18n::text(language_, key_of(finding.strength),
                          {{"ability", ability}, {"wanted", preview(wanted)}});
    }

    static std::string_view key_of(Strength strength) {
        switch (strength) {
            case Strength::None:
            case Strength::Summary:
                break;
            case Strength::Interest:
                return "profiles.reason_interest";
            case Strength::Capability:
                return "profiles.reason_capability";
            case Strength::Word:
            case Strength::Part:
                return "profiles.reason_tag";
            case Strength::Exact:
                return "profiles.reason_exact";
        }
        return "profiles.reason_summary";
    }

    static std::string as_written(const Profile& profile, const std::string& folded) {
        for (const std::string& tag : profile.tags) {
            if (i18n::fold(tag) == folded) return tag;
        }
        return folded;
    }

    store::Database& reader_;
    const wire::Understanding& demand_;
    std::string_view requester_;
    std::size_t max_;
    std::string place_;  ///< folded, like the next member
    std::string date_;
    i18n::Language language_ = i18n::Language::English;
    std::vector<TagWords> wanted_;
    std::vector<TagMatch> matches_;
    std::vector<std::string> abilities_;
    std::unordered_map<std::int64_t, Found> found_;
    std::vector<const Found*> definite_;
    std::vector<const Found*> possible_;
};

}  // namespace

Result<Filtered> filter_by_rules(store::Database& reader, const wire::Understanding& demand,
                                 std::string_view requester_id, std::size_t candidates_max) {
    return Filter(reader, demand, requester_id, candidates_max).run();
}

}  // namespace a2h::collab
