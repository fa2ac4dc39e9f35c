#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/reading/toml_file.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// A file of words. Those of the grammar are ours; those of a trade may add units, words and groups
/// to them, and a trade of ours cues as well.
struct WordFile {
    enum class Kind { Grammar, Trade, OwnersTrade };
    Kind kind = Kind::Grammar;
    std::string name;  ///< for errors
    std::string_view text;
};

/// All words of `files`, which are read as one: lists of the same name are one list. Errors:
/// InvalidArgument naming file, line and field, with "did you mean" for an unknown one; a role or a
/// cue for which no file has words.
Result<Vocabulary> read_vocabulary(std::span<const WordFile> files);

/// What an owner's rules add: groups of words, lists of their own, and words to lists of ours.
/// Errors: those of `file`.
Result<void> extend_vocabulary(const TomlFile& file, const TomlNode& root, Vocabulary& out);

/// `version = 1` of a file. Errors: it is missing or another one.
Result<void> check_version(const TomlFile& file, const TomlNode& root);

}  // namespace a2h::reading
