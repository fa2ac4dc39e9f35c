#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace a2h {

// How texts of others are quoted for a model, and what people can see of a text.
//
// Thread:  any.

/// The quotation marks: U+27E6 and U+27E7.
constexpr std::string_view kFenceBegin = "\xe2\x9f\xa6";
constexpr std::string_view kFenceEnd = "\xe2\x9f\xa7";

/// `text` without control, direction and invisible characters, which make people see something
/// other than what the text contains, and with ordinary brackets in place of the quotation marks
/// and similar characters.
std::string visible(std::string_view text);

/// `text` for a person who says yes to it: what is shown is what is sent. Nothing is removed or
/// replaced; characters that people cannot see are shown by their code, "[U+202E]". So is a
/// carriage return without a line feed, because a terminal would write over the line.
std::string shown_whole(std::string_view text);

/// A code point that people cannot see or that is not text: Unicode's control, format, private,
/// unassigned and default ignorable ones, line and paragraph separators, and blank letters.
struct Hidden {
    char32_t code = 0;
    std::size_t position = 0;  ///< in code points, counted from 1
};

/// The first one in `text`, which is UTF-8; nullopt if there is none. What nobody sees and does not
/// count, because writing needs it, and is shown as it is:
///   - a line feed, also with a carriage return before it, and a tab: lines and columns;
///   - U+FE0E or U+FE0F, once, right after an emoji: as a sign or in colour;
///   - U+200D between two emoji, which become one picture;
///   - U+200C or U+200D, once, after a letter of a script from Arabic to Sinhala, whose form it
///     changes.
std::optional<Hidden> first_hidden(std::string_view text);

/// "U+202E".
std::string code_of(const Hidden& hidden);

/// "U+202E (character 5)". Used in error messages, which are in English.
std::string to_text(const Hidden& hidden);

/// `text` in visible form, as a model may read it: between marks that say who wrote it and with
/// which provenance, and that cannot occur inside.
std::string fence(std::string_view text, std::string_view author, std::string_view provenance);

/// The number of parts of `text` that could be words; digits and random ids do not count.
int count_words(std::string_view text);

/// The length of the longest identifier, in characters. A longer text is never a token.
constexpr std::size_t kTokenCharsMax = 64;
/// True for an id, a number, a time or an enumeration: nothing that could be read as a sentence.
bool is_token(std::string_view text);

}  // namespace a2h
