#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace a2h {

// How text of others stands in what a model reads, and what people see of a text. Thread: any.

/// The marks: U+27E6 and U+27E7.
constexpr std::string_view kFenceBegin = "\xe2\x9f\xa6";
constexpr std::string_view kFenceEnd = "\xe2\x9f\xa7";

/// `text` without control, direction and invisible characters, which make people see something
/// else than what it holds, and with brackets for the marks and their look-alikes.
std::string visible(std::string_view text);

/// `text` for a person who says yes to it: what is shown is what is sent. Nothing is taken out or
/// replaced; characters that people would not see stand there by their code, "[U+202E]".
std::string shown_whole(std::string_view text);

/// A code point that people would not see or that is no text.
struct Hidden {
    char32_t code = 0;
    std::size_t position = 0;  ///< in code points, from 1
};

/// The first in `text`, which is UTF-8; nullopt: there is none. Joiners and variation selectors as
/// emoji and scripts need them, at most two in a row, and line breaks and tabs are none.
std::optional<Hidden> first_hidden(std::string_view text);

/// "U+202E (character 5)". Not for people but for messages of errors, which are English.
std::string to_text(const Hidden& hidden);

/// `text`, made visible, as a model may read it: between marks that say who wrote it and how sure
/// that is, and that cannot occur inside.
std::string fence(std::string_view text, std::string_view author, std::string_view provenance);

/// How many parts of `text` could be words; digits and random ids are none.
int count_words(std::string_view text);

/// Longer ones are no identifiers of any protocol here.
constexpr std::size_t kTokenCharsMax = 64;
/// An id, a number, a time, an enumeration: nothing that could be read as a sentence.
bool is_token(std::string_view text);

}  // namespace a2h
