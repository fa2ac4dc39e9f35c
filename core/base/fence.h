#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace a2h {

// How text of others stands in what a model reads. Thread: any.

/// The marks: U+27E6 and U+27E7.
constexpr std::string_view kFenceBegin = "\xe2\x9f\xa6";
constexpr std::string_view kFenceEnd = "\xe2\x9f\xa7";

/// `text` without control, direction and invisible characters, which make people see something
/// else than what it holds, and with brackets for the marks and their look-alikes.
std::string visible(std::string_view text);

/// The first code point of `text` that people would not see or that is no text: what `visible`
/// takes out. Joiners and variation selectors as emoji and scripts need them, at most two in a row,
/// and line breaks and tabs are none; nullopt: there is none. `text` is UTF-8.
std::optional<char32_t> first_hidden(std::string_view text);

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
