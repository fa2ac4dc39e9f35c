#include "daemon/reading/cues.h"

#include <algorithm>

namespace a2h::reading {
namespace {

template <typename Test>
bool any(const std::vector<std::string>& words, Test test) {
    return std::any_of(words.begin(), words.end(), test);
}

}  // namespace

const std::array<std::string_view, static_cast<std::size_t>(Cue::kCount)> kCueNames = {
    "abbreviation",
    "ends_question",
    "ends_no_question",
    "negation",
    "no_choice_before",
    "question_verb",
    "question_subject",
    "question_opening",
    "final_particle",
    "how_much",
    "ask_opening",
    "wants_to_know",
    "topic_particle",
    "suggests",
    "alternative",
    "adds",
    "second_person",
    "own_life",
    "own_life_end",
    "telling",
    "connective",
    "back_reference",
    "object_verb",
    "weak_back_reference",
    "weak_object_verb",
    "names_asked_thing",
    "receipt_opening",
    "listed_opening",
    "age_opening",
    "past",
    "over",
    "past_opening",
    "past_ending",
    "supposes_before",
    "supposes_behind",
    "open_condition",
    "threat",
    "plain_wish",
    "obligation",
    "plan",
    "due_before",
    "due_behind",
    "due_particle",
    "calendar_unit",
    "vague",
    "more_than",
    "and_half",
    "discount_unit",
    "percent",
    "range_join",
    "unlike_currency",
    "piece",
    "not_before_number",
    "may_begin_word",
    "goes_on",
    "after_amount",
    "yearly_event",
    "reduced_by",
    "no_reduction",
    "taken_off",
    "raised_by",
    "no_increase",
    "on_top",
    "negative",
    "names_reduced_price",
    "bare_courtesy",
    "plain_offer",
    "plain_deal",
    "withdrawal",
    "agrees",
    "refuses",
    "takes_back",
    "adds_condition",
    "asks_payment",
    "tells_receipt",
    "tells_payment",
    "tells_delivery",
    "agrees_beside",
    "arranges",
    "holds_price",
    "says_no",
    "denies",
    "tells_prices",
    "part_of_price",
    "added_before",
    "added_behind",
    "below",
    "roughly",
    "in_all",
    "each_behind",
    "asks_to_confirm",
    "proposes",
    "splits",
    "label_before",
    "names_year",
    "counted_behind",
    "negates",
    "mocks",
    "finds_wrong",
    "slang_number",
    "names_money",
    "tells_sending",
    "begins_own_part",
    "demands",
    "steers",
    "depends",
    "asks_something",
    "speaks_of_price",
    "begins_request",
    "before_time",
    "hides_cue",
    "cannot",
    "price_matter",
    "definite",
    "adds_beside",
    "each_before",
    "weight",
    "piece_things",
    "before_price",
    "predicates",
    "requests",
    "answers",
};

void CueWords::add(std::string_view word) {
    words_.emplace_back(word);
    lexicon_.add(word, 1);
}

bool CueWords::is(std::string_view text) const {
    return any(words_, [&](const std::string& word) { return text == word; });
}

bool CueWords::begins(std::string_view text) const {
    return length_at(text) != 0;
}

bool CueWords::ends(std::string_view text) const {
    return any(words_, [&](const std::string& word) { return text.ends_with(word); });
}

bool CueWords::is_in(std::string_view text) const {
    return any(words_, [&](const std::string& word) { return text.find(word) != text.npos; });
}

bool CueWords::begins_word(std::string_view text) const {
    return any(words_, [&](const std::string& word) {
        return text.starts_with(word) && is_word_boundary(text, word.size());
    });
}

bool CueWords::ends_word(std::string_view text) const {
    return any(words_, [&](const std::string& word) {
        return text.ends_with(word) && is_word_boundary(text, text.size() - word.size());
    });
}

std::size_t CueWords::length_at(std::string_view text) const {
    const auto word = std::find_if(words_.begin(), words_.end(), [&](const std::string& candidate) {
        return text.starts_with(candidate);
    });
    return word == words_.end() ? 0 : word->size();
}

std::size_t CueWords::find_apart(std::string_view text, std::size_t from) const {
    for (const std::string& word : words_) {
        const std::size_t at = reading::find_apart(text, word, from);
        if (at != text.npos) return at;
    }
    return std::string_view::npos;
}

std::size_t find_apart(std::string_view text, std::string_view word, std::size_t from) {
    if (!begins_latin(word.front())) return text.find(word, from);
    for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if (at > from && text[at - 1] == ' ' && end < text.size() && text[end] == ' ') return at;
    }
    return std::string_view::npos;
}

}  // namespace a2h::reading
