#include "market/api/schema_texts.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/catalogue/schema.h"
#include "core/wire/json_text.h"
#include "market/api/route.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::size_t kBodyBytesMax = 1024 * 1024;
constexpr int kBodyDepthMax = 16;
constexpr int kReferenceDepthMax = 16;
constexpr std::string_view kReference = "#/components/schemas/";

std::string_view named_schema(std::string_view name) {
    for (const Resource& resource : all_resources()) {
        for (const NamedSchema& schema : resource.schemas) {
            if (schema.name == name) return schema.schema;
        }
    }
    return {};
}

void expand(json& schema, int depth) {
    A2H_CHECK(depth < kReferenceDepthMax);
    if (schema.is_object() && schema.contains("$ref")) {
        const auto name = schema["$ref"].get<std::string>();
        A2H_CHECK(name.starts_with(kReference));
        schema = json::parse(named_schema(std::string_view(name).substr(kReference.size())),
                             nullptr, false);
        A2H_CHECK(!schema.is_discarded());
        return expand(schema, depth + 1);
    }
    if (!schema.is_structured()) return;
    for (json& member : schema)
        expand(member, depth);
}

void close(json& schema) {
    if (schema.is_object() && schema.contains("properties") &&
        !schema.contains("additionalProperties")) {
        schema["additionalProperties"] = false;
    }
    if (!schema.is_structured()) return;
    for (json& member : schema)
        close(member);
}

bool allows(const json& schema, std::string_view type) {
    const auto found = schema.find("type");
    if (found == schema.end()) return true;
    if (found->is_string()) return *found == type;
    return std::find(found->begin(), found->end(), type) != found->end();
}

std::optional<std::int64_t> to_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

/// Converts a text to the type that `schema` requires, if possible.
json from_text(const std::string& text, const json& schema) {
    if (allows(schema, "string")) return text;
    if (allows(schema, "integer")) {
        if (const auto number = to_integer(text)) return *number;
    }
    if (allows(schema, "boolean") && (text == "true" || text == "false")) return text == "true";
    return text;
}

/// See route.h: nulls are removed, and on the platform's paths texts of digits become integers.
void shape(json& body, const json& schema, Strictness strictness) {
    const auto properties = schema.find("properties");
    if (properties == schema.end()) return;
    for (const auto& [name, property] : properties->items()) {
        const auto member = body.find(name);
        if (member == body.end()) continue;
        if (member->is_null() && !allows(property, "null")) {
            body.erase(member);
        } else if (member->is_string() && strictness == Strictness::Platform &&
                   allows(property, "integer") && !allows(property, "string")) {
            *member = from_text(member->get<std::string>(), property);
        }
    }
}

}  // namespace

Strictness strictness_of(std::string_view path) {
    return path.starts_with("/v1/") ? Strictness::Own : Strictness::Platform;
}

json compile_schema(std::string_view text, Strictness strictness) {
    json schema = text.empty() ? json{{"type", "object"}, {"properties", json::object()}}
                               : json::parse(text, nullptr, false);
    A2H_CHECK(schema.is_object());
    expand(schema, 0);
    if (strictness == Strictness::Own) close(schema);
    return schema;
}

Result<json> read_query(const http::Request& request, const json& schema) {
    static const json kNone = json::object();
    if (request.query.empty() && !schema.contains("required")) return kNone;
    const auto properties = schema.find("properties");
    const json& known = properties == schema.end() ? kNone : *properties;
    json query = json::object();
    for (const auto& [name, value] : request.query) {
        if (value.empty()) continue;
        if (query.contains(name)) {
            return fail(ErrorCode::InvalidArgument, name + " occurs twice");
        }
        const auto property = known.find(name);
        query[name] = property == known.end() ? json(value) : from_text(value, *property);
    }
    A2H_TRY(catalogue::validate(schema, query));
    return query;
}

Result<json> read_body(const http::Request& request, const json& schema, Strictness strictness) {
    json body = json::object();
    if (!request.body.empty()) {
        auto parsed = wire::parse_json(request.body,
                                       {.bytes_max = kBodyBytesMax, .depth_max = kBodyDepthMax});
        if (!parsed) {
            return fail(ErrorCode::InvalidArgument, "the body: " + parsed.error().message);
        }
        if (!parsed->is_object()) {
            return fail(ErrorCode::InvalidArgument, "the body must be a JSON object");
        }
        body = std::move(*parsed);
    }
    shape(body, schema, strictness);
    A2H_TRY(catalogue::validate(schema, body));
    return body;
}

}  // namespace a2h::market
