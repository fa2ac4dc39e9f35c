#pragma once

#include <span>
#include <string>
#include <string_view>

#include "daemon/reading/toml_file.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::reading {

/// A file of words. The files of the grammar are built in. The file of a trade may add units, words
/// and groups to them; that of a built-in trade may add cues as well.
struct WordFile {
    enum class Kind { Grammar, Trade, OwnersTrade };
    Kind kind = Kind::Grammar;
    std::string name;  ///< for error messages
    std::string_view text;
};

/// All words of `files`, which are combined: lists with the same name are one list.
///
/// Errors:  InvalidArgument naming file, line and field, with "did you mean" for an unknown one; a
///          role or a cue without words.
Result<Vocabulary> read_vocabulary(std::span<const WordFile> files);

/// The additions of an owner's rules: groups of words, new lists, and words for our lists.
///
/// Errors:  those of `file`.
Result<void> extend_vocabulary(const TomlFile& file, const TomlNode& root, Vocabulary& out);

/// Checks `version = 1` of a file.
///
/// Errors:  it is missing or different.
Result<void> check_version(const TomlFile& file, const TomlNode& root);

}  // namespace a2h::reading
