#pragma once

#include <cstddef>
#include <string_view>

namespace a2h::mcp {

/// An estimate of how many tokens `text` has for a model, rather too high than too low. Tokenizers
/// differ, so this uses what they have in common: words of letters are few tokens; digits,
/// punctuation and scripts without spaces are many.
///
/// Source:  compared with a published tokenizer by tests/mcp/tokens.test.mjs.
std::size_t estimated_tokens(std::string_view text);

}  // namespace a2h::mcp
