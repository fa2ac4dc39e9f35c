#pragma once

#include <cstddef>
#include <string_view>

namespace a2h::mcp {

/// About how many tokens a model reads `text` as; rather too many than too few. Tokenizers differ,
/// so this counts what all of them do: words of letters are few tokens, digits, punctuation and
/// writing without spaces many.
/// Source: compared with a published tokenizer by tests/mcp/tokens.test.mjs.
std::size_t estimated_tokens(std::string_view text);

}  // namespace a2h::mcp
