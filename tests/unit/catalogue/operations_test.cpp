#include "core/catalogue/operations.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/base/text.h"

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
    return json::parse(row.input_schema, nullptr, false);
}

void check_keywords(const json& schema) {
    static const std::set<std::string> known = {
        "type",    "properties", "required",  "additionalProperties",
        "enum",    "minLength",  "maxLength", "minimum",
        "maximum", "items",      "maxItems",  "pattern",
        "default", "description"};
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
                                                    "a2h_deal_list",
                                                    "a2h_deal_get",
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
        CHECK(row.callers.assistant == !row.tool.empty());
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
        CHECK(!row->callers.assistant);
        CHECK(row->callers.human);
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
        // Models read what a tool answers; people at a terminal read it too.
        if (row.callers.assistant) CHECK(!row.output_schema.empty());
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

TEST_CASE("an output schema is an object, which older clients insist on") {
    for (const Operation& row : operations()) {
        if (row.output_schema.empty()) continue;
        CAPTURE(row.action);
        CHECK(json::parse(row.output_schema, nullptr, false).value("type", "") == "object");
    }
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
