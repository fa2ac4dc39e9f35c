#pragma once

#include "daemon/decide/playbook.h"
#include "daemon/decide/toml_file.h"

namespace a2h::decide {

// The parts of a file of rules, each read into `out`. Errors: those of `file`.

/// Everything but the rules: spellings, money, units, groups of words, lists of words.
Result<void> read_vocabulary(const TomlFile& file, const TomlNode& root, RuleSet::Impl& out);

/// What the owner's file adds to it: groups of words, lists of its own, and words to lists of ours.
Result<void> extend_vocabulary(const TomlFile& file, const TomlNode& root, RuleSet::Impl& out);

/// One `[[rule]]`; the lists that it names must have been read.
Result<Rule> read_rule(const TomlFile& file, const TomlNode& table, RuleSet::Impl& vocabulary);

}  // namespace a2h::decide
