#pragma once

#include <span>
#include <string_view>

namespace a2h {

// Pure. Thread: any.

/// A name that something had in an earlier version, and that still works.
struct FormerName {
    std::string_view former;
    std::string_view present;
};

/// The present name of what `name` names; `name` itself if it is no former name.
constexpr std::string_view present_name(std::span<const FormerName> names, std::string_view name) {
    for (const FormerName& row : names)
        if (row.former == name) return row.present;
    return name;
}

}  // namespace a2h
