#include "market/api/body.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_text.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kBodyBytesMax = 1024 * 1024;
constexpr int kBodyDepthMax = 16;

Unexpected wrong(std::string_view name, std::string_view what) {
    return fail(ErrorCode::InvalidArgument, std::string(name) + " " + std::string(what));
}

std::string range(std::int64_t min, std::int64_t max) {
    return "must be an integer from " + std::to_string(min) + " to " + std::to_string(max);
}

/// nullptr when absent.
const json* member(const json& body, std::string_view name) {
    const auto found = body.find(name);
    return found == body.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

Result<json> read_body(const http::Request& request) {
    if (request.body.empty()) return json::object();
    auto body =
        wire::parse_json(request.body, {.bytes_max = kBodyBytesMax, .depth_max = kBodyDepthMax});
    if (!body) return fail(ErrorCode::InvalidArgument, "the body: " + body.error().message);
    if (!body->is_object()) return wrong("the body", "must be a JSON object");
    return std::move(*body);
}

Result<std::optional<std::string>> optional_text(const json& body, std::string_view name,
                                                 std::size_t code_points_max) {
    const json* value = member(body, name);
    if (value == nullptr) return std::optional<std::string>();
    if (!value->is_string()) return wrong(name, "must be a text");
    auto text = value->get<std::string>();
    if (code_point_count(text) > code_points_max) {
        return wrong(name, "has over " + std::to_string(code_points_max) + " characters");
    }
    return std::optional(std::move(text));
}

Result<std::string> required_text(const json& body, std::string_view name,
                                  std::size_t code_points_max) {
    auto text = optional_text(body, name, code_points_max);
    if (!text) return fail(text.error());
    if (!*text || trim(**text).empty()) return wrong(name, "is missing");
    return std::move(**text);
}

Result<std::int64_t> to_integer(std::string_view text, std::string_view name, std::int64_t min,
                                std::int64_t max) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < min || value > max) {
        return wrong(name, range(min, max));
    }
    return value;
}

Result<std::optional<std::int64_t>> optional_integer(const json& body, std::string_view name,
                                                     std::int64_t min, std::int64_t max) {
    const json* value = member(body, name);
    if (value == nullptr) return std::optional<std::int64_t>();
    if (!value->is_number_integer() && !value->is_string()) return wrong(name, range(min, max));
    // Through text, because an unsigned number above 2^63 would turn negative otherwise.
    const auto text = value->is_string() ? value->get<std::string>() : value->dump();
    const auto number = to_integer(text, name, min, max);
    if (!number) return fail(number.error());
    return std::optional(*number);
}

}  // namespace a2h::market
