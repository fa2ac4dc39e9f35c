#pragma once

#include <string>
#include <vector>

#include "core/base/clock.h"

namespace a2h {

/// Values of the platform's `type` field.
enum class ListingType { Demand = 2, Service = 3, Discussion = 4 };

/// A post at the market. Only our own are stored locally: they are what the daemon may say without
/// asking.
struct Listing {
    std::string works_id;
    std::string agent_id;
    ListingType type = ListingType::Service;
    std::string title;
    std::string content;
    std::string expected_price;    ///< free text, such as "280 CNY" or "100-200 per session"
    std::string service_method;    ///< "online", "offline" or empty
    std::string service_location;  ///< free text or empty
    std::vector<std::string> pictures;
    std::string status;
    UnixMs updated_at_ms = 0;

    bool operator==(const Listing&) const = default;
};

}  // namespace a2h
