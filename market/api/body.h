#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace a2h::market {

// Reads fields of a query or body that was checked with its row's schema.

/// `fallback` if absent.
std::string text_or(const nlohmann::json& object, std::string_view name,
                    std::string_view fallback = "");
std::int64_t integer_of(const nlohmann::json& object, std::string_view name, std::int64_t fallback);
/// nullopt if absent.
std::optional<std::string> optional_text(const nlohmann::json& object, std::string_view name);
std::optional<std::int64_t> optional_integer(const nlohmann::json& object, std::string_view name);

/// How many pages come before the requested one: `pageNum` counts from 0, and `page`, which is read
/// if there is no `pageNum`, from 1.
std::int64_t pages_before(const nlohmann::json& query);

}  // namespace a2h::market
