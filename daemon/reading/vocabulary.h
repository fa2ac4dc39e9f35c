#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/reading/amounts.h"
#include "daemon/reading/cues.h"
#include "daemon/reading/lexicon.h"
#include "daemon/reading/roles.h"
#include "daemon/reading/spelling.h"

namespace a2h::reading {

/// The facts that a peer may ask for and a listing states. A list asks for one of them by `fact`.
enum class Fact { Price, Method, Location, Availability, Overview };
constexpr std::array<std::string_view, 5> kFactNames = {"price", "method", "location",
                                                        "availability", "overview"};
using FactSet = unsigned;
constexpr FactSet bit(Fact fact) {
    return 1U << static_cast<unsigned>(fact);
}

constexpr std::array<std::string_view, 2> kLanguageNames = {"en", "zh"};

/// All words with which texts are read, in comparable form. The data is in playbooks/reading and
/// playbooks/trades. Immutable after reading; any thread.
struct Vocabulary {
    Lexicon lexicon;
    Cues cues;
    MoneyWords money;
    Lexicon topics;           ///< words with the same meaning; `lists` is the number of their group
    ListSet topic_count = 0;  ///< number of groups in `topics`
    Lexicon evidence;         ///< words with which a listing answers what a list asks, by its bit
    ListSet needs_evidence = 0;  ///< lists with words in `evidence`
    Spelling spelling;
    std::vector<std::string> list_names;
    std::vector<FactSet> list_facts;  ///< for each list, the facts that its words ask for
    ListSet fact_lists = 0;           ///< lists that ask for a fact
    RoleLists known;                  ///< the lists of each role
    ListSet years = 0;                ///< the unit of ages
    ListSet hours = 0;                ///< the unit of hours
    ListSet minutes = 0;              ///< the unit of minutes
    std::string version;  ///< identifies everything that was read: 16 hexadecimal digits
};

/// The built-in words of all trades. Reviews and drafts use them whatever words the rules use, so
/// that no edited vocabulary can weaken them.
///
/// Thread:  any.
const Vocabulary& built_in_vocabulary();

/// The names of the bits in `set`.
template <typename Names>
std::vector<std::string> names_in(std::uint64_t set, const Names& names) {
    std::vector<std::string> found;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if ((set >> k & 1U) != 0) found.emplace_back(names[k]);
    }
    return found;
}

}  // namespace a2h::reading
