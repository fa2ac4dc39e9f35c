#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/result.h"

namespace a2h::collab {

/// Maps a word to the name of its meaning, which words of the same meaning share. Latin words are
/// stemmed by `stem`; Chinese words have two characters.
using Meanings = std::unordered_map<std::string, std::string>;

/// Reads the format of playbooks/negotiation/equal_words.toml.
///
/// Errors:  InvalidArgument with line and word: not TOML; a word that is not folded, contains
///          blanks, or does not have two Chinese characters; a word that appears twice.
Result<Meanings> read_equal_words(std::string_view toml,
                                  std::string (*stem)(std::string_view word));

}  // namespace a2h::collab
