#include "daemon/reading/quantities.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::reading {
namespace {

/// The clause of `number`.
const Clause* clause_of(const Reading& reading, const NumberMention& number) {
    const auto clause =
        std::find_if(reading.clauses.begin(), reading.clauses.end(),
                     [&](const Clause& candidate) { return candidate.end >= number.end; });
    return clause == reading.clauses.end() ? nullptr : &*clause;
}

/// "I'm 34", 30岁生日, "6 years of experience": facts of the peer's life without a question or
/// wish.
bool is_age(const Reading& reading, const NumberMention& number, const Vocabulary& vocabulary) {
    const std::string_view before = std::string_view(reading.text).substr(0, number.begin);
    if (number.kind == NumberKind::Bare && number.digits.size() <= 2) {
        if (before.ends_with(' ') &&
            vocabulary.cues[Cue::AgeOpening].ends_word(before.substr(0, before.size() - 1)))
            return true;
    }
    if ((number.unit & vocabulary.years) == 0) return false;
    const Clause* clause = clause_of(reading, number);
    return clause != nullptr && !clause->is_question && clause->facts == 0 &&
           (clause->lists & vocabulary.known[Role::Wants]) == 0;
}

/// "I have 90 minutes of footage": says how much exists, not how much is wanted.
bool is_stated(const Reading& reading, const NumberMention& number) {
    const Clause* clause = clause_of(reading, number);
    return clause != nullptr && !clause->is_wish && (clause->is_statement || !clause->is_question);
}

/// "There are three of us": a number that no listing counts, where a peer tells about its life.
bool is_of_own_life(const Reading& reading, const NumberMention& number,
                    const Knowledge& knowledge) {
    const Clause* clause = clause_of(reading, number);
    return clause != nullptr && clause->is_own_life &&
           (number.unit == 0 || !knowledge.states_unit(number.unit));
}

}  // namespace

bool is_unknown_quantity(const Reading& reading, const NumberMention& number,
                         const Knowledge& knowledge, const Vocabulary& vocabulary) {
    if (number.kind == NumberKind::Money || is_age(reading, number, vocabulary)) return false;
    if (is_of_own_life(reading, number, knowledge)) return false;
    const bool is_word =
        std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
            return word.begin <= number.begin && number.end <= word.end;
        });
    const bool is_bare = number.kind == NumberKind::Bare;
    if (is_word && is_bare && reading.words.size() > 1) return false;
    // "3Q" is a word.
    const bool is_in_word =
        number.unit == 0 && !is_bare &&
        std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
            return word.begin <= number.begin && number.end < word.end &&
                   is_word_boundary(reading.text, word.end) &&
                   !is_word_boundary(reading.text, number.end);
        });
    if (is_in_word) return false;
    const std::string_view written =
        std::string_view(reading.text).substr(number.begin, number.end - number.begin);
    return !knowledge.covers(number, written) &&
           !(is_stated(reading, number) && knowledge.covers_minutes(number));
}

}  // namespace a2h::reading
