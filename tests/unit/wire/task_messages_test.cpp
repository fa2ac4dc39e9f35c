#include "core/wire/task_messages.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using namespace a2h::wire;
using nlohmann::json;

namespace {

constexpr const char* kUuid = "190efc4c-3094-41d4-a6dc-4a0e140bd73e";
constexpr UnixMs kSentAt = 1'752'544'984'000;  // 2025-07-15T02:03:04Z

json envelope_fields() {
    return {{"message_id", "6f8414d7-8e69-4d6e-b516-6c2ef3fca8d8"},
            {"sent_at", "2025-07-15T02:03:04Z"},
            {"schema_version", "v0.1"}};
}

json with(json fields) {
    json object = envelope_fields();
    object.update(fields);
    return object;
}

json task_event() {
    json event = with({{"task_id", kUuid}, {"retry_count", 0}, {"max_attempts", 3}});
    event["payload"]["agent_id"] = "sop agent";
    return event;
}

json evaluation(json changes = json::object()) {
    json answer =
        with({{"task_id", kUuid}, {"status", "pass"}, {"score", 80}, {"next_action", "none"}});
    answer.update(changes);
    return answer;
}

json report() {
    json result = {{"invocation_id", kUuid},
                   {"tool_id", kUuid},
                   {"result_type", "tool_result"},
                   {"created_at", "2025-07-15T02:03:04Z"}};
    result["data"] = json::object();
    json object = with({{"task_id", kUuid}});
    object["tool_results"] = json::array({result});
    object["task_results"]["text"] = "done";
    return object;
}

template <typename Message>
std::string why_not(const json& object) {
    const auto read = read_task_message<Message>(object.dump());
    return read ? std::string() : read.error().message;
}

/// Each member in turn away, and of another type.
template <typename Message>
void demand_every_field(const json& good) {
    REQUIRE_MESSAGE(why_not<Message>(good).empty(), why_not<Message>(good));
    for (const auto& [name, value] : good.items()) {
        json less = good;
        less.erase(name);
        const bool is_optional = name == "trace_id";
        CHECK_MESSAGE(why_not<Message>(less).empty() == is_optional, name);
        json other = good;
        other[name] = value.is_boolean() ? json(1) : json(true);
        const std::string why = why_not<Message>(other);
        CHECK_MESSAGE(why.find(name) != std::string::npos, name, ": ", why);
    }
}

template <typename Message>
void comes_back_the_same(const json& object) {
    const auto read = read_task_message<Message>(object.dump());
    REQUIRE(read.has_value());
    const auto written = write_task_message(*read);
    REQUIRE_MESSAGE(written.has_value(), (written ? "" : written.error().message));
    CHECK(json::parse(*written) == object);
}

}  // namespace

TEST_CASE("every message has exactly its fields, with the envelope at its root") {
    json traced = task_event();
    traced["trace_id"] = "trace_1";
    comes_back_the_same<TaskEvent>(traced);
    comes_back_the_same<TaskEvent>(task_event());
    json again = task_event();
    again["retry_count"] = 2;
    comes_back_the_same<RetryEvent>(again);
    json context = with({{"agent_id", kUuid}, {"task_id", kUuid}});
    context["globals"]["language"] = "zh-CN";
    comes_back_the_same<GetContextRequest>(context);
    const json blocks = with({{"system", "s"},
                              {"task", "t"},
                              {"allowed_tools", "[]"},
                              {"context_data", "一\n二"},
                              {"instruction", ""}});
    comes_back_the_same<PromptBlocksResponse>(blocks);
    comes_back_the_same<ReportResultRequest>(report());
    json request = with({{"task_id", kUuid}});
    request["task_results"]["text"] = "done";
    comes_back_the_same<EvaluationRequest>(request);
    comes_back_the_same<EvaluationResponse>(evaluation());
}

TEST_CASE("a field that is missing or of another type is named") {
    demand_every_field<TaskEvent>(task_event());
    json context = with({{"agent_id", kUuid}, {"task_id", kUuid}});
    context["globals"] = json::object();
    demand_every_field<GetContextRequest>(context);
    demand_every_field<PromptBlocksResponse>(with({{"system", "s"},
                                                   {"task", "t"},
                                                   {"allowed_tools", "[]"},
                                                   {"context_data", "c"},
                                                   {"instruction", "i"}}));
    demand_every_field<ReportResultRequest>(report());
    demand_every_field<EvaluationResponse>(evaluation());
    for (const char* name : {"invocation_id", "tool_id", "result_type", "data", "created_at"}) {
        json less = report();
        less["tool_results"][0].erase(name);
        const std::string why = why_not<ReportResultRequest>(less);
        CHECK_MESSAGE(why.find("tool_results: " + std::string(name)) == 0, why);
    }
}

TEST_CASE("unknown fields are ignored and a null counts as missing") {
    json event = task_event();
    event["colour"] = "red";
    event["trace_id"] = nullptr;
    CHECK(why_not<TaskEvent>(event).empty());
    event["task_id"] = nullptr;
    CHECK_FALSE(why_not<TaskEvent>(event).empty());
}

TEST_CASE("R44: unknown words of a verdict are fail and none") {
    const auto read = [](json changes) {
        return read_task_message<EvaluationResponse>(evaluation(std::move(changes)).dump()).value();
    };
    CHECK(read({{"status", "excellent"}}).status == EvaluationStatus::Fail);
    CHECK(read({{"status", "PASS"}}).status == EvaluationStatus::Fail);
    CHECK(read({{"status", "pass"}}).status == EvaluationStatus::Pass);
    CHECK(read({{"next_action", "explode"}}).next_action == NextAction::None);
    CHECK(read({{"next_action", "retry"}}).next_action == NextAction::Retry);
    CHECK(read({{"next_action", "next_slice"}}).next_action == NextAction::NextSlice);
}

TEST_CASE("R44: a score outside 0 to 100 is refused in both directions") {
    for (const double score : {-0.5, 100.5, 1e300}) {
        CHECK(why_not<EvaluationResponse>(evaluation({{"score", score}})) ==
              "score must be 0 to 100");
        EvaluationResponse answer =
            read_task_message<EvaluationResponse>(evaluation().dump()).value();
        answer.score = score;
        CHECK_FALSE(write_task_message(answer).has_value());
    }
    for (const double score : {0.0, 62.5, 100.0})
        CHECK(why_not<EvaluationResponse>(evaluation({{"score", score}})).empty());
}

TEST_CASE("R44: schema_version v0.x is read, another major is unsupported") {
    const auto code = [](const char* version) {
        json event = task_event();
        event["schema_version"] = version;
        const auto read = read_task_message<TaskEvent>(event.dump());
        return read ? ErrorCode::Internal : read.error().code;
    };
    for (const char* version : {"v0", "v0.1", "v0.2", "v0.10.3"})
        CHECK(code(version) == ErrorCode::Internal);
    for (const char* version : {"v1.0", "v1", "v10.1"})
        CHECK(code(version) == ErrorCode::Unsupported);
    for (const char* version : {"", "v", "0.1", "v0.x", "latest"})
        CHECK(code(version) == ErrorCode::InvalidArgument);
}

TEST_CASE("R43: n tries are counted from 0 to n - 1, and a retry keeps task and payload") {
    auto event = read_task_message<TaskEvent>(task_event().dump()).value();
    TaskEnvelope next;
    next.message_id = new_uuid();
    next.sent_at_ms = kSentAt;
    const auto second = retry_of(event, next).value();
    CHECK(second.retry_count == 1);
    CHECK(second.task_id == event.task_id);
    CHECK(second.payload_json == event.payload_json);
    CHECK(second.envelope.message_id != event.envelope.message_id);
    CHECK(write_task_message(second).has_value());
    const auto third = retry_of(second, next).value();
    CHECK(third.retry_count == 2);
    CHECK_FALSE(retry_of(third, next).has_value());

    json object = task_event();
    object["retry_count"] = 3;
    CHECK(why_not<TaskEvent>(object) == "retry_count must be 0 to 2");
    object["retry_count"] = 0;
    CHECK(why_not<RetryEvent>(object) == "retry_count must be 1 to 2");
    object["max_attempts"] = 0;
    CHECK_FALSE(why_not<TaskEvent>(object).empty());
    object["max_attempts"] = 18'446'744'073'709'551'615ULL;
    CHECK_FALSE(why_not<TaskEvent>(object).empty());
    event.retry_count = -1;
    CHECK_FALSE(write_task_message(event).has_value());
}

TEST_CASE("an invalid uuid, object or text is not written") {
    auto event = read_task_message<TaskEvent>(task_event().dump()).value();
    const auto refused = [](TaskEvent changed) { return !write_task_message(changed).has_value(); };
    TaskEvent changed = event;
    changed.task_id = "task 7";
    CHECK(refused(changed));
    changed = event;
    changed.payload_json = "[1]";
    CHECK(refused(changed));
    changed = event;
    changed.envelope.trace_id = std::string(kTaskFieldBytesMax + 1, 'x');
    CHECK(refused(changed));
    changed = event;
    changed.envelope.schema_version = "v7";
    CHECK(refused(changed));
    PromptBlocksResponse blocks;
    blocks.envelope = event.envelope;
    blocks.task = "\xff";
    CHECK_FALSE(write_task_message(blocks).has_value());
}

TEST_CASE("input that is not a JSON object is refused without an exception") {
    for (const char* text : {"", "[]", "7", "{", "{\"a\":1,\"a\":2}", "\xff", "null"})
        CHECK_FALSE(read_task_message<TaskEvent>(text).has_value());
    CHECK(read_task_message<TaskEvent>(std::string(70'000, ' ')).error().code ==
          ErrorCode::ResourceExhausted);
}

TEST_CASE("the types have names, and those for tool calls are reserved") {
    int reserved = 0;
    for (const char* name : {"task_event", "get_context_request", "prompt_blocks_response",
                             "tool_call_request", "tool_call_response", "report_result_request",
                             "evaluation_request", "evaluation_response", "retry_event"}) {
        const auto type = parse_task_message_type(name);
        REQUIRE(type.has_value());
        CHECK(to_string(*type) == name);
        if (is_reserved(*type)) ++reserved;
    }
    CHECK(reserved == 2);
    CHECK(is_reserved(TaskMessageType::ToolCallRequest));
    CHECK_FALSE(parse_task_message_type("tool_call").has_value());
}

TEST_CASE("R43: the uuid of an id is its version 5 in our namespace") {
    CHECK(uuid_of("ag_seller") == "c6be1e67-9d1d-5d69-bb0d-ff692c968c2e");
    CHECK(is_uuid(uuid_of("")));
    const std::string random = new_uuid();
    CHECK(is_uuid(random));
    CHECK(random[14] == '4');
    CHECK(random != new_uuid());
    CHECK(is_uuid("190EFC4C-3094-41D4-A6DC-4A0E140BD73E"));
    for (const char* text :
         {"", "190efc4c309441d4a6dc4a0e140bd73e", "190efc4c-3094-41d4-a6dc-4a0e140bd73g",
          "{90efc4c-3094-41d4-a6dc-4a0e140bd73}"})
        CHECK_FALSE(is_uuid(text));
    json event = task_event();
    event["task_id"] = "190EFC4C-3094-41D4-A6DC-4A0E140BD73E";
    CHECK(read_task_message<TaskEvent>(event.dump()).value().task_id == kUuid);
}
