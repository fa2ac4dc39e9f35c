#pragma once

#include <string>

#include "core/i18n/messages.h"

namespace a2h::cli {

/// All commands with their parameters as one JSON object, from which man pages and completions are
/// made when the packages are built. `a2h --help --json` prints it.
std::string table_json(i18n::Language language);

}  // namespace a2h::cli
