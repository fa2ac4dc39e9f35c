#include "tests/support/unseen.h"

#include <cstdio>
#include <utility>

#include <utf8proc.h>

namespace a2h::test {
namespace {

/// A message is shown with 4 000 characters.
constexpr std::size_t kCodesInText = 900;

bool is_surrogate(char32_t c) {
    return c >= 0xD800 && c <= 0xDFFF;
}

}  // namespace

bool is_unseen(char32_t c) {
    if (c == '\n' || c == '\t') return false;
    // Of Braille, musical notation and Khitan, and the place of an object that is not there: no
    // table says that they are blank.
    if (c == 0x2800 || c == 0x1D159 || c == 0x16FE4 || c == 0xFFFC) return true;
    const auto value = static_cast<utf8proc_int32_t>(c);
    const std::string_view category = utf8proc_category_string(value);
    return category.starts_with('C') || category == "Zl" || category == "Zp" ||
           utf8proc_get_property(value)->ignorable != 0;
}

bool is_assigned_unseen(char32_t c) {
    const std::string_view category = utf8proc_category_string(static_cast<utf8proc_int32_t>(c));
    return is_unseen(c) && category != "Co" && category != "Cn" && !is_surrogate(c);
}

std::string utf8(char32_t c) {
    const auto byte = [](char32_t value) {
        return static_cast<char>(static_cast<unsigned char>(value));
    };
    if (c < 0x80) return {byte(c)};
    if (c < 0x800) return {byte(0xC0 | (c >> 6)), byte(0x80 | (c & 0x3F))};
    if (c < 0x10000)
        return {byte(0xE0 | (c >> 12)), byte(0x80 | ((c >> 6) & 0x3F)), byte(0x80 | (c & 0x3F))};
    return {byte(0xF0 | (c >> 18)), byte(0x80 | ((c >> 12) & 0x3F)), byte(0x80 | ((c >> 6) & 0x3F)),
            byte(0x80 | (c & 0x3F))};
}

std::string code_of(char32_t c) {
    char code[16];
    std::snprintf(code, sizeof code, "[U+%04X]", static_cast<unsigned>(c));
    return code;
}

const std::vector<UnseenText>& unseen_texts() {
    static const std::vector<UnseenText> kTexts = [] {
        std::vector<UnseenText> texts;
        UnseenText text;
        for (char32_t c = 0; c <= kLastCodePoint; ++c) {
            if (!is_unseen(c) || is_surrogate(c)) continue;
            text.text.append("a").append(utf8(c)).append("b ");
            text.codes.push_back(c);
            if (text.codes.size() == kCodesInText) texts.push_back(std::exchange(text, {}));
        }
        texts.push_back(std::move(text));
        return texts;
    }();
    return kTexts;
}

const UnseenText& assigned_unseen_text() {
    static const UnseenText kText = [] {
        UnseenText text;
        for (char32_t c = 0; c <= kLastCodePoint; ++c) {
            if (!is_assigned_unseen(c)) continue;
            text.text.append("a").append(utf8(c)).append("b ");
            text.codes.push_back(c);
        }
        return text;
    }();
    return kText;
}

std::string first_unseen(std::string_view shown) {
    const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(shown.data());
    auto left = static_cast<utf8proc_ssize_t>(shown.size());
    while (left > 0) {
        utf8proc_int32_t value = -1;
        const utf8proc_ssize_t length = utf8proc_iterate(data, left, &value);
        if (length < 1) return "a byte that is not UTF-8";
        if (is_unseen(static_cast<char32_t>(value))) return code_of(static_cast<char32_t>(value));
        data += length;
        left -= length;
    }
    return {};
}

std::string first_missing(std::string_view shown, const UnseenText& hidden) {
    std::string unbroken;
    for (const char c : shown) {
        if (c != '\n' && c != ' ') unbroken += c;
    }
    std::size_t at = 0;
    for (const char32_t c : hidden.codes) {
        const std::string code = "a" + code_of(c) + "b";
        at = unbroken.find(code, at);
        if (at == std::string::npos) return code;
        at += code.size();
    }
    return {};
}

}  // namespace a2h::test
