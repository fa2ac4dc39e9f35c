#include "daemon/reading/doubtful_amounts.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "daemon/reading/lexicon.h"

namespace a2h::reading {
namespace {

bool is_han_at(std::string_view text, std::size_t i) {
    return i < text.size() && is_han(code_point_at(text, i));
}

bool is_latin_at(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] >= 'a' && text[i] <= 'z';
}

bool ends_with_word(std::string_view text, std::string_view word) {
    if (!text.ends_with(word)) return false;
    return !is_latin_at(word, 0) || is_word_boundary(text, text.size() - word.size());
}

bool ends_with_one_of(std::string_view text, const CueWords& words) {
    return std::any_of(words.all().begin(), words.all().end(),
                       [&](const std::string& word) { return ends_with_word(text, word); });
}

/// The text before an amount that begins at `begin`.
std::string_view before_amount(std::string_view text, std::size_t begin) {
    std::string_view before = text.substr(0, begin);
    if (before.ends_with(' ')) before.remove_suffix(1);
    return before;
}

/// The text behind an amount that ends at `end`.
std::string_view behind_amount(std::string_view text, std::size_t end) {
    const std::size_t from = end < text.size() && text[end] == ' ' ? end + 1 : end;
    return text.substr(std::min(from, text.size()));
}

/// Whether something follows that the number could count.
bool is_followed_by_thing(std::string_view text, std::size_t end, const Cues& cues) {
    if (end < text.size() && text[end] == ' ') ++end;
    if (is_latin_at(text, end)) return true;
    return is_han_at(text, end) && !cues[Cue::AfterAmount].begins(text.substr(end));
}

/// 二元论, 千元机: a number of one character is part of the word.
bool is_han_character(const WrittenAmount& amount) {
    return is_han_at(amount.text, amount.begin) &&
           code_point_length(amount.text, amount.begin) == amount.end - amount.begin;
}

bool is_in_word(const WrittenAmount& amount, const Cues& cues) {
    const std::size_t end = amount.behind_at + amount.behind.size();
    if (cues[Cue::GoesOn].begins(amount.text.substr(end))) return true;
    return is_han_character(amount) && is_followed_by_thing(amount.text, end, cues);
}

bool is_year(std::string_view digits) {
    return digits.size() == 4 && digits >= "2010" && digits < "2050" &&
           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "CNY 2026", "the 2026 CNY holiday" is the new year, and "euro 2024" a tournament. Does not apply
/// to currency signs.
bool is_year_of_event(const WrittenAmount& amount, const Cues& cues) {
    if (!is_year(amount.text.substr(amount.begin, amount.end - amount.begin))) return false;
    return is_latin_at(amount.before, 0) || cues[Cue::YearlyEvent].is(amount.behind);
}

}  // namespace

bool is_doubtful(const WrittenAmount& amount, const Cues& cues) {
    const CueWords& unlike = cues[Cue::UnlikeCurrency];
    if (unlike.is(amount.before) || unlike.is(amount.behind)) return true;
    if (cues[Cue::Piece].is(amount.behind)) {
        return is_followed_by_thing(amount.text, amount.behind_at + amount.behind.size(), cues);
    }
    return (cues[Cue::MayBeginWord].is(amount.behind) && is_in_word(amount, cues)) ||
           is_year_of_event(amount, cues);
}

bool stands_only_behind(std::string_view word, const Cues& cues) {
    return cues[Cue::Piece].is(word) || cues[Cue::NotBeforeNumber].is(word);
}

bool is_behind_minus(std::string_view text, std::size_t position, const Cues& cues) {
    constexpr std::string_view kMinus = "−";  // never a dash, so a space may follow it
    constexpr std::array<std::string_view, 2> kGlued = {"-", "–"};
    const std::string_view before = text.substr(0, position);
    for (const std::string_view sign : kGlued) {
        if (!before.ends_with(sign)) continue;
        const std::size_t at = before.size() - sign.size();
        return at == 0 || before[at - 1] < '0' || before[at - 1] > '9';
    }
    std::string_view spaced = before;
    if (spaced.ends_with(' ')) spaced.remove_suffix(1);
    if (spaced.ends_with(kMinus)) return true;
    const auto& words = cues[Cue::Negative].all();
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return ends_with_word(spaced, word); });
}

bool is_increase(std::string_view text, std::size_t begin, std::size_t end, const Cues& cues) {
    const std::string_view before = before_amount(text, begin);
    if (ends_with_one_of(before, cues[Cue::RaisedBy]) && !cues[Cue::NoIncrease].ends(before))
        return true;
    const std::string_view behind = behind_amount(text, end);
    const auto& words = cues[Cue::OnTop].all();
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return behind.starts_with(word) && is_word_boundary(behind, word.size());
    });
}

bool is_reduction(std::string_view text, std::size_t begin, std::size_t end, const Cues& cues) {
    const std::string_view before = before_amount(text, begin);
    if (ends_with_one_of(before, cues[Cue::ReducedBy]) && !cues[Cue::NoReduction].ends(before))
        return true;
    const std::string_view behind = behind_amount(text, end);
    const auto& taken_off = cues[Cue::TakenOff].all();
    return std::any_of(taken_off.begin(), taken_off.end(), [&](const std::string& word) {
        if (!behind.starts_with(word)) return false;
        return is_latin_at(word, 0)
                   ? is_word_boundary(behind, word.size())
                   : !cues[Cue::NamesReducedPrice].begins(behind.substr(word.size()));
    });
}

}  // namespace a2h::reading
