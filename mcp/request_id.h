#pragma once

#include <string>
#include <string_view>

namespace a2h::mcp {

/// Whether `written` is a string or a whole number: `1.0` and `1e3` are whole numbers, too.
///
/// Source:  MCP "RequestId"; JSON Schema 2020-12, "integer".
bool is_request_id(std::string_view written);

/// Ids with the same value have the same key: strings however they are escaped, numbers of any size
/// however they are written.
std::string id_key(std::string_view written);

}  // namespace a2h::mcp
