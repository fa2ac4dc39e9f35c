#include "daemon/decide/reading.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

enum class Mark { None, Clause, Sentence, Question };

bool is_digit_at(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
}

Mark mark_at(std::string_view text, std::size_t i) {
    switch (code_point_at(text, i)) {
        case '?':
        case 0x2049:
            return Mark::Question;
        case '!':
        case ';':
        case '\n':
        case 0x3002:
            return Mark::Sentence;
        case '.':
            return is_digit_at(text, i + 1) ? Mark::None : Mark::Sentence;
        case ',':
            return is_digit_at(text, i + 1) && i > 0 && is_digit_at(text, i - 1) ? Mark::None
                                                                                 : Mark::Clause;
        case 0x3001:
        case '~':
            return Mark::Clause;
        default:
            return Mark::None;
    }
}

std::vector<Clause> split(std::string_view text) {
    std::vector<Clause> clauses;
    Clause clause;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const Mark mark = mark_at(text, i);
        clause.end = i + code_point_length(text, i);
        if (mark == Mark::None) continue;
        clause.end = i;
        clause.ends_with_mark = mark == Mark::Question;
        const std::size_t sentence = clause.sentence + (mark == Mark::Clause ? 0 : 1);
        if (clause.end > clause.begin || clause.ends_with_mark) clauses.push_back(clause);
        clause = Clause();
        clause.begin = clause.end = i + code_point_length(text, i);
        clause.sentence = sentence;
    }
    if (clause.end > clause.begin) clauses.push_back(clause);
    return clauses;
}

bool is_latin_letter(char32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7);
}

/// Letters of a script that no rule can read: kana, Hangul, Cyrillic, Arabic and so on. Symbols,
/// punctuation and emoji are none.
bool is_other_letter(char32_t c) {
    if (c < 0x250 || is_han(c)) return false;
    if (c >= 0x2000 && c <= 0x2BFF) return false;    // punctuation, currency, arrows, symbols
    if (c >= 0x3000 && c <= 0x303F) return false;    // CJK punctuation
    if (c >= 0xFE10 && c <= 0xFE6F) return false;    // forms of punctuation
    if (c >= 0x1F000 && c <= 0x1FAFF) return false;  // emoji
    return c != 0xFFFD;
}

struct Letters {
    std::size_t latin_words = 0;
    std::size_t han = 0;
    std::size_t other = 0;
};

Letters count_letters(std::string_view text) {
    Letters letters;
    bool in_word = false;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const char32_t c = code_point_at(text, i);
        const bool is_latin = is_latin_letter(c);
        if (is_latin && !in_word) ++letters.latin_words;
        in_word = is_latin || (in_word && c == '\'');
        if (is_han(c)) ++letters.han;
        if (is_other_letter(c)) ++letters.other;
    }
    return letters;
}

/// The first word that ends behind `position`; ends grow along `words`.
std::vector<WordMatch>::const_iterator first_word_after(const Reading& reading,
                                                        std::size_t position) {
    return std::partition_point(reading.words.begin(), reading.words.end(),
                                [&](const WordMatch& word) { return word.end <= position; });
}

/// 你是上海的不: a question by its last character. 还没 is none, nor is 没 alone.
bool ends_like_a_question(std::string_view clause) {
    constexpr std::size_t kBytesMin = 9;  // three characters
    const std::string_view text = trim(clause);
    if (text.size() < kBytesMin) return false;
    if (text.ends_with("不")) return true;
    return text.ends_with("没") && !text.ends_with("还没") && !text.ends_with("都没") &&
           !text.ends_with("也没");
}

void read_clause(Reading& reading, Clause& clause, const RuleSet::Impl& playbook) {
    for (auto word = first_word_after(reading, clause.begin);
         word != reading.words.end() && word->begin < clause.end; ++word) {
        clause.lists |= word->lists;
    }
    for (std::size_t list = 0; list < playbook.list_facts.size(); ++list) {
        if ((clause.lists >> list & 1U) != 0) clause.facts |= playbook.list_facts[list];
    }
    clause.is_question =
        clause.ends_with_mark || (clause.lists & playbook.known.question) != 0 ||
        ends_like_a_question(
            std::string_view(reading.text).substr(clause.begin, clause.end - clause.begin));
    reading.facts |= clause.facts;
}

void correct_spelling(Reading& reading, const RuleSet::Impl& playbook) {
    std::string corrected;
    std::size_t copied_to = 0;
    for (const Clause& clause : reading.clauses) {
        for (const std::string_view word : unknown_words(reading, clause)) {
            // "edit" is a word of listings, not "edits" with a letter missing.
            if (playbook.topics.longest_at(word, 0).end == word.size()) continue;
            const std::string right = playbook.spelling.correct(word);
            if (right.empty()) continue;
            const auto at = static_cast<std::size_t>(word.data() - reading.text.data());
            corrected += reading.text.substr(copied_to, at - copied_to) + right;
            copied_to = at + word.size();
        }
    }
    if (copied_to == 0) return;
    reading.text = corrected + reading.text.substr(copied_to);
    reading.is_corrected = true;
}

/// What may be said of others, or be waived, without being meant as such here.
ListSet not_meant(const Clause& clause, const KnownLists& known) {
    if ((clause.lists & known.others) != 0) return known.trouble | known.paid | known.payment;
    return known.haggle | known.payment | known.terms | known.outside | known.offer;
}

/// "No need for a discount", 发票都不用, "the last designer refused to change anything": words of
/// a clause that neither ask for anything nor report what happened here. In English what is waived
/// follows, up to where the speaker begins anew.
void drop_not_meant(Reading& reading, Clause& clause, const KnownLists& known) {
    const ListSet marks = known.waived | known.others;
    if ((clause.lists & marks) == 0 || clause.is_question) return;
    const auto begin =
        std::partition_point(reading.words.begin(), reading.words.end(),
                             [&](const WordMatch& word) { return word.end <= clause.begin; });
    const auto end = std::find_if(begin, reading.words.end(),
                                  [&](const WordMatch& word) { return word.begin >= clause.end; });
    const auto mark =
        std::find_if(begin, end, [&](const WordMatch& word) { return (word.lists & marks) != 0; });
    const ListSet dropped = not_meant(clause, known);
    const bool is_before_too = static_cast<unsigned char>(reading.text[mark->begin]) >= 0x80;
    for (auto word = is_before_too ? begin : mark + 1; word != end; ++word) {
        if (word > mark && (word->lists & known.first_person) != 0) break;
        word->lists &= ~dropped;
    }
    clause.is_aside = true;
    clause.lists = 0;
    std::for_each(begin, end, [&](const WordMatch& word) { clause.lists |= word.lists; });
}

void find_parts(Reading& reading, const RuleSet::Impl& playbook) {
    reading.words = playbook.lexicon.find(reading.text);
    reading.numbers = find_numbers(reading.text, playbook.money);
    reading.clauses = split(reading.text);
}

}  // namespace

Reading read_text(std::string_view text, const RuleSet::Impl& playbook) {
    Reading reading;
    reading.text = playbook.lexicon.comparable(text);
    find_parts(reading, playbook);
    correct_spelling(reading, playbook);
    if (reading.is_corrected) find_parts(reading, playbook);
    for (Clause& clause : reading.clauses) {
        read_clause(reading, clause, playbook);
        drop_not_meant(reading, clause, playbook.known);
    }
    for (const WordMatch& word : reading.words) {
        reading.lists |= word.lists;
    }
    const Letters letters = count_letters(reading.text);
    reading.is_readable = letters.other == 0 && is_utf8(text);
    reading.has_letters = letters.han > 0 || letters.latin_words > 0;
    reading.language = letters.han > 0 && letters.han >= letters.latin_words
                           ? i18n::Language::Chinese
                           : i18n::Language::English;
    return reading;
}

namespace {

/// Calls `visit(begin, end)` for the parts of `clause` outside all words of `lists`.
template <typename Visit>
void for_gaps(const Reading& reading, const Clause& clause, ListSet lists, Visit visit) {
    std::size_t from = clause.begin;
    for (auto word = first_word_after(reading, from);
         word != reading.words.end() && word->begin < clause.end; ++word) {
        if (word->end <= from || (word->lists & lists) == 0) continue;
        if (word->begin > from) visit(from, word->begin);
        from = word->end;
    }
    if (from < clause.end) visit(from, clause.end);
}

bool is_letter_or_digit(char32_t c) {
    return is_latin_letter(c) || is_han(c) || is_other_letter(c) || (c >= '0' && c <= '9');
}

bool is_in_number(const Reading& reading, std::size_t position) {
    const auto number = std::partition_point(
        reading.numbers.begin(), reading.numbers.end(),
        [&](const NumberMention& candidate) { return candidate.end <= position; });
    return number != reading.numbers.end() && number->begin <= position;
}

}  // namespace

bool is_covered_by(const Reading& reading, const Clause& clause, ListSet lists) {
    bool covered = true;
    for_gaps(reading, clause, lists, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i += code_point_length(reading.text, i)) {
            if (is_letter_or_digit(code_point_at(reading.text, i))) covered = false;
        }
    });
    return covered;
}

std::vector<std::string_view> unknown_words(const Reading& reading, const Clause& clause) {
    const std::string_view text = reading.text;
    std::vector<std::string_view> unknown;
    for_gaps(reading, clause, ~ListSet{0}, [&](std::size_t begin, std::size_t end) {
        std::size_t word = begin;
        char32_t previous = 0;
        for (std::size_t i = begin; i <= end;) {
            const char32_t c = i < end ? code_point_at(text, i) : 0;
            const bool goes_on = i < end && is_letter_or_digit(c) && !is_in_number(reading, i) &&
                                 (i == word || is_han(c) == is_han(previous));
            if (!goes_on && i > word) unknown.push_back(text.substr(word, i - word));
            if (i == end) break;
            const std::size_t length = code_point_length(text, i);
            if (!goes_on) {
                const bool starts = is_letter_or_digit(c) && !is_in_number(reading, i);
                word = starts ? i : i + length;
            }
            previous = c;
            i += length;
        }
    });
    return unknown;
}

}  // namespace a2h::decide
