#pragma once

// Inside core/store only: lists of short texts are one JSON array in one column.

#include <string>
#include <string_view>
#include <vector>

namespace a2h::store {

std::string to_json_list(const std::vector<std::string>& texts);
/// Of text that `to_json_list` wrote; members of any other kind are left out.
std::vector<std::string> parse_json_list(std::string_view json);

}  // namespace a2h::store
