#include "daemon/decide/said.h"

#include <algorithm>

namespace a2h::decide {

std::size_t end_of_cue(const Said& said, Cue cue, std::size_t position) {
    if (!is_word_boundary(said.reading.text, position)) return position;
    return std::max(position,
                    said.vocabulary.cues[cue].longest_at(said.reading.text, position).end);
}

bool contains(const Said& said, Cue cue, const Clause& clause) {
    const std::string_view text = said.reading.text;
    std::size_t hidden = clause.begin;  // inside a word that hides cues
    for (std::size_t i = clause.begin; i < clause.end; i += code_point_length(text, i)) {
        const std::size_t end = end_of_cue(said, cue, i);
        if (end > i && i >= hidden && end >= end_of_cue(said, Cue::HidesCue, i)) return true;
        hidden = std::max(hidden, end_of_cue(said, Cue::HidesCue, i));
    }
    return false;
}

bool ends_before(const Said& said, Cue cue, std::size_t position) {
    const std::string_view glued = std::string_view(said.reading.text).substr(0, position);
    std::string_view apart = glued;
    if (apart.ends_with(' ')) apart.remove_suffix(1);
    const auto& words = said.vocabulary.cues[cue].all();
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        if (!begins_latin(word.front())) return glued.ends_with(word);
        return apart.ends_with(word) && is_word_boundary(apart, apart.size() - word.size());
    });
}

bool begins_behind(const Said& said, Cue cue, std::size_t position) {
    const std::string_view text = said.reading.text;
    const bool is_apart = position + 1 < text.size() && text[position] == ' ';
    if (is_apart && begins_latin(text[position + 1])) ++position;
    return position < text.size() && end_of_cue(said, cue, position) > position;
}

namespace {

/// "How much", "and do you": one of the first words makes the question. "What" in "not what I had
/// in mind" does not.
bool begins_as_question(const Said& said, const Clause& clause) {
    constexpr int kWordsMax = 3;
    const std::string_view text = said.reading.text;
    int word = 0;
    for (std::size_t i = clause.begin; i < clause.end && word < kWordsMax; ++i) {
        if (!begins_latin(text[i]) || !is_word_boundary(text, i)) continue;
        ++word;
        const bool opens = end_of_cue(said, Cue::QuestionOpening, i) > i ||
                           end_of_cue(said, Cue::QuestionVerb, i) > i;
        const bool is_first = word == 1;
        for (const WordMatch& each : words_in(said.reading, clause)) {
            const bool makes_question = (each.lists & said.vocabulary.known[Role::Asks]) != 0;
            if (each.begin == i && makes_question) return true;
        }
        if (opens && is_first) return true;
    }
    return false;
}

}  // namespace

bool asks(const Said& said, const Clause& clause) {
    if (clause.ends_with_mark || contains(said, Cue::AsksSomething, clause)) return true;
    if (!clause.is_question) return false;
    if (said.reading.language == i18n::Language::English) return begins_as_question(said, clause);
    return !says_only(said, Cue::SaysNo, clause);
}

bool asks_anything(const Said& said) {
    const auto& clauses = said.reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return asks(said, clause); });
}

bool states(const Said& said, Cue cue) {
    const auto& clauses = said.reading.clauses;
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return !asks(said, clause) && contains(said, cue, clause);
    });
}

bool says_only(const Said& said, Cue cue, const Clause& clause) {
    const std::string_view text = said.reading.text;
    bool says = false;
    for (std::size_t i = clause.begin; i < clause.end;) {
        const std::size_t end = end_of_cue(said, cue, i);
        const std::size_t beside = end_of_cue(said, Cue::BareCourtesy, i);
        if (end == i && beside == i && text[i] != ' ') return false;
        says = says || end > i;
        i = std::max({end, beside, i + 1});
    }
    return says;
}

std::vector<NumberMention> numbers_in(const Said& said, const Clause& clause) {
    std::vector<NumberMention> numbers;
    const auto take = [&](const NumberMention& number) {
        if (number.begin >= clause.begin && number.begin < clause.end) numbers.push_back(number);
    };
    std::for_each(said.reading.numbers.begin(), said.reading.numbers.end(), take);
    std::for_each(said.spelled.begin(), said.spelled.end(), take);
    return numbers;
}

bool is_price_of(const std::optional<StandingOffer>& offer, const Money& money) {
    return offer && offer->terms.price == money;
}

}  // namespace a2h::decide
