#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/result.h"

namespace a2h::collab {

/// Word → the name of what it means, the same name for words that mean the same. Latin words are
/// as `stem` makes them, Chinese ones are two characters.
using Meanings = std::unordered_map<std::string, std::string>;

/// Reads the form of playbooks/negotiation/equal_words.toml.
/// Errors: InvalidArgument naming line and word: not TOML, a word that is not folded, has blanks or
///         not two Chinese characters, or stands there twice.
Result<Meanings> read_equal_words(std::string_view toml,
                                  std::string (*stem)(std::string_view word));

}  // namespace a2h::collab
