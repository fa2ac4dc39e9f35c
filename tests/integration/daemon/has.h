#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace a2h::test {

/// Whether `what` occurs anywhere in the text of `where`.
inline bool has(const nlohmann::json& where, std::string_view what) {
    return where.dump().find(what) != std::string::npos;
}

}  // namespace a2h::test
