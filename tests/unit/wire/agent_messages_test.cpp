#include "core/wire/agent_messages.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using namespace a2h::wire;
using nlohmann::json;
using enum a2h::AgentMessageType;

namespace {

using MissingNames = std::vector<std::string>;

MissingNames missing_of(AgentMessageType type, const json& payload) {
    const auto fault = fault_of(type, payload);
    REQUIRE(fault.has_value());
    CHECK(fault->type == type);
    return fault->missing_fields;
}

std::string detail_of(AgentMessageType type, const json& payload) {
    const auto fault = fault_of(type, payload);
    REQUIRE(fault.has_value());
    CHECK(fault->missing_fields.empty());
    return fault->detail;
}

}  // namespace

TEST_CASE("the seven types have their names") {
    for (const char* name :
         {"task_assignment", "status_report", "introduction_request", "introduction_response",
          "collaboration_request", "collaboration_response", "general"}) {
        const auto type = parse_agent_message_type(name);
        REQUIRE(type.has_value());
        CHECK(to_string(*type) == name);
    }
    CHECK_FALSE(parse_agent_message_type("chat.request").has_value());
}

TEST_CASE("a task assignment names what its brief lacks") {
    CHECK(missing_of(TaskAssignment, json::object()) ==
          MissingNames{"task_id", "task_brief", "task_brief.objective", "task_brief.constraints",
                       "task_brief.inputs", "task_brief.outputs",
                       "task_brief.completion_criteria"});
    json payload = {{"taskId", "t"},
                    {"taskBrief",
                     {{"objective", "o"},
                      {"constraints", json::array()},
                      {"inputs", ""},
                      {"outputs", "o"},
                      {"completionCriteria", "c"}}}};
    CHECK(missing_of(TaskAssignment, payload) == MissingNames{"task_brief.inputs"});
    payload["taskBrief"]["inputs"] = "i";
    CHECK_FALSE(fault_of(TaskAssignment, payload).has_value());
    payload["taskBrief"]["constraints"] = "none";
    CHECK(detail_of(TaskAssignment, payload) == "task_brief.constraints must be a list of texts");
}

TEST_CASE("a status report has a task, one of four states and a summary") {
    CHECK(missing_of(StatusReport, {{"summary", ""}}) ==
          MissingNames{"task_id", "status", "summary"});
    json payload = {{"task_id", "t"}, {"status", "done"}, {"summary", "s"}};
    CHECK(detail_of(StatusReport, payload) ==
          "status must be in_progress, blocked, completed, failed or cancelled");
    for (const char* status : {"in_progress", "blocked", "completed", "failed"}) {
        payload["status"] = status;
        CHECK_FALSE(fault_of(StatusReport, payload).has_value());
    }
}

TEST_CASE("an introduction is asked for with a reason and a capability") {
    CHECK(missing_of(IntroductionRequest, json::object()) ==
          MissingNames{"reason", "required_capability"});
    CHECK(detail_of(IntroductionRequest, {{"reason", 5}, {"requiredCapability", "tests"}}) ==
          "reason must be a text");
}

TEST_CASE("an introduction brings a contact, or the reason why there is none") {
    CHECK(missing_of(IntroductionResponse, json::object()) == MissingNames{"introduced"});
    CHECK(missing_of(IntroductionResponse, {{"introduced", true}}) ==
          MissingNames{"contact", "contact.id", "contact.role"});
    CHECK(missing_of(IntroductionResponse, {{"introduced", false}}) == MissingNames{"reason"});
    CHECK(detail_of(IntroductionResponse, {{"introduced", "yes"}}) ==
          "introduced must be true or false");
    json payload = {{"introduced", true}, {"contact", {{"id", "ag_t"}, {"role", "tester"}}}};
    CHECK_FALSE(fault_of(IntroductionResponse, payload).has_value());
    payload["contact"]["interfaceSpec"]["services"] = "tests";
    CHECK(detail_of(IntroductionResponse, payload) ==
          "contact.interface_spec: input_format must be a text; output_format must be a text");
}

TEST_CASE("collaboration is asked for and answered by its request id") {
    CHECK(missing_of(CollaborationRequest, json::object()) ==
          MissingNames{"request_id", "request"});
    CHECK(missing_of(CollaborationResponse, {{"accepted", false}}) ==
          MissingNames{"request_id", "response"});
    CHECK_FALSE(fault_of(CollaborationRequest, {{"requestId", "1"}, {"request", "help"}}));
    CHECK_FALSE(fault_of(CollaborationResponse,
                         {{"request_id", "1"}, {"accepted", true}, {"response", "gladly"}}));
}

TEST_CASE("a general message has any payload, every other one an object") {
    CHECK_FALSE(fault_of(General, json()).has_value());
    CHECK_FALSE(fault_of(General, "hello").has_value());
    const auto fault = fault_of(StatusReport, json::array());
    REQUIRE(fault.has_value());
    CHECK(fault->missing_fields.size() == 3);
    CHECK(fault->detail == "the payload must be an object");
}

TEST_CASE("a fault is reported as the protocol says") {
    const auto fault = fault_of(StatusReport, {{"task_id", "t"}, {"status", 1}});
    REQUIRE(fault.has_value());
    CHECK(to_json(*fault) == json::parse(R"({"error": "invalid_message_format",
        "message_type": "status_report", "missing_fields": ["summary"],
        "detail": "status must be a text"})"));
    const auto plain = fault_of(StatusReport, {{"task_id", "t"}, {"status", "failed"}});
    CHECK_FALSE(to_json(*plain).contains("detail"));
}

TEST_CASE("a payload keeps undocumented members and gets our names for the others") {
    const json payload = {{"taskId", "t"}, {"fooBar", 1}, {"status", "failed"}, {"summary", "s"}};
    CHECK(normalized(StatusReport, payload) ==
          json{{"task_id", "t"}, {"fooBar", 1}, {"status", "failed"}, {"summary", "s"}});
    const json both = {{"task_id", "ours"}, {"taskId", "theirs"}};
    CHECK(normalized(StatusReport, both) == both);
    const json introduced = {
        {"contact", {{"id", "a"}, {"interfaceSpec", {{"inputFormat", "text"}}}}}};
    CHECK(normalized(IntroductionResponse,
                     introduced)["contact"]["interface_spec"]["input_format"] == "text");
    CHECK(normalized(General, payload) == payload);
    CHECK(normalized(TaskAssignment, "text") == "text");
}
