#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/wire/demand_json.h"

namespace a2h::collab {

// See daemon/collab/model_words.h. Pure; any thread.

/// Prompt 1. Place, people, date and budget stay unless they stand in `raw_input`.
wire::Understanding understood(const nlohmann::json& answer, const wire::Understanding& by_rules,
                               std::string_view raw_input);

}  // namespace a2h::collab
