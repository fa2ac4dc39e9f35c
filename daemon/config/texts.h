#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "daemon/config/changes.h"
#include "daemon/config/option.h"

namespace a2h::config {

/// A config.toml with every option, its description and its default, all of it commented out, so
/// that the file sets nothing.
std::string default_file(i18n::Language language);

/// `{"options": [{"name", "value", "default", "origin", "line"?, "variable", "takes"}]}`. Secrets
/// have `is_set` instead of `value`. `origin` is "default", "file" or "environment"; `takes` is
/// "reload" or "restart".
nlohmann::json shown(const Config& config, const Origins& origins);

/// Adds to `shown`, which describes the running configuration, what the file says now. Each row
/// that differs gets `waits_for` ("reload" or "restart") and, except for secrets, `file_value`.
/// `wait_for_reload` and `wait_for_restart` list the names of all differences, where `person`,
/// `channel` and `approval_rule` stand for their tables. If a reload would refuse the file,
/// `file_error` says why.
void add_waiting(nlohmann::json& shown, const Loaded& running, Result<Loaded> file);

/// "reload" or "restart".
std::string_view to_string(Effect effect);

}  // namespace a2h::config
