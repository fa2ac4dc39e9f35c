#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"

namespace a2h::cli {

/// Somebody who has published a profile.
struct Person {
    std::string name;
    std::string location;
    std::string profile_json;  ///< to publish
};

/// Somebody who has a trade that the demo's party needs.
struct Character {
    Person person;
    std::string contribution;      ///< what they bring; empty: they decline every invitation
    std::int64_t price_minor = 0;  ///< CNY; 0: nothing
    bool has_mandate = false;      ///< joins for them; a plan, which is words, is always asked

    bool takes_part() const { return !contribution.empty(); }
    bool joins_in_person() const { return takes_part() && !has_mandate; }
};

struct Cast {
    std::vector<Character> called;
    std::vector<Person> others;  ///< everybody else
};

/// Gives the parts of the demo to those of `profiles`, a list of the generator's, who speak
/// `language`: venues, food and planning to people of the city, talks to anybody, nothing to
/// photographers, so that a gap is left. The first ones get the parts. Thread: any.
Cast cast_for_party(const nlohmann::json& profiles, i18n::Language language);

/// A seed of the generator whose hundred people fill every part, at most twenty of them called.
std::int64_t party_seed(i18n::Language language);

}  // namespace a2h::cli
