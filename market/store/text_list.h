#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace a2h::market::store {

// A list of texts in one column, as JSON.

std::string list_text(const std::vector<std::string>& list);
/// What `list_text` wrote.
std::vector<std::string> read_list(std::string_view text);

}  // namespace a2h::market::store
