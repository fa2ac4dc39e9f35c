#include "core/catalogue/arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/guarded.h"
#include "core/base/text.h"
#include "core/domain/agent_message_types.h"
#include "core/domain/mandate_kind.h"

namespace a2h::catalogue {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct NamedKind {
    std::string_view name;
    std::string_view schema;
};
constexpr std::array kNamedKinds{
    NamedKind{"id", R"({"type": "string", "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$"})"},
    NamedKind{"agent", R"({"type": "string", "minLength": 4, "maxLength": 51,
                           "pattern": "^ag_[0-9A-Za-z]+$"})"},
    NamedKind{"approval",
              R"({"type": "string", "maxLength": 64, "pattern": "^apr_[0-9A-Za-z]+$"})"},
    NamedKind{"mandate", R"({"type": "string", "maxLength": 64, "pattern": "^mdt_[0-9a-f]+$"})"},
    NamedKind{"person", R"({"type": "string", "minLength": 1, "maxLength": 32,
                            "pattern": "^[a-z0-9_-]+$"})"},
    NamedKind{"currency", R"({"type": "string", "maxLength": 3, "pattern": "^[A-Z]{3}$"})"},
    NamedKind{"address", R"({"type": "string", "maxLength": 2048, "pattern": "^https?://"})"},
    NamedKind{"digest", R"({"type": "string", "maxLength": 64, "pattern": "^[0-9a-f]{64}$"})"},
    NamedKind{"code", R"({"type": "string", "maxLength": 6, "pattern": "^[0-9]{6}$"})"},
};
/// The pattern of codes, which no other kind has.
constexpr std::string_view kCodePattern = "^[0-9]{6}$";

/// The text before `separator`, removed from `text` together with it; all of it if there is none.
std::string_view take(std::string_view& text, std::string_view separator) {
    const auto end = std::min(text.find(separator), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + separator.size(), text.size()));
    return taken;
}

std::int64_t number_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    A2H_CHECK(error == std::errc() && end == text.data() + text.size());
    return number;
}

/// "1-64", "1-" or "64".
void add_range(ordered_json& schema, std::string_view range, const char* least, const char* most) {
    if (range.find('-') != std::string_view::npos) schema[least] = number_in(take(range, "-"));
    if (!range.empty()) schema[most] = number_in(range);
}

template <typename Value>
void add_choices(ordered_json& schema, std::string_view choices, Value value) {
    while (!choices.empty())
        schema["enum"].push_back(value(take(choices, " ")));
}

/// Chat comes first, then "general", which may contain anything, then the types with a fixed form.
ordered_json schema_of_message_type() {
    ordered_json names{"chat.request", to_string(AgentMessageType::General)};
    for (const AgentMessageRow& row : kAgentMessages)
        if (row.type != AgentMessageType::General) names.push_back(row.name);
    return {{"type", "string"}, {"enum", std::move(names)}};
}

/// `names` of members: texts, or lists of texts if they end in "[]". Not every model provider
/// accepts an object without any.
void add_members(ordered_json& schema, std::string_view names) {
    const ordered_json text = {{"type", "string"}};
    ordered_json& members = schema["properties"] = ordered_json::object();
    while (!names.empty()) {
        std::string_view name = take(names, " ");
        const bool is_list = name.ends_with("[]");
        if (is_list) name.remove_suffix(2);
        members[std::string(name)] =
            is_list ? ordered_json{{"type", "array"}, {"items", text}} : text;
    }
}

ordered_json schema_of_kind(std::string_view kind) {
    if (kind == "message type") return schema_of_message_type();
    for (const NamedKind& named : kNamedKinds) {
        if (named.name == kind) return ordered_json::parse(named.schema);
    }
    std::string_view fallback = kind;
    std::string_view rest = take(fallback, " = ");
    const std::string_view type = take(rest, " ");
    ordered_json schema;
    if (type == "text") {
        schema["type"] = "string";
        add_range(schema, rest, "minLength", "maxLength");
    } else if (type == "integer") {
        schema["type"] = "integer";
        add_range(schema, rest, "minimum", "maximum");
    } else if (type == "one") {
        schema["type"] = "string";
        take(rest, " ");
        add_choices(schema, rest, [](std::string_view word) { return word; });
    } else if (type == "object") {
        schema["type"] = "object";
        add_members(schema, rest);
    } else {
        A2H_CHECK(type == "flag");
        schema["type"] = "boolean";
    }
    if (fallback.empty()) return schema;
    const bool is_word = type == "one";
    schema["default"] = is_word ? ordered_json(fallback) : ordered_json::parse(fallback);
    return schema;
}

ordered_json schema_of(const ordered_json& argument) {
    if (argument.is_object()) return argument;
    ordered_json schema = schema_of_kind(argument.at(0).get_ref<const std::string&>());
    schema["description"] = argument.at(1);
    return schema;
}

/// The members of an object that may have others, also as the item of a list, are checked by the
/// operation, whose errors say more about them.
void open_members(json& argument) {
    if (const auto items = argument.find("items"); items != argument.end()) {
        return open_members(*items);
    }
    const bool is_open = argument.value("type", "") == "object" &&
                         argument.value("additionalProperties", json()) != json(false);
    if (!is_open) return;
    argument["properties"] = json::object();
    argument.erase("required");
}

}  // namespace

ordered_json ordered_input_schema(const Operation& operation) {
    ordered_json properties = ordered_json::object();
    ordered_json required = ordered_json::array();
    const auto arguments =
        ordered_json::parse("{" + std::string(operation.arguments) + "}", nullptr, false);
    A2H_CHECK(arguments.is_object());
    for (const auto& [key, argument] : arguments.items()) {
        std::string name = key;
        if (name.ends_with('!')) {
            name.pop_back();
            required.push_back(name);
        }
        properties[name] = schema_of(argument);
    }
    ordered_json schema{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
}

const json& input_schema(const Operation& operation) {
    static Guarded<std::map<std::string_view, json>> all;
    return all.with([&](auto& known) -> const json& {
        const auto found = known.find(operation.action);
        if (found != known.end()) return found->second;
        json schema(ordered_input_schema(operation));
        for (json& argument : schema["properties"])
            open_members(argument);
        return known.emplace(operation.action, std::move(schema)).first->second;
    });
}

void normalize_codes(const Operation& operation, json& arguments) {
    if (!arguments.is_object()) return;
    for (const auto& [name, schema] : input_schema(operation)["properties"].items()) {
        if (schema.value("pattern", "") != kCodePattern) continue;
        const auto code = arguments.find(name);
        if (code == arguments.end() || !code->is_string()) continue;
        *code = plain_digits(code->get_ref<const std::string&>());
    }
}

void use_present_names(const Operation& operation, json& arguments) {
    if (operation.action != "mandate.give" || !arguments.is_object()) return;
    const auto kind = arguments.find("action");
    if (kind == arguments.end() || !kind->is_string()) return;
    *kind = std::string(present_name(kFormerMandateKinds, kind->get_ref<const std::string&>()));
}

ordered_json output_schema() {
    return ordered_json::parse(R"({
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"}
        },
        "required": ["ok"]
    })");
}

}  // namespace a2h::catalogue
