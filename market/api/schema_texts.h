#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::market {

// Compiles the schema texts of the rows, and reads queries and bodies with them.

/// How strictly queries and bodies of a path are checked, see route.h.
enum class Strictness { Platform, Own };
Strictness strictness_of(std::string_view path);

/// `text` with every reference to a named schema replaced by that schema, and for our own paths
/// with closed objects. An empty text means an object without fields. A text that is not JSON or
/// refers to an unknown schema is our own bug.
nlohmann::json compile_schema(std::string_view text, Strictness strictness);

/// The request's query as an object that fits `schema`.
///
/// Errors:  InvalidArgument.
Result<nlohmann::json> read_query(const http::Request& request, const nlohmann::json& schema);

/// The request's body as an object that fits `schema`.
///
/// Errors:  InvalidArgument.
Result<nlohmann::json> read_body(const http::Request& request, const nlohmann::json& schema,
                                 Strictness strictness);

}  // namespace a2h::market
