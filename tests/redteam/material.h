#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace a2h::test {

/// The lines of a file of this folder; README.md says who wrote them and how.
inline std::vector<nlohmann::json> material(std::string_view file) {
    std::ifstream in(std::string(A2H_SOURCE_DIR) + "/tests/redteam/" + std::string(file));
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(nlohmann::json::parse(line));
    REQUIRE_FALSE(lines.empty());
    return lines;
}

}  // namespace a2h::test
