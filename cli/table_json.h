#pragma once

#include <string>

#include "core/i18n/messages.h"

namespace a2h::cli {

/// All commands with their parameters, as one JSON object: what man pages and completions are made
/// from while the packages are built. `a2h --help --json` prints it.
std::string table_json(i18n::Language language);

}  // namespace a2h::cli
