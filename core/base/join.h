#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace a2h {

/// The results of `text_of` for all items as one text, separated by `between`.
template <typename Items, typename TextOf = std::identity>
std::string joined_with(std::string_view between, const Items& items, const TextOf& text_of = {}) {
    std::string all;
    for (const auto& item : items)
        all.append(all.empty() ? "" : between).append(text_of(item));
    return all;
}

}  // namespace a2h
