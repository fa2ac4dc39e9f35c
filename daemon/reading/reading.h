#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/i18n/messages.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// The part of a text between two punctuation marks.
struct Clause {
    std::size_t begin = 0;
    std::size_t end = 0;
    ListSet lists = 0;
    FactSet facts = 0;            ///< facts that it asks for
    bool is_question = false;     ///< because of its words
    bool ends_with_mark = false;  ///< ends with "?"
    bool ends_with_stop = false;  ///< ends with "." or "!"
    bool is_aside = false;        ///< is about others, or about what is not wanted
    bool is_statement = false;    ///< tells something, see `find_roles`
    bool is_wish = false;         ///< says what is wanted
    bool is_own_life = false;     ///< tells about the peer's own life
    bool is_opened = false;       ///< `is_own_life` because of its own words
    std::size_t sentence = 0;     ///< index of its sentence, which several clauses share
};

/// A text as rules see it. Plain data without references.
struct Reading {
    std::string text;  ///< comparable
    std::vector<WordMatch> words;
    std::vector<NumberMention> numbers;
    std::vector<Clause> clauses;
    ListSet lists = 0;
    FactSet facts = 0;
    bool is_readable = true;    ///< UTF-8, all letters Latin, Han or in known words
    bool has_letters = false;   ///< if false, the language is unknown
    bool refers_back = false;   ///< refers to something said before: "do you teach that?"
    bool is_corrected = false;  ///< `text` contains corrected spelling errors
    i18n::Language language = i18n::Language::English;
};

/// The author of the text. Peers write letters apart for emphasis ("p r i c e"); in our own texts
/// this would hide a word, so the review must see the text as it is.
enum class Writer { We, Peer };

Reading read_text(std::string_view text, const Vocabulary& vocabulary, Writer writer = Writer::We);

/// The words of `reading` that begin in `clause`.
std::span<const WordMatch> words_in(const Reading& reading, const Clause& clause);
std::span<WordMatch> words_in(Reading& reading, const Clause& clause);

/// True if `clause` contains only words of `lists`, punctuation and emoji.
bool is_covered_by(const Reading& reading, const Clause& clause, ListSet lists);

/// Words (Latin) and runs (Han) of `clause` that belong to no list and no number.
std::vector<std::string_view> unknown_words(const Reading& reading, const Clause& clause);

}  // namespace a2h::reading
