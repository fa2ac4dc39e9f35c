#pragma once

#include <string_view>

namespace a2h {

/// Version of all our programs, e.g. "0.1.0". Source: project() in CMakeLists.txt.
std::string_view program_version();

}  // namespace a2h
