#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace a2h::store {

/// A part of a list that is returned newest first.
template <typename Item>
struct Page {
    std::vector<Item> items;
    std::int64_t next_before = 0;  ///< cursor of the next page; 0: this was the last one
};

/// The exclusive upper limit of the row numbers of a page; the cursor is 0 for the first page.
constexpr std::int64_t number_below(std::int64_t before) {
    return before == 0 ? std::numeric_limits<std::int64_t>::max() : before;
}

/// The page of numbered rows, of which one more than `limit` was selected.
///
/// Errors:  that of `rows`.
template <typename Item>
Result<Page<Item>> page_of(Result<std::vector<std::pair<Item, std::int64_t>>> rows, int limit) {
    if (!rows) return fail(rows.error());
    Page<Item> page;
    for (auto& [item, number] : *rows) {
        if (page.items.size() == static_cast<std::size_t>(limit)) return page;
        page.items.push_back(std::move(item));
        page.next_before = number;
    }
    page.next_before = 0;
    return page;
}

}  // namespace a2h::store
