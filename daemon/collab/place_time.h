#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::collab {

// Where and when, as far as plain words tell. All texts are folded. Thread: any.

enum class Fit { No, Unknown, Yes };

/// Whether somebody at `location` can be where it is `wanted`. Unknown when either is empty; yes
/// when one names the other, or either is anywhere (online, 线上).
Fit fits_place(std::string_view wanted, std::string_view location);

/// Whether somebody with this availability has time on the `wanted` date: weekends and working days
/// are told apart, by their names or by a date as 2026-02-15. Unknown when either says neither.
Fit fits_time(std::string_view wanted, std::string_view availability);

/// The names by which a location is known: the whole, and its parts between commas; 北京市 is 北京,
/// too.
std::vector<std::string> names_of_location(std::string_view location);

/// The first date in `text`, byte positions: 2026-02-15, 2月15日, February 15, 下周六, next
/// weekend, tomorrow.
struct DateSpan {
    std::size_t begin = 0;
    std::size_t end = 0;
};
std::optional<DateSpan> find_date(std::string_view text);

}  // namespace a2h::collab
