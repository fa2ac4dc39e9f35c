// The tools, prompts and resources that the scenarios of the conformance program name.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/integration/mcp_conformance/fixture.h"

namespace a2h::test {
namespace {

using mcp::Outcome;
using mcp::RpcCode;
using mcp::RpcError;
using nlohmann::json;
using nlohmann::ordered_json;

/// One red pixel, and one silent sample.
constexpr const char* kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
constexpr const char* kWav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

constexpr const char* kNoArguments = R"({"type": "object", "properties": {}})";
constexpr const char* kSchemaTool = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {
    "name": {"type": "string"},
    "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"},
    "email": {"type": "string"}
  },
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]},
  "else": {"required": ["email"]},
  "additionalProperties": false
})";

Outcome texts(const std::string& text) {
    return ordered_json{{"content", {{{"type", "text"}, {"text", text}}}}};
}

ordered_json image() {
    return {{"type", "image"}, {"data", kPng}, {"mimeType", "image/png"}};
}

ordered_json resource(const char* uri, const char* type, const std::string& text) {
    return {{"type", "resource"}, {"resource", {{"uri", uri}, {"mimeType", type}, {"text", text}}}};
}

Outcome contents(ordered_json list) {
    return ordered_json{{"content", std::move(list)}};
}

/// A short pause between two notifications, so that they arrive separately.
void pause(std::stop_token cancelled) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, cancelled, std::chrono::milliseconds(50), [] { return false; });
}

json sampling(const char* words, int tokens) {
    return {{"method", "sampling/createMessage"},
            {"params",
             {{"messages", {{{"role", "user"}, {"content", {{"type", "text"}, {"text", words}}}}}},
              {"maxTokens", tokens}}}};
}

json roots() {
    return {{"method", "roots/list"}, {"params", json::object()}};
}

Outcome with_logging(Fixture& fixture, const Fixture::Call& call) {
    for (const char* words :
         {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
        fixture.log(call, words);
        pause(call.cancelled);
    }
    return texts("Logged.");
}

Outcome with_progress(Fixture& fixture, const Fixture::Call& call) {
    const json meta = call.params->value("_meta", json::object());
    for (const int progress : {0, 50, 100}) {
        if (meta.contains("progressToken")) {
            fixture.notify(
                "notifications/progress",
                {{"progressToken", meta["progressToken"]}, {"progress", progress}, {"total", 100}});
        }
        pause(call.cancelled);
    }
    return texts("Done.");
}

/// Tools that ask the client while they run, up to 2025-11-25.
Outcome ask_client(Fixture& fixture, const Fixture::Call& call, const std::string& capability,
                   const char* method, const json& params, const char* words) {
    if (!call.capabilities->contains(capability)) {
        return RpcError{RpcCode::InvalidParams, "the client does not offer " + capability, {}};
    }
    const json answer = fixture.ask(call, method, params);
    if (answer.contains("content") && answer["content"].is_object() &&
        answer["content"].contains("text")) {
        return texts(words + answer["content"]["text"].get<std::string>());
    }
    return texts(std::string(words) + "action=" + answer.value("action", "none") +
                 ", content=" + answer.value("content", json::object()).dump());
}

Outcome sampled(Fixture& fixture, const Fixture::Call& call) {
    const std::string prompt = call.params->value("/arguments/prompt"_json_pointer, "");
    return ask_client(fixture, call, "sampling", "sampling/createMessage",
                      sampling(prompt.c_str(), 100)["params"], "LLM response: ");
}

Outcome elicited(Fixture& fixture, const Fixture::Call& call, const char* properties,
                 const json& required, const std::string& message) {
    return ask_client(
        fixture, call, "elicitation", "elicitation/create",
        {{"message", message},
         {"requestedSchema",
          {{"type", "object"}, {"properties", json::parse(properties)}, {"required", required}}}},
        "Elicitation completed: ");
}

Outcome elicited_user(Fixture& fixture, const Fixture::Call& call) {
    return elicited(fixture, call, R"({
      "username": {"type": "string", "description": "Name of the user"},
      "email": {"type": "string", "description": "Where mail reaches the user"}
    })",
                    {"username", "email"},
                    call.params->value("/arguments/message"_json_pointer, ""));
}

Outcome elicited_defaults(Fixture& fixture, const Fixture::Call& call) {
    return elicited(fixture, call, R"({
      "name": {"type": "string", "default": "John Doe"},
      "age": {"type": "integer", "default": 30},
      "score": {"type": "number", "default": 95.5},
      "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
      "verified": {"type": "boolean", "default": true}
    })",
                    json::array(), "Correct what is wrong");
}

Outcome elicited_enums(Fixture& fixture, const Fixture::Call& call) {
    return elicited(fixture, call, R"({
      "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
      "titledSingle": {"type": "string", "oneOf": [
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"}]},
      "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"]},
      "untitledMulti": {"type": "array",
        "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
      "titledMulti": {"type": "array", "items": {"anyOf": [
        {"const": "value1", "title": "First Choice"},
        {"const": "value2", "title": "Second Choice"},
        {"const": "value3", "title": "Third Choice"}]}}
    })",
                    json::array(), "Choose");
}

/// Answers once the client has answered all rounds; `words` come before what it said.
Outcome in_rounds(Fixture& fixture, const Fixture::Call& call, const json& rounds, bool sealed,
                  const char* words) {
    json answers;
    Outcome outcome = fixture.ask_in_rounds(call, rounds, sealed, answers);
    const auto* result = std::get_if<ordered_json>(&outcome);
    if (result == nullptr || !result->is_null()) return outcome;
    return texts(words + answers.dump());
}

Outcome asks_name(Fixture& fixture, const Fixture::Call& call) {
    return in_rounds(
        fixture, call,
        json::array({{{"user_name", question("What is your name?", "name", "string")}}}), false,
        "Hello, ");
}

Outcome asks_model(Fixture& fixture, const Fixture::Call& call) {
    return in_rounds(
        fixture, call,
        json::array({{{"capital_question", sampling("What is the capital of France?", 100)}}}),
        false, "The model says: ");
}

Outcome asks_roots(Fixture& fixture, const Fixture::Call& call) {
    return in_rounds(fixture, call, json::array({{{"client_roots", roots()}}}), false, "Roots: ");
}

Outcome asks_with_state(Fixture& fixture, const Fixture::Call& call) {
    return in_rounds(fixture, call,
                     json::array({{{"confirm", question("Please confirm", "ok", "boolean")}}}),
                     true, "state-ok ");
}

Outcome asks_much(Fixture& fixture, const Fixture::Call& call) {
    return in_rounds(fixture, call,
                     json::array({{{"user_name", question("What is your name?", "name", "string")},
                                   {"greeting", sampling("Generate a greeting", 50)},
                                   {"client_roots", roots()}}}),
                     true, "All of it: ");
}

Outcome asks_twice(Fixture& fixture, const Fixture::Call& call) {
    return in_rounds(
        fixture, call,
        json::array(
            {{{"step1", question("Step 1: What is your name?", "name", "string")}},
             {{"step2", question("Step 2: What is your favorite color?", "color", "string")}}}),
        true, "Both: ");
}

/// Asks only for what the client can do.
Outcome asks_what_it_may(Fixture& fixture, const Fixture::Call& call) {
    json round = json::object();
    if (call.capabilities->contains("sampling")) round["greeting"] = sampling("Greet", 50);
    if (call.capabilities->contains("elicitation")) {
        round["user_name"] = question("What is your name?", "name", "string");
    }
    if (round.empty()) return texts("There is nothing to ask with.");
    return in_rounds(fixture, call, json::array({round}), false, "Answers: ");
}

Outcome needs_sampling(Fixture&, const Fixture::Call& call) {
    if (call.capabilities->contains("sampling")) return texts("Sampling is there.");
    return RpcError{RpcCode::MissingCapability, "Missing required client capability",
                    R"({"requiredCapabilities":{"sampling":{}}})"};
}

Outcome simple_text(Fixture&, const Fixture::Call&) {
    return texts("This is a simple text response for testing.");
}

Outcome one_image(Fixture&, const Fixture::Call&) {
    return contents({image()});
}

Outcome audio(Fixture&, const Fixture::Call&) {
    return contents({{{"type", "audio"}, {"data", kWav}, {"mimeType", "audio/wav"}}});
}

Outcome embedded(Fixture&, const Fixture::Call&) {
    return contents({resource("test://embedded-resource", "text/plain",
                              "This is an embedded resource content.")});
}

Outcome mixed(Fixture&, const Fixture::Call&) {
    return contents({{{"type", "text"}, {"text", "Multiple content types test:"}},
                     image(),
                     resource("test://mixed-content-resource", "application/json",
                              R"({"test":"data","value":123})")});
}

Outcome fails(Fixture&, const Fixture::Call&) {
    auto outcome = texts("This tool intentionally returns an error for testing");
    std::get<ordered_json>(outcome)["isError"] = true;
    return outcome;
}

Outcome changes_tools(Fixture& fixture, const Fixture::Call&) {
    fixture.tell_listeners("toolsListChanged", "notifications/tools/list_changed");
    return texts("Told.");
}

Outcome changes_prompts(Fixture& fixture, const Fixture::Call&) {
    fixture.tell_listeners("promptsListChanged", "notifications/prompts/list_changed");
    return texts("Told.");
}

Outcome greet(Fixture&, const Fixture::Call& call) {
    const json arguments = call.params->value("arguments", json::object());
    return texts("Hello, " + arguments.value("name", "you") + "!");
}

struct ToolRow {
    const char* name;
    Outcome (*run)(Fixture&, const Fixture::Call&);
    const char* schema = kNoArguments;
};

const std::vector<ToolRow>& tool_rows() {
    static const std::vector<ToolRow> rows = {
        {"greet", greet},
        {"test_simple_text", simple_text},
        {"test_image_content", one_image},
        {"test_audio_content", audio},
        {"test_embedded_resource", embedded},
        {"test_multiple_content_types", mixed},
        {"test_tool_with_logging", with_logging},
        {"test_logging_tool", with_logging},
        {"test_tool_with_progress", with_progress},
        {"test_error_handling", fails},
        {"test_sampling", sampled,
         R"({"type": "object", "properties": {"prompt": {"type": "string"}},
             "required": ["prompt"]})"},
        {"test_elicitation", elicited_user,
         R"({"type": "object", "properties": {"message": {"type": "string"}},
             "required": ["message"]})"},
        {"test_elicitation_sep1034_defaults", elicited_defaults},
        {"test_elicitation_sep1330_enums", elicited_enums},
        {"json_schema_2020_12_tool", simple_text, kSchemaTool},
        {"test_missing_capability", needs_sampling},
        {"test_streaming_elicitation", asks_name},
        {"test_trigger_tool_change", changes_tools},
        {"test_trigger_prompt_change", changes_prompts},
        {"test_input_required_result_elicitation", asks_name},
        {"test_input_required_result_sampling", asks_model},
        {"test_input_required_result_list_roots", asks_roots},
        {"test_input_required_result_request_state", asks_with_state},
        {"test_input_required_result_multiple_inputs", asks_much},
        {"test_input_required_result_multi_round", asks_twice},
        {"test_input_required_result_tampered_state", asks_with_state},
        {"test_input_required_result_capabilities", asks_what_it_may},
    };
    return rows;
}

/// The result of prompts/get with these contents, all of the user.
Outcome messages(const std::vector<ordered_json>& contents) {
    ordered_json list = ordered_json::array();
    for (const ordered_json& content : contents)
        list.push_back({{"role", "user"}, {"content", content}});
    return ordered_json{{"messages", std::move(list)}};
}

ordered_json text_content(const std::string& text) {
    return {{"type", "text"}, {"text", text}};
}

RpcError refused(const std::string& words) {
    return {RpcCode::InvalidParams, words, {}};
}

}  // namespace

json question(const char* words, const char* member, const char* type) {
    return {{"method", "elicitation/create"},
            {"params",
             {{"mode", "form"},
              {"message", words},
              {"requestedSchema",
               {{"type", "object"},
                {"properties", {{member, {{"type", type}}}}},
                {"required", {member}}}}}}};
}

ordered_json fixture_tools() {
    ordered_json tools = ordered_json::array();
    for (const ToolRow& row : tool_rows()) {
        tools.push_back({{"name", row.name},
                         {"description", "What the conformance scenarios want of it"},
                         {"inputSchema", ordered_json::parse(row.schema)}});
    }
    return tools;
}

Outcome run_fixture_tool(Fixture& fixture, const Fixture::Call& call) {
    const std::string name = call.params->value("name", "");
    for (const ToolRow& row : tool_rows()) {
        if (name == row.name) return row.run(fixture, call);
    }
    return refused("Unknown tool: " + name);
}

ordered_json fixture_prompts() {
    const auto argument = [](const char* name) {
        return ordered_json{{"name", name}, {"description", "Any text"}, {"required", true}};
    };
    const auto prompt = [](const char* name, ordered_json arguments) {
        return ordered_json{{"name", name},
                            {"description", "What the conformance scenarios want of it"},
                            {"arguments", std::move(arguments)}};
    };
    const ordered_json none = ordered_json::array();
    return ordered_json::array({prompt("test_simple_prompt", none),
                                prompt("test_prompt_with_arguments",
                                       ordered_json::array({argument("arg1"), argument("arg2")})),
                                prompt("test_prompt_with_embedded_resource",
                                       ordered_json::array({argument("resourceUri")})),
                                prompt("test_prompt_with_image", none),
                                prompt("test_input_required_result_prompt", none)});
}

Outcome get_fixture_prompt(Fixture& fixture, const Fixture::Call& call) {
    const std::string name = call.params->value("name", "");
    const json arguments = call.params->value("arguments", json::object());
    const auto argument = [&](const char* key) { return arguments.value(key, ""); };
    if (name == "test_simple_prompt") {
        return messages({text_content("This is a simple prompt for testing.")});
    }
    if (name == "test_prompt_with_arguments") {
        return messages({text_content("Prompt with arguments: arg1='" + argument("arg1") +
                                      "', arg2='" + argument("arg2") + "'")});
    }
    if (name == "test_prompt_with_embedded_resource") {
        return messages({resource(argument("resourceUri").c_str(), "text/plain",
                                  "Embedded resource content for testing."),
                         text_content("Please process the embedded resource above.")});
    }
    if (name == "test_prompt_with_image") {
        return messages({image(), text_content("Please analyze the image above.")});
    }
    if (name != "test_input_required_result_prompt" || !mcp::is_modern(call.version)) {
        return refused("Unknown prompt: " + name);
    }
    json answers;
    auto outcome = fixture.ask_in_rounds(
        call,
        json::array({{{"user_context",
                       question("What context should the prompt use?", "context", "string")}}}),
        false, answers);
    const auto* result = std::get_if<ordered_json>(&outcome);
    if (result == nullptr || !result->is_null()) return outcome;
    return messages({text_content("Context: " + answers.dump())});
}

ordered_json fixture_resources() {
    const auto row = [](const char* uri, const char* type) {
        return ordered_json{
            {"uri", uri}, {"name", uri}, {"description", "For tests"}, {"mimeType", type}};
    };
    return ordered_json::array({row("test://static-text", "text/plain"),
                                row("test://static-binary", "image/png"),
                                row("test://watched-resource", "text/plain")});
}

ordered_json fixture_templates() {
    return ordered_json::array({{{"uriTemplate", "test://template/{id}/data"},
                                 {"name", "template"},
                                 {"description", "For tests"},
                                 {"mimeType", "application/json"}}});
}

Outcome read_fixture_resource(const Fixture::Call& call) {
    const std::string uri = call.params->value("uri", "");
    const std::string before = "test://template/";
    const std::string after = "/data";
    ordered_json content = {{"uri", uri}};
    if (uri == "test://static-text" || uri == "test://watched-resource") {
        content["mimeType"] = "text/plain";
        content["text"] = "This is the content of the static text resource.";
    } else if (uri == "test://static-binary") {
        content["mimeType"] = "image/png";
        content["blob"] = kPng;
    } else if (uri.starts_with(before) && uri.ends_with(after)) {
        const std::string id = uri.substr(before.size(), uri.size() - before.size() - after.size());
        content["mimeType"] = "application/json";
        content["text"] =
            ordered_json{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}}.dump();
    } else {
        const bool modern = mcp::is_modern(call.version);
        return RpcError{modern ? RpcCode::InvalidParams : RpcCode::ResourceNotFound,
                        "Resource not found", json{{"uri", uri}}.dump()};
    }
    return ordered_json{
        {"contents", {std::move(content)}}, {"ttlMs", 60'000}, {"cacheScope", "public"}};
}

}  // namespace a2h::test
