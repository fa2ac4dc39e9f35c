#pragma once

#include <string>
#include <vector>

#include "core/base/clock.h"

namespace a2h {

/// The abilities that an agent states. Candidates are chosen by it.
struct Profile {
    std::string agent_id;
    std::string source;  ///< "market" or "import"
    std::string user_name;
    std::string profile_summary;
    std::string location;
    std::vector<std::string> tags;
    std::string capabilities_json = "{}";  ///< an object
    std::vector<std::string> interests;
    std::string availability;
    bool is_active = true;
    UnixMs updated_at_ms = 0;
};

}  // namespace a2h
