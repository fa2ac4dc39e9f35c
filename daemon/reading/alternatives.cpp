#include "daemon/reading/alternatives.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/reading/listed_words.h"

namespace a2h::reading {
namespace {

/// "Do you want a shop as well": in addition, not instead.
bool adds(const Reading& reading, const Clause& side, const Vocabulary& vocabulary) {
    const std::string_view text =
        std::string_view(reading.text).substr(side.begin, side.end - side.begin);
    return vocabulary.cues[Cue::Adds].is_in(text);
}

/// True if the side contains only what listings state and names something that they can answer: of
/// "unlimited or is there a cap" the second side.
bool is_listed(const Reading& reading, const Clause& side, const Clause& other,
               const Knowledge& knowledge, const Vocabulary& vocabulary) {
    const auto words = words_in(reading, side);
    return !says_unknown(reading, side, knowledge, vocabulary) &&
           std::none_of(words.begin(), words.end(),
                        [&](const WordMatch& word) {
                            return is_of(word, vocabulary.known[Role::Outside] |
                                                   vocabulary.known[Role::Terms]);
                        }) &&
           !adds(reading, other, vocabulary) &&
           (names_something(reading, side, knowledge, vocabulary) ||
            names_something(reading, other, knowledge, vocabulary));
}

/// The byte ranges of "or" and 还是 that separate alternatives.
std::vector<std::pair<std::size_t, std::size_t>> alternatives_in(const Reading& reading,
                                                                 const Clause& clause,
                                                                 const Vocabulary& vocabulary) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const WordMatch& word : words_in(reading, clause)) {
        if (is_of(word, vocabulary.known[Role::Alternative]) && word.end <= clause.end)
            places.emplace_back(word.begin, word.end);
    }
    // A longer word may contain it: "in a studio or".
    if (!places.empty()) return places;
    const std::string_view text = std::string_view(reading.text).substr(0, clause.end);
    for (const std::string_view word : vocabulary.cues[Cue::Alternative].all()) {
        const std::size_t at = find_apart(text, word, clause.begin);
        if (at != text.npos) places.emplace_back(at, at + word.size());
    }
    return places;
}

/// The clause asks nothing any more.
void settle(Reading& reading, Clause& clause, const Vocabulary& vocabulary) {
    drop_unchosen(reading, clause, Clause(), vocabulary);
    clause.is_question = false;
    clause.is_aside = clause.is_statement = true;
}

}  // namespace

Clause known_side(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const Vocabulary& vocabulary) {
    if (!clause.is_question) return clause;
    for (const auto& [begin, end] : alternatives_in(reading, clause, vocabulary)) {
        Clause left = clause;
        Clause right = clause;
        left.end = begin;
        right.begin = end;
        const bool is_left_listed = is_listed(reading, left, right, knowledge, vocabulary);
        if (is_left_listed == is_listed(reading, right, left, knowledge, vocabulary)) continue;
        return is_left_listed ? left : right;
    }
    return clause;
}

void drop_unchosen(Reading& reading, const Clause& clause, const Clause& side,
                   const Vocabulary& vocabulary) {
    for (WordMatch& word : words_in(reading, clause)) {
        if (word.begin >= side.begin && word.end <= side.end) continue;
        word.lists &= ~(vocabulary.known[Role::Terms] | vocabulary.known[Role::Outside]);
        if (word.lists == 0) word.lists = vocabulary.known[Role::Plain];
    }
}

void settle_alternatives(Reading& reading, const Knowledge& knowledge,
                         const Vocabulary& vocabulary) {
    if ((reading.lists & vocabulary.known[Role::Alternative]) == 0) return;
    for (std::size_t k = 1; k < reading.clauses.size(); ++k) {
        Clause& right = reading.clauses[k];
        Clause& left = reading.clauses[k - 1];
        const auto words = words_in(reading, right);
        const bool is_asked = right.is_question || right.ends_with_mark;
        if (words.empty() || !is_asked) continue;
        if (!is_of(words.front(), vocabulary.known[Role::Alternative])) {
            const Clause side = known_side(reading, right, knowledge, vocabulary);
            const bool explains = left.sentence == right.sentence &&
                                  side.end - side.begin < right.end - right.begin &&
                                  (left.is_question || left.facts != 0);
            if (!explains) continue;
            settle(reading, left, vocabulary);
            right.facts |= bit(Fact::Overview);
        } else {
            bool is_left_listed = is_listed(reading, left, right, knowledge, vocabulary);
            bool is_right_listed = is_listed(reading, right, left, knowledge, vocabulary);
            if (is_left_listed && is_right_listed) {
                is_left_listed = names_something(reading, left, knowledge, vocabulary);
                is_right_listed = names_something(reading, right, knowledge, vocabulary);
                if (is_left_listed && is_right_listed) is_right_listed = false;
            }
            if (is_left_listed == is_right_listed) continue;
            (is_left_listed ? left : right).facts |= bit(Fact::Overview);
            settle(reading, is_left_listed ? right : left, vocabulary);
        }
        reading.facts |= bit(Fact::Overview);
    }
}

}  // namespace a2h::reading
