#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "daemon/config/changes.h"
#include "daemon/config/option.h"

namespace a2h::config {

/// A config.toml with every option, what it does and its default, all of it commented out: a file
/// that sets nothing.
std::string default_file(i18n::Language language);

/// `{"options": [{"name", "value", "default", "origin", "line"?, "variable", "takes"}]}`. `value`
/// is absent for secrets, of which `is_set` is told; `origin` is "default", "file" or
/// "environment", `takes` "reload" or "restart".
nlohmann::json shown(const Config& config, const Origins& origins);

/// Adds to `shown`, which tells what runs, what the file says by now: `waits_for` ("reload" or
/// "restart") and, but for secrets, `file_value` to each row that differs, and the names of all
/// that differs in `wait_for_reload` and `wait_for_restart`, where `person`, `channel` and
/// `approval_rule` stand for their tables; or `file_error`, when a reload would refuse the file.
void add_waiting(nlohmann::json& shown, const Loaded& running, Result<Loaded> file);

/// "reload" or "restart".
std::string_view to_string(Effect effect);

}  // namespace a2h::config
