#include "core/catalogue/schema.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "core/base/guarded.h"
#include "core/base/join.h"
#include "core/base/text.h"

namespace a2h::catalogue {
namespace {

using nlohmann::json;

/// A known name at a greater distance is not suggested.
constexpr std::size_t kSuggestionDistanceMax = 2;
constexpr std::size_t kPrefixMin = 3;
constexpr std::size_t kShownValueCodePoints = 40;

Unexpected refuse(std::string_view where, const std::string& what) {
    return fail(ErrorCode::InvalidArgument,
                (where.empty() ? "the value" : std::string(where)) + " " + what);
}

/// A value as JSON, shortened so that a message stays readable.
std::string shown(const json& value) {
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string_view cut = truncate(text, kShownValueCodePoints);
    return std::string(cut) + (cut.size() < text.size() ? "…" : "");
}

/// 1.0 is an integer in JSON Schema.
bool is_integer(const json& value) {
    if (value.is_number_integer()) return true;
    return value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>();
}

/// Whether nlohmann::json can return it as an integer.
bool fits_64_bits(const json& value) {
    constexpr double kExactMax = 9007199254740992.0;  // 2^53
    if (value.is_number_unsigned()) return value.get<std::uint64_t>() <= INT64_MAX;
    return value.is_number_integer() || std::abs(value.get<double>()) <= kExactMax;
}

bool has_type(const json& value, std::string_view type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return is_integer(value);
    if (type == "number") return value.is_number();
    return type == "null" && value.is_null();
}

/// `type` is a name or a list of names.
bool has_one_of_types(const json& value, const json& type) {
    if (type.is_string()) return has_type(value, type.get_ref<const std::string&>());
    return std::any_of(type.begin(), type.end(), [&](const json& each) {
        return has_type(value, each.get_ref<const std::string&>());
    });
}

std::string type_names(const json& type) {
    if (type.is_string()) return type.get<std::string>();
    return joined_with(" or ", type.get<std::vector<std::string>>());
}

std::string member_name(std::string_view where, std::string_view name) {
    return where.empty() ? std::string(name) : std::string(where).append(".").append(name);
}

/// " (did you mean x?)", or the list of known names.
std::string suggestion(const json& properties, std::string_view name) {
    std::string best;
    std::size_t best_distance = kSuggestionDistanceMax + 1;
    std::string all;
    for (const auto& [known, schema] : properties.items()) {
        // "peer" for peer_id counts as similar despite the missing letters.
        const bool shortened = name.size() >= kPrefixMin && known.starts_with(name);
        const std::size_t distance = shortened ? 1 : edit_distance(name, known);
        if (distance < best_distance) {
            best = known;
            best_distance = distance;
        }
        all += (all.empty() ? "" : ", ") + known;
    }
    if (!best.empty()) return "; did you mean " + best + "?";
    return all.empty() ? "; there are no arguments" : "; known are " + all;
}

Result<void> check_value(const json& schema, const json& value, const std::string& where);

Result<void> check_object(const json& schema, const json& value, const std::string& where) {
    static const json kNone = json::object();
    static const json kNoNames = json::array();
    const auto found = schema.find("properties");
    const json& properties = found == schema.end() ? kNone : *found;
    const auto additional = schema.find("additionalProperties");
    const bool closed = additional != schema.end() && *additional == false;
    const json* others =
        additional != schema.end() && additional->is_object() ? &*additional : nullptr;
    // Unknown members first, because a missing one is often a misspelt one.
    for (const auto& [name, member] : value.items()) {
        if (closed && !properties.contains(name)) {
            return refuse(member_name(where, truncate(name, kShownValueCodePoints)),
                          "is not known" + suggestion(properties, truncate(name, 64)));
        }
    }
    const auto required = schema.find("required");
    for (const json& name : required == schema.end() ? kNoNames : *required) {
        if (!value.contains(name)) {
            return refuse(member_name(where, name.get<std::string>()), "is missing");
        }
    }
    for (const auto& [name, member] : value.items()) {
        const auto property = properties.find(name);
        const json* wanted = property == properties.end() ? others : &*property;
        if (wanted == nullptr) continue;
        A2H_TRY(check_value(*wanted, member, member_name(where, name)));
    }
    return {};
}

Result<void> check_array(const json& schema, const json& value, const std::string& where) {
    const auto items_max = schema.value("maxItems", SIZE_MAX);
    if (value.size() > items_max) {
        return refuse(where, "has " + std::to_string(value.size()) + " items; at most " +
                                 std::to_string(items_max) + " are allowed");
    }
    const auto items_min = schema.value("minItems", std::size_t{0});
    if (value.size() < items_min) {
        return refuse(where, "has " + std::to_string(value.size()) + " items; at least " +
                                 std::to_string(items_min) + " are needed");
    }
    const auto items = schema.find("items");
    if (items == schema.end()) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
        A2H_TRY(check_value(*items, value[i], where + "[" + std::to_string(i) + "]"));
    }
    return {};
}

/// Each pattern is compiled once. Patterns come from the catalogue and the market's API, so there
/// are few.
const std::regex& compiled(const std::string& expression) {
    static Guarded<std::map<std::string, std::regex>> all;
    return all.with([&](auto& known) -> const std::regex& {
        const auto found = known.find(expression);
        if (found != known.end()) return found->second;
        return known.emplace(expression, std::regex(expression)).first->second;
    });
}

Result<void> check_string(const json& schema, const std::string& value, const std::string& where) {
    const std::size_t length = code_point_count(value);
    const auto least = schema.value("minLength", std::size_t{0});
    const auto most = schema.value("maxLength", SIZE_MAX);
    if (length < least || length > most) {
        const std::string range =
            most == SIZE_MAX
                ? "at least " + std::to_string(least) + " are needed"
                : std::to_string(least) + " to " + std::to_string(most) + " are allowed";
        return refuse(where, "has " + std::to_string(length) + " characters; " + range);
    }
    const auto pattern = schema.find("pattern");
    if (pattern == schema.end()) return {};
    // A pattern that repeats something has a maxLength, which was checked above: the library's
    // matcher recurses once for each character.
    const auto& expression = pattern->get_ref<const std::string&>();
    if (!std::regex_search(value, compiled(expression))) {
        return refuse(where, "is " + shown(value) + "; it must match " + expression);
    }
    return {};
}

Result<void> check_number(const json& schema, const json& value, const std::string& where) {
    const auto least = schema.find("minimum");
    const auto most = schema.find("maximum");
    const bool low = least != schema.end() && value < *least;
    const bool high = most != schema.end() && value > *most;
    if (!low && !high) {
        const bool readable = !is_integer(value) || fits_64_bits(value);
        return readable ? Result<void>()
                        : refuse(where, "is " + shown(value) + ", which is too large");
    }
    std::string range = "at least " + (least == schema.end() ? "" : least->dump());
    if (most != schema.end()) {
        range = least == schema.end() ? "at most " + most->dump()
                                      : least->dump() + " to " + most->dump();
    }
    return refuse(where, "is " + shown(value) + "; allowed is " + range);
}

Result<void> check_value(const json& schema, const json& value, const std::string& where) {
    const auto type = schema.find("type");
    if (type != schema.end() && !has_one_of_types(value, *type)) {
        return refuse(where, "is " + shown(value) + "; it must be of type " + type_names(*type));
    }
    const auto choices = schema.find("enum");
    if (choices != schema.end() &&
        std::find(choices->begin(), choices->end(), value) == choices->end()) {
        std::string all;
        for (const json& choice : *choices)
            all += (all.empty() ? "" : ", ") + choice.dump();
        return refuse(where, "is " + shown(value) + "; allowed are " + all);
    }
    if (value.is_object()) return check_object(schema, value, where);
    if (value.is_array()) return check_array(schema, value, where);
    if (value.is_string()) return check_string(schema, value.get_ref<const std::string&>(), where);
    if (value.is_number()) return check_number(schema, value, where);
    return {};
}

}  // namespace

Result<void> validate(const json& schema, const json& value) {
    return check_value(schema, value, "");
}

}  // namespace a2h::catalogue
