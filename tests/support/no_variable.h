#pragma once

#include <string>

namespace a2h::config {

/// Environment variables (`config::Variables`) of a process without any.
inline std::string no_variable(const std::string&) {
    return {};
}

}  // namespace a2h::config
