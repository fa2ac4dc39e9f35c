#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::test {

// The code points that people cannot see in a text, from Unicode's own tables (utf8proc). Tests
// that use it link `a2h_test_unseen`.

constexpr char32_t kLastCodePoint = 0x10FFFF;

/// Whether nobody sees `c`, wherever it stands: general categories Cc, Cf, Cs, Co, Cn, Zl and Zp
/// without line feed and tab, Default_Ignorable_Code_Point, and blank letters and symbols.
bool is_unseen(char32_t c);
/// Like `is_unseen`, but false for private-use and unassigned characters.
bool is_assigned_unseen(char32_t c);

/// A surrogate has no UTF-8; what an encoder without checks would write.
std::string utf8(char32_t c);
/// "[U+202E]"
std::string code_of(char32_t c);

/// A text with many of them, each between letters.
struct UnseenText {
    std::string text;
    std::vector<char32_t> codes;
};

/// Texts that together contain every code point of which `is_unseen` is true and that UTF-8 has.
const std::vector<UnseenText>& unseen_texts();

/// All of which `is_assigned_unseen` is true, in one text.
const UnseenText& assigned_unseen_text();

/// The first code point in `shown` that nobody sees, as its code; empty if there is none.
std::string first_unseen(std::string_view shown);
/// The first code of `hidden` that `shown` does not contain at its place; empty if it contains all
/// in their order. Breaks of lines do not count.
std::string first_missing(std::string_view shown, const UnseenText& hidden);

}  // namespace a2h::test
