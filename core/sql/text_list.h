#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace a2h::sql {

// A list of short texts is stored as one JSON array in one column.

std::string list_text(const std::vector<std::string>& texts);
/// Reads text that `list_text` wrote; items that are not texts are left out.
std::vector<std::string> read_list(std::string_view text);

}  // namespace a2h::sql
