#pragma once

#include <nlohmann/json_fwd.hpp>

namespace a2h::market {

/// The OpenAPI 3.1 document of `all_resources()`, as returned by GET /openapi.json.
///
/// Thread:  any.
nlohmann::json openapi_document();

}  // namespace a2h::market
