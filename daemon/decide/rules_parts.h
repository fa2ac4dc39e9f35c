#pragma once

#include "daemon/decide/playbook.h"
#include "daemon/reading/toml_file.h"

namespace a2h::decide {

/// Reads one `[[rule]]` for `rules`, whose words must have been read.
///
/// Errors:  those of `file`.
Result<Rule> read_rule(const TomlFile& file, const TomlNode& table, RuleSet::Impl& rules);

}  // namespace a2h::decide
