#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::market {

// From the schema texts of the rows to what requests are checked with.

/// How strictly a path's queries and bodies are read, see route.h.
enum class Strictness { Platform, Own };
Strictness strictness_of(std::string_view path);

/// `text` with every reference to a named schema replaced by that schema and, for our own paths,
/// objects closed. An empty text is the schema of an object without fields. A text that is not
/// JSON or names what is not there is our own bug.
nlohmann::json compile_schema(std::string_view text, Strictness strictness);

/// The request's query as an object that fits `schema`. Errors: InvalidArgument.
Result<nlohmann::json> read_query(const http::Request& request, const nlohmann::json& schema);

/// The request's body as an object that fits `schema`. Errors: InvalidArgument.
Result<nlohmann::json> read_body(const http::Request& request, const nlohmann::json& schema,
                                 Strictness strictness);

}  // namespace a2h::market
