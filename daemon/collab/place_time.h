#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::collab {

// Compares place and time, as far as plain words state them. All texts are folded.
//
// Thread:  any.

enum class Fit { No, Unknown, Yes };

/// Whether somebody at `location` can be at the `wanted` place. Unknown if either is empty; yes if
/// one contains the other, or if either means any place (online, 线上).
Fit fits_place(std::string_view wanted, std::string_view location);

/// Whether somebody with this availability has time on the `wanted` date. Only weekends and working
/// days are distinguished, by name or by a date such as 2026-02-15. Unknown if either text mentions
/// neither.
Fit fits_time(std::string_view wanted, std::string_view availability);

/// The names by which a location is known: the whole text and its parts between commas. 北京市 is
/// also known as 北京.
std::vector<std::string> names_of_location(std::string_view location);

/// The byte positions of the first date in `text`: 2026-02-15, 2月15日, February 15, 下周六, next
/// weekend, tomorrow.
struct DateSpan {
    std::size_t begin = 0;
    std::size_t end = 0;
};
std::optional<DateSpan> find_date(std::string_view text);

}  // namespace a2h::collab
