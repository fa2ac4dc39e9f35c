// Stages that are other programs: whose answer counts, and when.

#include "core/store/assignment_store.h"
#include "tests/unit/stages/bench.h"

using namespace a2h;
using namespace a2h::test;
using decide::Kind;
using nlohmann::json;

namespace {

using Types = std::vector<std::string>;

stages::Options all_remote() {
    stages::Options options = with_review();
    options.context = "ag_context";
    options.agent = "ag_writer";
    return options;
}

json envelope() {
    return {{"message_id", wire::new_uuid()},
            {"sent_at", "2025-10-09T08:53:20Z"},
            {"schema_version", "v0.1"}};
}

json blocks() {
    json body = envelope();
    for (const char* name : {"system", "task", "allowed_tools", "context_data", "instruction"})
        body[name] = std::string("remote ") + name;
    return body;
}

json report(const OutboxMessage& event, const std::string& text) {
    json body = envelope();
    body["task_id"] = StageBench::body_of(event)["task_id"];
    body["tool_results"] = json::array();
    body["task_results"] = json::object();
    body["task_results"]["wish"] = "reply";
    body["task_results"]["text"] = text;
    return body;
}

/// A reply that waits for its reviewer.
struct Waiting {
    StageBench bench{with_review()};
    std::int64_t id = bench.open_reply();
    OutboxMessage request = bench.last_sent("evaluation_request");

    json pass() { return bench.verdict(request, "pass", "none"); }
    /// Comes in, is recorded with `reason`, and changes nothing.
    void check_refused(const std::string& reason, const std::string& sender,
                       const std::string& type, const json& body, const std::string& trace,
                       Provenance provenance = Provenance::Verified) {
        CAPTURE(reason);
        const StageCase before = bench.stage_case(id);
        const auto sent = bench.outbox().size();
        const Job job = bench.receive(sender, type, body, trace, provenance);
        CHECK(job.state == JobState::Done);
        CHECK(job.rule_id == "stage.refused");
        CHECK(job.decision == "silent");
        CHECK_MESSAGE(job.why.find(reason) != std::string::npos, job.why);
        CHECK(bench.stage_case(id).version == before.version);
        CHECK(bench.outbox().size() == sent);
        CHECK(bench.approvals().empty());
    }
};

}  // namespace

TEST_CASE("a rule's reply goes to the reviewer first and leaves once accepted") {
    Waiting waiting;
    auto& bench = waiting.bench;
    CHECK(bench.job(waiting.id).state == JobState::InStages);
    CHECK(bench.replies().empty());
    CHECK(waiting.request.target_id == "ag_judge");
    const json body = StageBench::body_of(waiting.request);
    CHECK(body["trace_id"] == waiting.request.trace_id);
    CHECK(body["task_results"]["text"] == kGoodReply);
    CHECK(body["task_results"]["answers"]["text"] == "How much is the logo?");
    const Job carrier = bench.judge("pass", "none");
    CHECK(carrier.rule_id == "stage.taken");
    CHECK(carrier.state == JobState::Done);
    CHECK(bench.replies() == Types{kGoodReply});
    CHECK(bench.job(waiting.id).decision == "answer");
    waiting.check_refused("No task waits", "ag_judge", "evaluation_response", waiting.pass(),
                          waiting.request.trace_id);
    CHECK(bench.replies().size() == 1);
}

TEST_CASE("a reply that its reviewer refuses is put to the human with its text") {
    Waiting waiting;
    waiting.bench.judge("fail", "none");
    CHECK(waiting.bench.replies().empty());
    REQUIRE(waiting.bench.approvals().size() == 1);
    CHECK(waiting.bench.approvals()[0].reply_text == kGoodReply);
    CHECK(waiting.bench.approvals()[0].question.find("ag_judge") != std::string::npos);
}

TEST_CASE("a reviewer that never answers is asked as often as there are tries, then the human") {
    Waiting waiting;
    auto& bench = waiting.bench;
    for (int attempt = 0; attempt < 3; ++attempt) {
        CHECK(bench.approvals().empty());
        bench.pass_time(bench.options.timeout);
    }
    CHECK(bench.replies().empty());
    CHECK(bench.approvals().size() == 1);
    CHECK(bench.replies("ag_judge").size() == 3);
    CHECK(bench.count(waiting.id, "retry_event") == 2);
    // The first request is answered at last.
    const Job late =
        bench.receive("ag_judge", "evaluation_response", waiting.pass(), waiting.request.trace_id);
    CHECK(late.rule_id == "stage.refused");
    CHECK(bench.replies().empty());
}

TEST_CASE("a verdict about an earlier try does not count for the present one") {
    Waiting waiting;
    waiting.bench.pass_time(waiting.bench.options.timeout);
    CHECK(waiting.bench.stage_case(waiting.id).retry_count == 1);
    waiting.check_refused("No task waits", "ag_judge", "evaluation_response", waiting.pass(),
                          waiting.request.trace_id);
    json relabelled = waiting.pass();
    relabelled["trace_id"] = waiting.request.trace_id;
    waiting.check_refused("another attempt", "ag_judge", "evaluation_response", relabelled,
                          waiting.bench.stage_case(waiting.id).trace_id);
}

TEST_CASE("an answer counts only from who was configured, and only when that is certain") {
    Waiting waiting;
    const std::string& trace = waiting.request.trace_id;
    const json pass = waiting.pass();
    waiting.check_refused("The program that answers", "ag_mallory", "evaluation_response", pass,
                          trace);
    waiting.check_refused("The program that answers", "ag_peer", "evaluation_response", pass,
                          trace);
    for (const Provenance doubtful : {Provenance::Unverified, Provenance::Forged}) {
        waiting.check_refused("its sender is verified", "ag_judge", "evaluation_response", pass,
                              trace, doubtful);
    }
    const Job vouched =
        waiting.bench.receive("ag_judge", "evaluation_response", pass, trace, Provenance::Vouched);
    CHECK(vouched.rule_id == "stage.taken");
    CHECK(waiting.bench.replies().size() == 1);
}

TEST_CASE("unknown tasks, other versions, wrong scores and other types are recorded only") {
    Waiting waiting;
    const std::string& trace = waiting.request.trace_id;
    json body = waiting.pass();
    body["task_id"] = wire::new_uuid();
    waiting.check_refused("another task", "ag_judge", "evaluation_response", body, trace);
    waiting.check_refused("No task waits", "ag_judge", "evaluation_response", waiting.pass(),
                          "trace_of_nothing");
    body = waiting.pass();
    body["schema_version"] = "v1.0";
    waiting.check_refused("v1.0", "ag_judge", "evaluation_response", body, trace);
    body = waiting.pass();
    body["score"] = 101;
    waiting.check_refused("score", "ag_judge", "evaluation_response", body, trace);
    body.erase("score");
    waiting.check_refused("score", "ag_judge", "evaluation_response", body, trace);
    for (const char* type : {"tool_call_request", "tool_call_response"})
        waiting.check_refused("reserved", "ag_judge", type, waiting.pass(), trace);
    waiting.check_refused("does not exist", "ag_judge", "poem", waiting.pass(), trace);
    waiting.check_refused("does not exist", "ag_judge", "", waiting.pass(), trace);
    waiting.check_refused("a2hd does not receive", "ag_judge", "task_event", waiting.pass(), trace);
    waiting.check_refused("cannot be read", "ag_judge", "evaluation_response", json::object(),
                          trace);
    body = waiting.pass();
    body["note"] = std::string(50'000, 'x');
    waiting.check_refused("too long", "ag_judge", "evaluation_response", body, trace);
    waiting.check_refused("The program that answers", "ag_judge", "prompt_blocks_response",
                          blocks(), trace);
    waiting.bench.judge("pass", "none");
    CHECK(waiting.bench.replies().size() == 1);
}

TEST_CASE("with nothing configured every message of the stages is recorded only") {
    StageBench bench({}, false);
    const Job job = bench.receive("ag_judge", "evaluation_response", json::object(), "t");
    CHECK(job.rule_id == "stage.refused");
    CHECK(bench.outbox().empty());
}

TEST_CASE("a crash while a reviewer thinks loses neither the case nor the answer") {
    Waiting waiting;
    auto& bench = waiting.bench;
    bench.pass_time(bench.options.timeout - std::chrono::seconds(1));
    bench.start();
    CHECK(bench.replies("ag_judge").size() == 1);
    // It has its full time again.
    bench.pass_time(bench.options.timeout - std::chrono::seconds(1));
    CHECK(bench.stage_case(waiting.id).retry_count == 0);
    bench.judge("pass", "none");
    CHECK(bench.replies() == Types{kGoodReply});
    bench.start();
    CHECK(bench.replies().size() == 1);
}

TEST_CASE("all three stages can be other programs") {
    StageBench bench(all_remote(), false);
    CHECK(bench.exchange->can_draft());
    const auto id = bench.open_draft();
    const auto asked = bench.last_sent("get_context_request");
    CHECK(asked.target_id == "ag_context");
    CHECK(StageBench::body_of(asked)["agent_id"] == wire::uuid_of("ag_writer"));
    CHECK(bench.stage_case(id).stage == CaseStage::Context);
    CHECK(bench.receive("ag_context", "prompt_blocks_response", blocks(), asked.trace_id).rule_id ==
          "stage.taken");

    const auto event = bench.last_sent("task_event");
    CHECK(event.target_id == "ag_writer");
    CHECK(StageBench::body_of(event)["payload"]["text"] == "How much is the logo?");
    json request = envelope();
    request["agent_id"] = wire::uuid_of("ag_writer");
    request["task_id"] = StageBench::body_of(event)["task_id"];
    request["globals"] = json::object();
    bench.receive("ag_writer", "get_context_request", request, event.trace_id);
    const auto answer = bench.last_sent("prompt_blocks_response");
    CHECK(answer.target_id == "ag_writer");
    CHECK(answer.trace_id == event.trace_id);
    CHECK(StageBench::body_of(answer)["system"] == "remote system");

    bench.receive("ag_writer", "report_result_request", report(event, kGoodReply), event.trace_id);
    CHECK(bench.last_sent("report_result_request").target_id == "ag_context");
    CHECK(bench.stage_case(id).stage == CaseStage::Review);
    bench.judge("pass", "none");
    CHECK(bench.replies() == Types{kGoodReply});
    CHECK(bench.types(id) ==
          "task_event get_context_request prompt_blocks_response "
          "get_context_request prompt_blocks_response report_result_request "
          "evaluation_request evaluation_response ");
}

TEST_CASE("no other program can bypass the built-in review") {
    StageBench bench(all_remote(), false);
    bench.options.context.clear();
    bench.options.review.clear();
    bench.start();
    const auto id = bench.open_draft();
    const auto event = bench.last_sent("task_event");
    bench.receive("ag_writer", "report_result_request", report(event, kBadReply), event.trace_id);
    CHECK(bench.replies().empty());
    CHECK(bench.stage_case(id).retry_count == 1);
    const auto again = bench.last_sent("retry_event");
    CHECK(again.target_id == "ag_writer");
    CHECK(again.trace_id != event.trace_id);
    bench.receive("ag_writer", "report_result_request", report(again, kGoodReply), again.trace_id);
    CHECK(bench.replies() == Types{kGoodReply});
}

TEST_CASE("a report without a next action and endless reads of context change nothing") {
    StageBench bench(all_remote(), false);
    bench.options.context.clear();
    bench.start();
    const auto id = bench.open_draft();
    const auto event = bench.last_sent("task_event");
    json empty = report(event, kGoodReply);
    empty["task_results"] = json::object();
    CHECK(bench.receive("ag_writer", "report_result_request", empty, event.trace_id).rule_id ==
          "stage.refused");
    json request = envelope();
    request["agent_id"] = wire::uuid_of("ag_somebody");
    request["task_id"] = StageBench::body_of(event)["task_id"];
    request["globals"] = json::object();
    CHECK(bench.receive("ag_writer", "get_context_request", request, event.trace_id).rule_id ==
          "stage.refused");
    request["agent_id"] = wire::uuid_of("ag_writer");
    int answered = 0;
    for (int i = 0; i < 15; ++i) {
        const Job job = bench.receive("ag_writer", "get_context_request", request, event.trace_id);
        if (job.rule_id == "stage.taken") ++answered;
    }
    CHECK(answered == 10);
    CHECK(bench.stage_case(id).stage == CaseStage::Agent);
}

namespace {

decide::Decision ask_and_hold() {
    auto ask = StageBench::decision(Kind::Ask);
    ask.holding_text = "Thanks, I will pass it on.";
    return ask;
}

}  // namespace

TEST_CASE("a holding reply is reviewed, too, while the question is sent at once") {
    StageBench bench(with_review());
    const auto id = bench.open(ask_and_hold());
    CHECK(bench.approvals().size() == 1);
    CHECK(bench.job(id).state == JobState::WaitingForHuman);
    CHECK(bench.replies().empty());
    bench.judge("fail", "none");
    CHECK(bench.replies().empty());
    CHECK(bench.stage_case(id).outcome == "dropped");
    CHECK(bench.approvals().size() == 1);
    const auto other = bench.open(ask_and_hold(), "ag_other");
    bench.judge("pass", "none");
    CHECK(bench.replies("ag_other") == Types{"Thanks, I will pass it on."});
    CHECK(bench.job(other).state == JobState::WaitingForHuman);
}

TEST_CASE("no holding reply is sent once the human has answered") {
    StageBench bench(with_review());
    const auto id = bench.open(ask_and_hold());
    bench.commit([&](store::Database& db) -> Result<void> {
        Job answered = store::get_job(db, id).value().value();
        answered.state = JobState::Done;
        return store::update_job(db, answered);
    });
    bench.judge("pass", "none");
    CHECK(bench.replies().empty());
    CHECK(bench.stage_case(id).stage == CaseStage::Closed);
}

TEST_CASE("a peer with a waiting question gets one holding reply") {
    StageBench bench(with_review());
    bench.open(ask_and_hold());
    const auto second = bench.open(ask_and_hold());
    CHECK(bench.approvals().size() == 2);
    CHECK(bench.replies("ag_judge").size() == 1);
    CHECK_FALSE(get_case(*bench.reader, second).value().has_value());
    CHECK(bench.exchange->open_cases() == 1);
}

TEST_CASE("a task's story keeps how replies about it were judged, and no other task's does") {
    StageBench bench(with_review());
    Assignment task;
    task.task_id = "t-1";
    task.agent_id = "ag_me";
    task.peer_id = "ag_peer";
    task.brief_json = "{}";
    task.created_at_ms = kStart;
    bench.commit([&](store::Database& db) -> Result<void> {
        A2H_TRY(store::insert_assignment(db, task));
        task.task_id = "t-2";
        task.peer_id = "ag_other";
        return store::insert_assignment(db, task);
    });
    const auto kinds = [&](const std::string& task_id) {
        std::string all;
        const auto of = store::get_assignment(*bench.reader, "ag_me", task_id).value();
        const auto story = store::assignment_story(*bench.reader, *of, 0, 99).value();
        for (const AssignmentEntry& entry : story)
            all += entry.kind + " ";
        return all;
    };
    const auto made = StageBench::decision(Kind::Answer, kGoodReply);
    bench.open(made, "ag_peer", R"({"text":"How much is the logo?","taskId":"t-1"})");
    bench.judge("fail", "retry");
    bench.judge("pass", "none");
    CHECK(kinds("t-1") == "evaluation retry evaluation ");
    // A task with somebody else is not the sender's to write into.
    bench.open(made, "ag_peer", R"({"text":"And the banner?","taskId":"t-2"})");
    bench.judge("pass", "none");
    CHECK(kinds("t-2").empty());
}
