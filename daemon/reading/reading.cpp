#include "daemon/reading/reading.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::reading {
namespace {

enum class Mark { None, Clause, Sentence, Question };

bool is_digit_at(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
}

/// 手机没电了 见谅: between Han characters a space acts as a comma; " - " does in any text.
bool parts_at(std::string_view text, std::size_t space) {
    constexpr std::size_t kHanBytes = 3;
    if (text.substr(space).starts_with(" - ")) return true;
    const bool is_between = space >= kHanBytes && space + kHanBytes < text.size() &&
                            static_cast<signed char>(text[space - 1]) < 0 &&
                            static_cast<signed char>(text[space + 1]) < 0;
    return is_between && is_han(code_point_at(text, space - kHanBytes)) &&
           is_han(code_point_at(text, space + 1));
}

Mark mark_at(std::string_view text, std::size_t i, const Cues& cues) {
    if (text[i] == ' ') return parts_at(text, i) ? Mark::Clause : Mark::None;
    const char32_t c = code_point_at(text, i);
    if (c >= 0x1F300 && c <= 0x1FAFF) return Mark::Clause;  // emoji
    switch (c) {
        case '?':
        case 0x2049:
            return Mark::Question;
        case '!':
        case ';':
        case '\n':
        case 0x3002:
            return Mark::Sentence;
        case '.':
            // "etc." and the like end no sentence.
            if (is_digit_at(text, i + 1) || cues[Cue::Abbreviation].ends_word(text.substr(0, i)))
                return Mark::None;
            return Mark::Sentence;
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

std::vector<Clause> split(std::string_view text, const Cues& cues) {
    std::vector<Clause> clauses;
    Clause clause;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const Mark mark = mark_at(text, i, cues);
        clause.end = i + code_point_length(text, i);
        if (mark == Mark::None) continue;
        clause.end = i;
        clause.ends_with_mark = mark == Mark::Question;
        clause.ends_with_stop = text[i] == '.' || text[i] == '!';
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

/// Letters of a script that rules cannot read: kana, Hangul, Cyrillic, Arabic and so on; not
/// symbols, punctuation and emoji.
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

/// The first word that ends after `position`. The ends in `words` are ascending.
std::vector<WordMatch>::const_iterator first_word_after(const Reading& reading,
                                                        std::size_t position) {
    return std::partition_point(reading.words.begin(), reading.words.end(),
                                [&](const WordMatch& word) { return word.end <= position; });
}

/// True if all letters that are neither Latin nor Han are in known words, such as こんにちは.
bool knows_other_letters(const Reading& reading) {
    const std::string_view text = reading.text;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        if (!is_other_letter(code_point_at(text, i))) continue;
        const auto word = first_word_after(reading, i);
        if (word == reading.words.end() || word->begin > i) return false;
    }
    return true;
}

/// 算不算, 有没有: the same character on both sides of a negation.
bool has_a_not_a(std::string_view clause, const Cues& cues) {
    for (const std::string_view negation : cues[Cue::Negation].all()) {
        for (std::size_t at = clause.find(negation); at != clause.npos;
             at = clause.find(negation, at + negation.size())) {
            const std::size_t end = at + negation.size();
            if (at < 3 || end + 3 > clause.size()) continue;
            const std::string_view before = clause.substr(at - 3, 3);
            if (cues[Cue::NoChoiceBefore].ends(clause.substr(0, at))) continue;
            if (before == clause.substr(end, 3) && is_han(code_point_at(before, 0))) return true;
        }
    }
    return false;
}

/// 你是上海的不: the last character makes a question. 还没 does not, nor does 没 alone.
bool ends_like_a_question(std::string_view clause, const Cues& cues) {
    constexpr std::size_t kBytesMin = 9;  // three characters
    const std::string_view text = trim(clause);
    if (text.size() < kBytesMin) return false;
    if (has_a_not_a(text, cues)) return true;
    return cues[Cue::EndsQuestion].ends(text) && !cues[Cue::EndsNoQuestion].ends(text);
}

/// "Is it online", without a mark: in English a verb before its subject makes a question.
bool begins_like_a_question(std::string_view clause, const Cues& cues) {
    const std::string_view text = trim(clause);
    if (cues[Cue::QuestionOpening].begins_word(text)) return true;
    const std::size_t space = text.find(' ');
    if (space == text.npos) return false;
    const std::string_view rest = text.substr(space + 1);
    return cues[Cue::QuestionVerb].is(text.substr(0, space)) &&
           cues[Cue::QuestionSubject].is(rest.substr(0, rest.find(' ')));
}

/// 钢琴多少: how much, and nothing follows that could be counted.
bool asks_how_much(std::string_view clause, const Cues& cues) {
    std::string_view text = trim(clause);
    for (const std::string_view particle : cues[Cue::FinalParticle].all())
        if (text.ends_with(particle)) text.remove_suffix(particle.size());
    return cues[Cue::HowMuch].ends(text);
}

template <typename Words>
auto words_between(Words& words, const Clause& clause) {
    const auto begins_before = [](std::size_t position) {
        return [position](const WordMatch& word) { return word.begin < position; };
    };
    const auto first =
        std::partition_point(words.begin(), words.end(), begins_before(clause.begin));
    const auto last = std::partition_point(first, words.end(), begins_before(clause.end));
    return std::span(first, last);
}

void read_clause(Reading& reading, Clause& clause, const Vocabulary& vocabulary) {
    for (auto word = first_word_after(reading, clause.begin);
         word != reading.words.end() && word->begin < clause.end; ++word) {
        clause.lists |= word->lists;
    }
    for (std::size_t list = 0; list < vocabulary.list_facts.size(); ++list) {
        if ((clause.lists >> list & 1U) != 0) clause.facts |= vocabulary.list_facts[list];
    }
    const std::string_view text =
        std::string_view(reading.text).substr(clause.begin, clause.end - clause.begin);
    clause.is_question = clause.ends_with_mark ||
                         (clause.lists & vocabulary.known[Role::Asks]) != 0 ||
                         ends_like_a_question(text, vocabulary.cues) ||
                         begins_like_a_question(text, vocabulary.cues);
    if (clause.facts == 0 && asks_how_much(text, vocabulary.cues)) clause.facts |= bit(Fact::Price);
    reading.facts |= clause.facts;
}

void correct_spelling(Reading& reading, const Vocabulary& vocabulary) {
    std::string corrected;
    std::size_t copied_to = 0;
    for (const Clause& clause : reading.clauses) {
        for (const std::string_view word : unknown_words(reading, clause)) {
            // "edit" is a word of listings, not a misspelt "edits".
            if (vocabulary.topics.longest_at(word, 0).end == word.size()) continue;
            const std::string right = vocabulary.spelling.correct(word);
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

/// "p r i c e", "p.r.i.c.e": letters written apart, joined to one word. Empty if there are none.
std::string with_joined_letters(std::string_view text) {
    constexpr std::size_t kLettersMin = 4;
    const auto is_letter = [&](std::size_t i) {
        return i < text.size() && text[i] >= 'a' && text[i] <= 'z' && is_word_boundary(text, i) &&
               is_word_boundary(text, i + 1);
    };
    std::string joined;
    std::size_t copied_to = 0;
    const auto is_gap = [&](std::size_t i) {
        return text[i] == ' ' || text[i] == '.' || text[i] == '-';
    };
    for (std::size_t i = 0; i + 3 < text.size(); ++i) {
        if (!is_gap(i + 1) || !is_gap(i + 3) || !is_letter(i)) continue;
        std::string word(1, text[i]);
        std::size_t end = i + 1;
        while (end < text.size() && is_gap(end) && is_letter(end + 1)) {
            word += text[end + 1];
            end += 2;
        }
        if (word.size() >= kLettersMin) {
            joined += text.substr(copied_to, i - copied_to);
            joined += word;
            copied_to = end;
        }
        i = end - 1;
    }
    if (copied_to != 0) joined += text.substr(copied_to);
    return joined;
}

/// Lists whose words may describe others, or be declined, without their usual meaning here.
ListSet not_meant(const Clause& clause, const RoleLists& known) {
    if ((clause.lists & known[Role::TellsOfOthers]) != 0)
        return known[Role::Trouble] | known[Role::Paid] | known[Role::Payment];
    return known[Role::Haggle] | known[Role::Payment] | known[Role::Terms] | known[Role::Outside] |
           known[Role::Offer];
}

/// "No need for a discount", 发票都不用, "the last designer refused to change anything": words of a
/// clause that neither ask for anything nor report what happened here. In English the words that
/// are declined follow, up to a new start of the speaker.
void drop_not_meant(Reading& reading, Clause& clause, const RoleLists& known) {
    const ListSet marks = known[Role::Waives] | known[Role::TellsOfOthers];
    if ((clause.lists & marks) == 0 || clause.is_question) return;
    const auto begin =
        std::partition_point(reading.words.begin(), reading.words.end(),
                             [&](const WordMatch& word) { return word.end <= clause.begin; });
    const auto end = std::find_if(begin, reading.words.end(),
                                  [&](const WordMatch& word) { return word.begin >= clause.end; });
    const auto mark =
        std::find_if(begin, end, [&](const WordMatch& word) { return (word.lists & marks) != 0; });
    const ListSet dropped = not_meant(clause, known);
    // "Payment can wait": nothing follows.
    const bool ends_with_mark =
        std::all_of(mark + 1, end,
                    [&](const WordMatch& word) {
                        return word.begin < mark->end || (word.lists & known[Role::Filler]) != 0;
                    }) &&
        (clause.lists & known[Role::Waives]) != 0;
    const bool is_before_too =
        ends_with_mark || static_cast<unsigned char>(reading.text[mark->begin]) >= 0x80;
    for (auto word = is_before_too ? begin : mark + 1; word != end; ++word) {
        if (word > mark && (word->lists & known[Role::Speaker]) != 0) break;
        word->lists &= ~dropped;
    }
    clause.is_aside = true;
    clause.lists = 0;
    std::for_each(begin, end, [&](const WordMatch& word) { clause.lists |= word.lists; });
}

void find_parts(Reading& reading, const Vocabulary& vocabulary) {
    reading.words = vocabulary.lexicon.find(reading.text);
    reading.numbers = find_numbers(reading.text, vocabulary);
    reading.clauses = split(reading.text, vocabulary.cues);
}

}  // namespace

Reading read_text(std::string_view text, const Vocabulary& vocabulary, Writer writer) {
    Reading reading;
    reading.text = vocabulary.lexicon.comparable(text);
    std::string joined;
    if (writer == Writer::Peer) joined = with_joined_letters(reading.text);
    if (!joined.empty()) {
        reading.text = std::move(joined);
        reading.is_corrected = true;
    }
    find_parts(reading, vocabulary);
    correct_spelling(reading, vocabulary);
    if (reading.is_corrected) find_parts(reading, vocabulary);
    for (Clause& clause : reading.clauses) {
        read_clause(reading, clause, vocabulary);
        drop_not_meant(reading, clause, vocabulary.known);
    }
    for (const WordMatch& word : reading.words) {
        reading.lists |= word.lists;
    }
    const Letters letters = count_letters(reading.text);
    reading.is_readable = (letters.other == 0 || knows_other_letters(reading)) && is_utf8(text);
    reading.has_letters = letters.han > 0 || letters.latin_words > 0;
    reading.language = letters.han > 0 && letters.other == 0 && letters.han >= letters.latin_words
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

std::span<const WordMatch> words_in(const Reading& reading, const Clause& clause) {
    return words_between(reading.words, clause);
}

std::span<WordMatch> words_in(Reading& reading, const Clause& clause) {
    return words_between(reading.words, clause);
}

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

}  // namespace a2h::reading
