#include "cli/demo/cast.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

struct Part {
    std::string_view contribution_key;
    std::int64_t price_minor;
    bool has_mandate;
};

struct Trade {
    std::string_view tag_key;
    bool travels;
    std::span<const Part> parts;
};

// Together they exceed the demo's budget. Without the more expensive room they are within it, even
// if the planner gets the higher price.
constexpr std::array kVenues{Part{"demo.party_room", 180'000, true},
                             Part{"demo.party_hall", 260'000, true}};
constexpr std::array kTalks{Part{"demo.party_talk", 0, true},
                            Part{"demo.party_trial", 70'000, true},
                            Part{"demo.party_questions", 50'000, true}};
constexpr std::array kPlans{Part{"demo.party_planning", 150'000, false}};
constexpr std::array kMeals{Part{"demo.party_buffet", 120'000, true}};

constexpr std::array<Trade, 5> kTrades{{{"demo.tag_venue", false, kVenues},
                                        {"demo.tag_speaker", true, kTalks},
                                        {"demo.tag_planning", false, kPlans},
                                        {"demo.tag_food", false, kMeals},
                                        {"demo.tag_photographer", false, {}}}};

bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](char each) { return static_cast<unsigned char>(each) < 0x80; });
}

/// The market assigns its own id.
std::string published(json profile) {
    profile.erase("agent_id");
    return profile.dump();
}

bool has_tag(const json& profile, const std::string& tag) {
    const auto tags = items_of(profile, "tags");
    return std::find(tags.begin(), tags.end(), json(tag)) != tags.end();
}

}  // namespace

Cast cast_for_party(const json& profiles, i18n::Language language) {
    const bool is_chinese = language == i18n::Language::Chinese;
    const std::string city = i18n::text(language, "demo.city");
    std::array<std::size_t, kTrades.size()> given{};
    Cast cast;
    for (const json& profile : profiles) {
        Person person{text_of(profile, "user_name"), text_of(profile, "location"),
                      published(profile)};
        if (is_ascii(person.name) == is_chinese) continue;
        Character character{.person = std::move(person), .contribution = {}};
        bool is_called = false;
        for (std::size_t i = 0; i < kTrades.size() && !character.takes_part(); ++i) {
            const Trade& trade = kTrades[i];
            if (!has_tag(profile, i18n::text(language, trade.tag_key))) continue;
            is_called = true;
            const bool can_come =
                trade.travels || character.person.location.find(city) != std::string::npos;
            if (!can_come || given[i] == trade.parts.size()) continue;
            const Part& part = trade.parts[given[i]++];
            character.contribution = i18n::text(language, part.contribution_key);
            character.price_minor = part.price_minor;
            character.has_mandate = part.has_mandate;
        }
        if (is_called) {
            cast.called.push_back(std::move(character));
        } else {
            cast.others.push_back(std::move(character.person));
        }
    }
    return cast;
}

std::int64_t party_seed(i18n::Language language) {
    return language == i18n::Language::Chinese ? 3204 : 2968;
}

}  // namespace a2h::cli
