#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/http/server.h"

namespace a2h::http {

/// nullopt for a broken escape and for NUL, which would truncate texts in C interfaces.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space);

/// Adds the decoded pairs of `text` (`a=b&c=d`) to `fields`; false if it cannot be decoded.
bool read_fields(std::string_view text, Fields& fields);

/// Fills target, path and query. False if `target` is not an absolute path that can be decoded.
bool read_target(std::string_view target, Request& request);

}  // namespace a2h::http
