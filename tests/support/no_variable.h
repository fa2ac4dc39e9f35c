#pragma once

#include <string>

namespace a2h::config {

/// The environment variables of a process that has none (`config::Variables`).
inline std::string no_variable(const std::string&) {
    return {};
}

}  // namespace a2h::config
