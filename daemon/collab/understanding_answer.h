#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/wire/demand_json.h"

namespace a2h::collab {

// See daemon/collab/model_words.h. Pure; any thread.

/// Prompt 1. Place, people, date and budget are kept from the rules unless `raw_input` contains the
/// model's values.
wire::Understanding understood(const nlohmann::json& answer, const wire::Understanding& by_rules,
                               std::string_view raw_input);

}  // namespace a2h::collab
