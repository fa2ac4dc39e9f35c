#include "cli/standard.h"

#include <algorithm>
#include <deque>
#include <map>

#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/number.h"
#include "cli/pin.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "cli/with_yes.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "core/wire/json_member.h"
#include "embedded/catalogue_texts.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Names that are created here; commands refer to them as long as the program runs.
std::string_view kept(std::string text) {
    static std::deque<std::string> all;
    return all.emplace_back(std::move(text));
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c; });
    return text;
}

/// "peer_id" is PEER_ID as a word and --peer-id as an option.
std::string option_name(std::string member) {
    std::replace(member.begin(), member.end(), '_', '-');
    return "--" + member;
}

Parameter parameter_of(const std::string& member, const ordered_json& schema, bool is_required) {
    const std::string type = schema.at("type");
    const std::string_view help = kept(schema.value("description", std::string()));
    if (is_required) return {kept(upper(member)), ParameterKind::Required, help};
    if (type == "boolean") return {kept(option_name(member)), ParameterKind::Flag, help};
    return {kept(option_name(member)), ParameterKind::Value, help,
            type == "integer" ? "N" : kept(upper(member))};
}

/// The member that is never given on the command line, where others could see it.
constexpr const char* kPinMember = "pin";

template <typename Json>
bool is_required(const Json& schema, const std::string& member) {
    const auto required = schema.value("required", Json::array());
    return std::find(required.begin(), required.end(), Json(member)) != required.end();
}

std::vector<Parameter> parameters_of(const catalogue::Operation& operation) {
    const ordered_json schema = catalogue::ordered_input_schema(operation);
    std::vector<Parameter> words;
    std::vector<Parameter> options;
    bool takes_pin = operation.needs_proof;
    for (const auto& [member, property] : schema.at("properties").items()) {
        const bool required = is_required(schema, member);
        if (member == kPinMember)
            takes_pin = true;
        else
            (required ? words : options).push_back(parameter_of(member, property, required));
    }
    words.insert(words.end(), options.begin(), options.end());
    if (takes_pin) words.push_back(kPinStdin);
    words.push_back(kAgentOption);
    return words;
}

/// Whether a call needs the member `pin`, or the person offers it.
bool gives_pin(const Invocation& invocation, const json& schema) {
    return schema.at("properties").contains(kPinMember) &&
           (is_required(schema, kPinMember) || invocation.has(kPinStdin.name));
}

/// The text given for `parameter` as the member of a call. A Failure is a usage error.
std::variant<json, Failure> value_of(const Invocation& invocation, std::string_view parameter,
                                     const json& schema) {
    const std::string type = wire::text_member(schema, "type");
    if (type == "boolean") return json(true);
    if (type != "integer") return json(invocation.value(parameter));
    const auto number = number_of(invocation, parameter);
    if (const auto* wrong = std::get_if<Failure>(&number)) return *wrong;
    return json(std::get<0>(number));
}

/// --peer-id and PEER_ID are "peer_id".
std::string member_name(std::string_view parameter) {
    std::string name(parameter.substr(parameter.starts_with("--") ? 2 : 0));
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c == '-' ? '_' : c;
    });
    return name;
}

const json& schema_of(std::string_view action) {
    const catalogue::Operation* operation = catalogue::find_action(action);
    A2H_CHECK(operation != nullptr);
    return catalogue::input_schema(*operation);
}

bool offers(const Command& command, const Parameter& option) {
    return std::any_of(command.parameters.begin(), command.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name == option.name; });
}

Outcome call_at_once(const Invocation& invocation, std::string_view action, json params,
                     Renderer render) {
    return call_daemon(invocation, action, std::move(params), render);
}

std::string render_by_titles(const Invocation& invocation, const json& data) {
    return standard_text(invocation.language, invocation.command->action, data);
}

const json& chinese_texts() {
    static const json texts =
        json::parse(embedded::catalogue_texts("tools.zh_CN.json").value_or("{}"), nullptr, false);
    return texts;
}

std::string value_text(i18n::Language language, const json& value) {
    if (value.is_string()) return printable(value.get<std::string>());
    if (value.is_boolean()) return i18n::text(language, value ? "cli.yes" : "cli.no");
    if (value.is_null()) return {};
    if (!value.is_array()) return value.dump();
    std::string all;
    for (const json& item : value)
        all += (all.empty() ? "" : i18n::text(language, "cli.list_comma")) +
               value_text(language, item);
    return all;
}

/// The members of `schema` that have a title, with the title.
std::vector<std::pair<std::string, std::string>> titled(i18n::Language language,
                                                        const ordered_json& schema) {
    std::vector<std::pair<std::string, std::string>> members;
    const ordered_json properties = schema.value("properties", ordered_json::object());
    for (const auto& [member, property] : properties.items()) {
        const std::string title = property.value("title", std::string());
        if (!title.empty()) members.emplace_back(member, command_text(language, title));
    }
    return members;
}

std::string table_of(i18n::Language language, const ordered_json& schema, const json& list) {
    const auto columns = titled(language, schema);
    std::vector<std::string> headings;
    for (const auto& [member, title] : columns)
        headings.push_back(title);
    std::vector<std::vector<std::string>> rows;
    for (const json& entry : list) {
        auto& row = rows.emplace_back();
        for (const auto& [member, title] : columns)
            row.push_back(value_text(language, wire::member(entry, member.c_str())));
    }
    return table(headings, rows, terminal_columns());
}

}  // namespace

std::map<std::string_view, std::string> members_of(const Command& command) {
    const json& schema = schema_of(command.action);
    json left = schema.value("required", json::array());
    std::map<std::string_view, std::string> members;
    std::vector<std::string_view> other_words;
    for (const Parameter& parameter : command.parameters) {
        const std::string name = member_name(parameter.name);
        if (schema.at("properties").contains(name)) {
            members[parameter.name] = name;
            left.erase(std::remove(left.begin(), left.end(), json(name)), left.end());
        } else if (parameter.kind == ParameterKind::Required ||
                   parameter.kind == ParameterKind::Words) {
            other_words.push_back(parameter.name);
        }
    }
    A2H_CHECK(other_words.size() <= left.size());
    for (std::size_t i = 0; i < other_words.size(); ++i)
        members[other_words[i]] = left[i];
    return members;
}

Outcome run_standard(const Invocation& invocation) {
    const Command& command = *invocation.command;
    const json& schema = schema_of(command.action);
    json params = command.given.empty() ? json::object() : json::parse(command.given);
    for (const auto& [parameter, member] : members_of(command)) {
        if (!invocation.has(parameter)) continue;
        auto value = value_of(invocation, parameter, schema.at("properties").at(member));
        if (const auto* wrong = std::get_if<Failure>(&value)) return *wrong;
        params[member] = std::get<json>(std::move(value));
    }
    if (gives_pin(invocation, schema)) {
        auto pin = read_pin(invocation);
        if (auto* refused = std::get_if<Failure>(&pin)) return std::move(*refused);
        params[kPinMember] = std::get<std::string>(std::move(pin));
    }
    const Renderer render = command.render != nullptr ? command.render : render_by_titles;
    const auto call_it = offers(command, kNoWait) ? call_daemon_with_yes : call_at_once;
    return call_it(invocation, command.action, std::move(params), render);
}

Command standard_command(const catalogue::Operation& operation) {
    return {operation.command, operation.action, operation.title, parameters_of(operation),
            run_standard};
}

std::vector<Command> standard_commands() {
    std::vector<Command> all;
    for (const catalogue::Operation& operation : catalogue::operations()) {
        if (!operation.command.empty()) all.push_back(standard_command(operation));
    }
    return all;
}

std::string command_text(i18n::Language language, std::string_view key_or_text) {
    if (i18n::has_key(language, key_or_text)) return i18n::text(language, key_or_text);
    const std::string text(key_or_text);
    return language == i18n::Language::Chinese ? chinese_texts().value(text, text) : text;
}

std::string standard_text(i18n::Language language, std::string_view action, const json& data) {
    const catalogue::Operation* operation = catalogue::find_action(action);
    A2H_CHECK(operation != nullptr);
    const auto schema = ordered_json::parse(operation->output_schema);
    std::string text;
    for (const auto& [member, property] :
         schema.at("properties").at("data").at("properties").items()) {
        const json& value = wire::member(data, member.c_str());
        const std::string title = property.value("title", std::string());
        if (property.contains("items") && property["items"].contains("properties")) {
            if (value.is_array()) text += table_of(language, property["items"], value);
        } else if (!title.empty() && !value.is_null()) {
            text += i18n::text(language, "cli.member",
                               {{"name", command_text(language, title)},
                                {"value", value_text(language, value)}}) +
                    "\n";
        }
    }
    return text;
}

}  // namespace a2h::cli
