#include "core/catalogue/operations.h"
#include "core/catalogue/arguments.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/base/text.h"
#include "core/catalogue/schema.h"

using a2h::catalogue::find_action;
using a2h::catalogue::find_tool;
using a2h::catalogue::Operation;
using a2h::catalogue::operations;
using nlohmann::json;

namespace {

/// OpenAI refuses every request with a longer description.
constexpr std::size_t kSummaryCharactersMax = 1024;
/// Clients put "mcp__<server>__" before it and allow 60 to 64 characters in all.
constexpr std::size_t kToolNameMax = 40;

json schema_of(const Operation& row) {
    return a2h::catalogue::input_schema(row);
}

/// Gemini refuses objects without a property, OpenAI those that do not list any.
void check_objects(const json& schema) {
    const json properties = schema.value("properties", json::object());
    if (schema.value("type", "") == "object") CHECK(!properties.empty());
    for (const auto& [name, property] : properties.items()) {
        CAPTURE(name);
        check_objects(property);
    }
    if (schema.contains("items")) check_objects(schema["items"]);
}

void check_keywords(const json& schema) {
    static const std::set<std::string> known = {
        "type",    "properties", "required",   "additionalProperties",
        "enum",    "minLength",  "maxLength",  "minimum",
        "maximum", "items",      "minItems",   "maxItems",
        "pattern", "default",    "description"};
    for (const auto& [keyword, value] : schema.items()) {
        CAPTURE(keyword);
        CHECK(known.contains(keyword));
    }
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, property] : properties.items()) {
        CAPTURE(name);
        CHECK(property.contains("description"));
        check_keywords(property);
        // Gemini takes an enum of texts only.
        for (const json& choice : property.value("enum", json::array()))
            CHECK(choice.is_string());
        // The matcher's depth grows with the text.
        if (property.contains("pattern")) CHECK(property.value("maxLength", 1'000'000) <= 2048);
    }
    if (schema.contains("items")) check_keywords(schema["items"]);
}

const std::set<std::string_view> kAssistantTools = {"a2h_status",
                                                    "a2h_negotiation_apply",
                                                    "a2h_inbox_history",
                                                    "a2h_send",
                                                    "a2h_create_approval",
                                                    "a2h_approval_response",
                                                    "a2h_approval_list",
                                                    "a2h_approval_wait",
                                                    "a2h_approval_changes",
                                                    "a2h_deal_list",
                                                    "a2h_deal_get",
                                                    "a2h_works_search",
                                                    "a2h_works_get",
                                                    "a2h_works_list",
                                                    "a2h_works_publish",
                                                    "a2h_works_update",
                                                    "a2h_works_delete",
                                                    "a2h_order_create",
                                                    "a2h_order_action",
                                                    "a2h_order_get",
                                                    "a2h_order_list",
                                                    "a2h_profile_get",
                                                    "a2h_profile_upload_qrcode",
                                                    "a2h_profile_delete_qrcode",
                                                    "a2h_profile_set_default_payment",
                                                    "a2h_profile_list",
                                                    "a2h_profile_import",
                                                    "a2h_file_upload",
                                                    "a2h_address_list",
                                                    "a2h_address_create",
                                                    "a2h_address_delete",
                                                    "a2h_address_set_default",
                                                    "a2h_discussion_publish",
                                                    "a2h_discussion_reply",
                                                    "a2h_discussion_list",
                                                    "a2h_payment_methods",
                                                    "a2h_payment_create_link",
                                                    "a2h_payment_status",
                                                    "a2h_auth_login",
                                                    "a2h_auth_poll",
                                                    "a2h_rfp_create",
                                                    "a2h_rfp_list",
                                                    "a2h_rfp_get",
                                                    "a2h_rfp_update",
                                                    "a2h_rfp_summary",
                                                    "a2h_proposal_submit",
                                                    "a2h_proposal_list",
                                                    "a2h_proposal_get",
                                                    "a2h_proposal_update",
                                                    "a2h_session_create",
                                                    "a2h_session_list",
                                                    "a2h_session_messages",
                                                    "a2h_session_offers",
                                                    "a2h_recorded_deal_list",
                                                    "a2h_recorded_deal_get",
                                                    "a2h_agent_get",
                                                    "a2h_capability_set",
                                                    "a2h_spawn_agent",
                                                    "a2h_agent_stop",
                                                    "a2h_agent_list",
                                                    "a2h_agent_tree",
                                                    "a2h_agent_register",
                                                    "a2h_agent_read",
                                                    "a2h_contact_list",
                                                    "a2h_contact_get",
                                                    "a2h_contact_add",
                                                    "a2h_introduction_request",
                                                    "a2h_introduction_answer",
                                                    "a2h_introduction_list",
                                                    "a2h_task_assign",
                                                    "a2h_task_report",
                                                    "a2h_task_list",
                                                    "a2h_task_get",
                                                    "a2h_task_cancel",
                                                    "a2h_demand_submit",
                                                    "a2h_negotiation_get",
                                                    "a2h_negotiation_list",
                                                    "a2h_negotiation_cancel",
                                                    "a2h_invitation_list",
                                                    "a2h_negotiation_answer",
                                                    "a2h_proposal_feedback"};

}  // namespace

TEST_CASE("the assistant's tools are those of the references and of the exchange, and no others") {
    std::set<std::string_view> tools;
    for (const Operation& row : operations()) {
        if (!row.tool.empty()) CHECK(tools.insert(row.tool).second);
    }
    CHECK(tools == kAssistantTools);
}

TEST_CASE("an assistant cannot answer with a PIN, touch the outbox or stop the daemon") {
    for (const char* action :
         {"approval.answer", "approval.elicit", "outbox.list", "outbox.requeue", "outbox.drop",
          "events.list", "inbox.list", "daemon.stop"}) {
        CAPTURE(action);
        const Operation* row = find_action(action);
        REQUIRE(row != nullptr);
        CHECK(!row->is_for_assistants());
    }
}

TEST_CASE("every row has a unique action, a title and a summary that no client cuts") {
    std::set<std::string_view> actions;
    for (const Operation& row : operations()) {
        CAPTURE(row.action);
        CHECK(actions.insert(row.action).second);
        CHECK(!row.title.empty());
        CHECK(!row.summary.empty());
        CHECK(a2h::code_point_count(row.summary) <= kSummaryCharactersMax);
        CHECK(!row.toolset.empty());
        CHECK(row.tool.size() <= kToolNameMax);
    }
}

TEST_CASE("every input schema is a closed object of keywords that validate() knows") {
    for (const Operation& row : operations()) {
        CAPTURE(row.action);
        const json schema = schema_of(row);
        REQUIRE(schema.is_object());
        CHECK(schema.value("type", "") == "object");
        CHECK(schema.value("additionalProperties", json(true)) == json(false));
        REQUIRE(schema.contains("properties"));
        check_keywords(schema);
        for (const json& name : schema.value("required", json::array())) {
            CHECK(schema["properties"].contains(name.get<std::string>()));
        }
    }
}

TEST_CASE("every object of a shown schema has properties, which providers of models insist on") {
    for (const Operation& row : operations()) {
        CAPTURE(row.action);
        const json schema = a2h::catalogue::ordered_input_schema(row);
        CHECK(schema.contains("properties"));
        if (!row.tool.empty() && !row.arguments.empty()) check_objects(schema);
    }
}

TEST_CASE("members of an open item of a list are shown, and left to the operation to check") {
    const auto* import = find_action("profile.import");
    const auto shown = a2h::catalogue::ordered_input_schema(*import)["properties"]["profiles"];
    CHECK(shown["items"]["properties"]["tags"]["items"]["type"] == "string");
    const json profile{{"user_name", 5}, {"tags", nullptr}, {"more", true}};
    CHECK(a2h::catalogue::validate(schema_of(*import), {{"profiles", {profile}}}));
    CHECK(!a2h::catalogue::validate(schema_of(*import), {{"profiles", {"x"}}}));
}

TEST_CASE("members of an open object are shown, and left to the operation to check") {
    const auto* assign = find_action("task.assign");
    const auto shown = a2h::catalogue::ordered_input_schema(*assign)["properties"]["task_brief"];
    CHECK(shown["properties"]["objective"]["type"] == "string");
    CHECK(shown["properties"]["constraints"]["items"]["type"] == "string");
    CHECK(!shown.contains("additionalProperties"));
    const json schema = schema_of(*assign);
    const json brief{{"objective", 5}, {"constraints", "no list"}, {"more", true}};
    CHECK(a2h::catalogue::validate(schema,
                                   {{"target_agent_id", "ag_Somebody"}, {"task_brief", brief}}));
    CHECK(!a2h::catalogue::validate(schema,
                                    {{"target_agent_id", "ag_Somebody"}, {"task_brief", "x"}}));
}

TEST_CASE("the output schema is an object, which older clients insist on") {
    CHECK(a2h::catalogue::output_schema().value("type", "") == "object");
}

TEST_CASE("the short notation of an argument becomes its schema") {
    Operation row{.action = "none", .title = "", .summary = "", .toolset = "", .hints = {}};
    row.arguments = R"(
        "name!": ["text 1-64", "Name"],
        "note": ["text 9", "Note"],
        "limit": ["integer 1-100 = 20", "At most so many"],
        "after": ["integer 0-", "Cursor"],
        "type": ["integer 2-3", "Kind"],
        "state!": ["one of open closed = open", "State"],
        "all": ["flag = false", "All of them"],
        "agent_id": ["agent", "Who"],
        "some": ["object", "Anything"],
        "brief": ["object goal limits[]", "What for"],
        "other": {"type": "array", "description": "As it stands"}
    )";
    CHECK(a2h::catalogue::ordered_input_schema(row) == nlohmann::ordered_json::parse(R"({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 64, "description": "Name"},
            "note": {"type": "string", "maxLength": 9, "description": "Note"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20,
                      "description": "At most so many"},
            "after": {"type": "integer", "minimum": 0, "description": "Cursor"},
            "type": {"type": "integer", "minimum": 2, "maximum": 3, "description": "Kind"},
            "state": {"type": "string", "enum": ["open", "closed"], "default": "open",
                      "description": "State"},
            "all": {"type": "boolean", "default": false, "description": "All of them"},
            "agent_id": {"type": "string", "minLength": 4, "maxLength": 51,
                         "pattern": "^ag_[0-9A-Za-z]+$", "description": "Who"},
            "some": {"type": "object", "properties": {}, "description": "Anything"},
            "brief": {"type": "object", "properties": {"goal": {"type": "string"},
                      "limits": {"type": "array", "items": {"type": "string"}}},
                      "description": "What for"},
            "other": {"type": "array", "description": "As it stands"}
        },
        "required": ["name", "state"],
        "additionalProperties": false
    })"));
}

TEST_CASE("hints do not contradict each other") {
    for (const Operation& row : operations()) {
        CAPTURE(row.action);
        if (row.hints.read_only) {
            CHECK(!row.hints.destructive);
            CHECK(row.hints.idempotent);
        }
    }
}

TEST_CASE("rows are found by action and by tool, and nothing else is") {
    REQUIRE(find_action("works.publish") != nullptr);
    CHECK(find_tool("a2h_works_publish") == find_action("works.publish"));
    CHECK(find_action("works.steal") == nullptr);
    CHECK(find_tool("works.publish") == nullptr);
    CHECK(find_tool("") == nullptr);
}

TEST_CASE(
    "an operation for people that changes something takes a proof, or is harmless by itself") {
    // Without a proof they only lead to more questions, answer with a proof of their own, or act on
    // this machine alone.
    const std::set<std::string_view> kHarmless = {
        "approval.elicit",    "backup.create", "backup.export", "backup.restore",
        "config.reload",      "daemon.stop",   "doctor.run",    "mandate.revoke",
        "mandate.revoke_all", "notify.test",   "pin.code",      "playbook.reload"};
    for (const Operation& operation : operations()) {
        if (operation.is_for_assistants() || operation.hints.read_only) continue;
        CAPTURE(operation.action);
        const bool takes_pin = operation.arguments.find("\"pin") != std::string_view::npos;
        CHECK((operation.needs_proof || takes_pin || kHarmless.contains(operation.action)));
    }
}
