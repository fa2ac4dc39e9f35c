#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/i18n/messages.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// Part of a text between two marks of punctuation.
struct Clause {
    std::size_t begin = 0;
    std::size_t end = 0;
    ListSet lists = 0;
    FactSet facts = 0;            ///< asked for here
    bool is_question = false;     ///< by its words
    bool ends_with_mark = false;  ///< by "?"
    bool ends_with_stop = false;  ///< by "." or "!"
    bool is_aside = false;        ///< tells of others, or what is not wanted
    bool is_told = false;         ///< tells something, see `find_roles`
    bool is_wish = false;         ///< tells what is wanted
    bool is_own_life = false;     ///< tells of the peer's own life
    bool is_opened = false;       ///< `is_own_life` by its own words
    std::size_t sentence = 0;     ///< index: clauses of one sentence share it
};

/// A text as the rules see it. Pure data; refers to nothing.
struct Reading {
    std::string text;  ///< comparable
    std::vector<WordMatch> words;
    std::vector<NumberMention> numbers;
    std::vector<Clause> clauses;
    ListSet lists = 0;
    FactSet facts = 0;
    bool is_readable = true;    ///< UTF-8, Latin and Han letters only
    bool has_letters = false;   ///< else nobody can tell the language
    bool refers_back = false;   ///< asks about what it told before: "do you teach that?"
    bool is_corrected = false;  ///< `text` has words that the peer misspelt
    i18n::Language language = i18n::Language::English;
};

/// Whose text it is. Peers set letters apart to make a word stand out ("p r i c e"); in what we
/// would send, that hides one, and the review must see it as it stands.
enum class Writer { We, Peer };

Reading read_text(std::string_view text, const Vocabulary& vocabulary, Writer writer = Writer::We);

/// The words of `reading` that begin in `clause`.
std::span<const WordMatch> words_in(const Reading& reading, const Clause& clause);
std::span<WordMatch> words_in(Reading& reading, const Clause& clause);

/// True when `clause` holds nothing but words of `lists`, punctuation and emoji.
bool is_covered_by(const Reading& reading, const Clause& clause, ListSet lists);

/// Words (Latin) and runs (Han) of `clause` that belong to no list and no number.
std::vector<std::string_view> unknown_words(const Reading& reading, const Clause& clause);

}  // namespace a2h::reading
