#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"

namespace a2h::cli {

/// A person with a published profile.
struct Person {
    std::string name;
    std::string location;
    std::string profile_json;  ///< to publish
};

/// A person with a trade that the demo's party needs.
struct Character {
    Person person;
    std::string contribution;      ///< what they offer; empty: they decline every invitation
    std::int64_t price_minor = 0;  ///< in CNY; 0: free
    bool has_mandate =
        false;  ///< it approves joining; a plan contains words, so it is always asked about

    bool takes_part() const { return !contribution.empty(); }
    bool joins_in_person() const { return takes_part() && !has_mandate; }
};

struct Cast {
    std::vector<Character> called;
    std::vector<Person> others;  ///< all other people
};

/// Distributes the parts of the demo among those of `profiles`, a list of the generator's, who
/// speak `language`: venues, food and planning to people of the city, talks to anybody, and nothing
/// to photographers, so that a gap is left. The first suitable ones get the parts.
///
/// Thread:  any.
Cast cast_for_party(const nlohmann::json& profiles, i18n::Language language);

/// A seed with which the generator's hundred people fill every part, with at most twenty of them
/// invited.
std::int64_t party_seed(i18n::Language language);

}  // namespace a2h::cli
