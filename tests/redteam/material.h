#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace a2h::test {

/// The lines of a file of this folder, or of the `folder` of a later round such as `second/`;
/// README.md says who wrote them and how.
inline std::vector<nlohmann::json> material(std::string_view folder, std::string_view file) {
    const auto path = std::string(folder) + std::string(file);
    std::ifstream in(A2H_SOURCE_DIR "/tests/redteam/" + path);
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(nlohmann::json::parse(line));
    REQUIRE_FALSE(lines.empty());
    return lines;
}

}  // namespace a2h::test
