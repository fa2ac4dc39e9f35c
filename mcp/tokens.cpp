#include "mcp/tokens.h"

namespace a2h::mcp {
namespace {

enum class Script { Letter, Digit, Space, Punctuation, Other };

Script script_of(char byte) {
    const auto c = static_cast<unsigned char>(byte);
    if (c >= 0x80) return Script::Other;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Script::Letter;
    if (c >= '0' && c <= '9') return Script::Digit;
    return c == ' ' || c == '\n' ? Script::Space : Script::Punctuation;
}

/// Twice the number of bytes for each token in a run of `script`.
constexpr std::size_t half_bytes_a_token(Script script) {
    switch (script) {
        case Script::Letter:
            return 12;  // "conversation" is one or two
        case Script::Digit:
            return 5;  // three digits in one token, or each alone
        case Script::Space:
            return 32;  // indentation; single ones belong to the word behind them
        case Script::Punctuation:
            return 4;  // `":"` is one or two
        case Script::Other:
            return 4;  // a Chinese character has three bytes
    }
    return 2;
}

}  // namespace

std::size_t estimated_tokens(std::string_view text) {
    std::size_t tokens = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const Script script = script_of(text[begin]);
        std::size_t end = begin + 1;
        while (end < text.size() && script_of(text[end]) == script)
            ++end;
        const std::size_t length = end - begin;
        begin = end;
        if (script == Script::Space && length == 1) continue;
        const std::size_t divisor = half_bytes_a_token(script);
        tokens += (2 * length + divisor - 1) / divisor;
    }
    return tokens;
}

}  // namespace a2h::mcp
