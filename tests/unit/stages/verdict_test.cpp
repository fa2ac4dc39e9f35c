#include "daemon/stages/verdict.h"

#include <doctest/doctest.h>

#include "daemon/stages/case_json.h"
#include "tests/unit/stages/bench.h"

using namespace a2h;
using namespace a2h::test;
using stages::Move;
using wire::EvaluationStatus;
using wire::NextAction;

TEST_CASE("every pair of status and next action leads where the table says") {
    StageCase first;
    first.max_attempts = 3;
    const auto to = [&](EvaluationStatus status, NextAction next) {
        return stages::follow(status, next, first);
    };
    CHECK(to(EvaluationStatus::Pass, NextAction::None) == Move::Conclude);
    CHECK(to(EvaluationStatus::Pass, NextAction::Retry) == Move::Conclude);
    CHECK(to(EvaluationStatus::Pass, NextAction::NextSlice) == Move::NextSlice);
    CHECK(to(EvaluationStatus::Fail, NextAction::None) == Move::Ask);
    CHECK(to(EvaluationStatus::Fail, NextAction::Retry) == Move::Retry);
    CHECK(to(EvaluationStatus::Fail, NextAction::NextSlice) == Move::NextSlice);
}

TEST_CASE("beyond the last try and the last slice the human is asked") {
    StageCase last;
    last.max_attempts = 3;
    last.retry_count = 2;
    CHECK(stages::follow(EvaluationStatus::Fail, NextAction::Retry, last) == Move::Ask);
    CHECK(stages::follow(EvaluationStatus::Pass, NextAction::Retry, last) == Move::Conclude);
    last.slice = stages::kSlicesMax - 1;
    CHECK(stages::follow(EvaluationStatus::Pass, NextAction::NextSlice, last) == Move::Ask);
    CHECK(stages::follow(EvaluationStatus::Fail, NextAction::NextSlice, last) == Move::Ask);
}

// The same through the messages of a reviewer that is another program.

namespace {

struct JudgedCase {
    StageBench bench{with_review()};
    std::int64_t id = 0;

    /// A draft that the code review takes, judged so.
    JudgedCase(const std::string& status, const std::string& next) {
        id = bench.open_draft();
        bench.draft(kGoodReply);
        REQUIRE(bench.stage_case(id).stage == CaseStage::Review);
        CHECK(bench.replies().empty());
        bench.judge(status, next);
    }
    StageCase stage_case() { return bench.stage_case(id); }
};

void check_sent(JudgedCase& judged) {
    CHECK(judged.stage_case().outcome == "passed");
    CHECK(judged.bench.replies() == std::vector<std::string>{kGoodReply});
    CHECK(judged.bench.job(judged.id).state == JobState::Done);
    CHECK(judged.bench.count(judged.id, "retry_event") == 0);
}

void check_asked(JudgedCase& judged) {
    CHECK(judged.stage_case().outcome == "asked");
    CHECK(judged.bench.replies().empty());
    REQUIRE(judged.bench.approvals().size() == 1);
    CHECK(judged.bench.approvals()[0].question == "What should I say?");
    CHECK(judged.bench.job(judged.id).state == JobState::WaitingForHuman);
}

void check_next_slice(JudgedCase& judged, const std::string& previous) {
    CHECK(judged.stage_case().slice == 1);
    CHECK(judged.stage_case().retry_count == 0);
    CHECK(judged.bench.replies().empty());
    CHECK(judged.bench.count(judged.id, "task_event") == 2);
    const auto event = nlohmann::json::parse(judged.stage_case().event_json);
    CHECK(event["payload"]["slice"] == 1);
    CHECK(event["payload"].value("previous", "") == previous);
    CHECK(judged.bench.drafter.prompts.size() == 2);
}

}  // namespace

TEST_CASE("pass with none, retry or an unknown action is stored and sent once, not retried") {
    for (const char* next : {"none", "retry", "dance"}) {
        CAPTURE(next);
        JudgedCase judged("pass", next);
        check_sent(judged);
    }
}

TEST_CASE("pass with next_slice opens the next slice with what was worked out") {
    JudgedCase judged("pass", "next_slice");
    check_next_slice(judged, kGoodReply);
    CHECK(judged.bench.drafter.prompts[1].task.find(kGoodReply) != std::string::npos);
    judged.bench.draft("A logo costs 280 CNY.");
    judged.bench.judge("pass", "none");
    CHECK(judged.bench.replies() == std::vector<std::string>{"A logo costs 280 CNY."});
}

TEST_CASE("fail or an unknown status with none or an unknown action asks the human") {
    for (const char* status : {"fail", "splendid"}) {
        for (const char* next : {"none", "dance"}) {
            CAPTURE(status);
            CAPTURE(next);
            JudgedCase judged(status, next);
            check_asked(judged);
        }
    }
}

TEST_CASE("fail or an unknown status with next_slice drops the slice and opens the next") {
    for (const char* status : {"fail", "splendid"}) {
        CAPTURE(status);
        JudgedCase judged(status, "next_slice");
        check_next_slice(judged, "");
    }
}

TEST_CASE("fail or an unknown status with retry makes a RetryEvent until the tries are used up") {
    for (const char* status : {"fail", "splendid"}) {
        CAPTURE(status);
        JudgedCase judged(status, "retry");
        auto& bench = judged.bench;
        const auto first = nlohmann::json::parse(
            store::stage_messages(*bench.reader, judged.id).value().front().message_json);
        const auto second = nlohmann::json::parse(judged.stage_case().event_json);
        CHECK(bench.count(judged.id, "retry_event") == 1);
        CHECK(second["retry_count"] == 1);
        CHECK(second["message_id"] != first["message_id"]);
        CHECK(second["payload"] == first["payload"]);
        CHECK(second["task_id"] == first["task_id"]);
        bench.draft(kGoodReply);
        bench.judge(status, "retry");
        CHECK(judged.stage_case().retry_count == 2);
        bench.draft(kGoodReply);
        bench.judge(status, "retry");
        CHECK(bench.count(judged.id, "retry_event") == 2);
        check_asked(judged);
    }
}

TEST_CASE("slices are bounded") {
    JudgedCase judged("pass", "next_slice");
    for (int slice = 1; slice + 1 < stages::kSlicesMax; ++slice) {
        judged.bench.draft(kGoodReply);
        judged.bench.judge("pass", "next_slice");
    }
    CHECK(judged.stage_case().slice == stages::kSlicesMax - 1);
    judged.bench.draft(kGoodReply);
    judged.bench.judge("pass", "next_slice");
    check_asked(judged);
}

TEST_CASE("a stored decision comes back whole") {
    decide::Decision decision;
    decision.kind = decide::Kind::NeedsDraft;
    decision.rule_id = "r";
    decision.why = "w";
    decision.reply_text = "reply";
    decision.reject_text = "reject";
    decision.holding_text = "hold";
    decision.question = "问？";
    decision.options = {{"是", OptionKind::Yes}, "no"};
    decision.action = "order.create";
    decision.amount_minor = 9'007'199'254'740'993;
    decision.currency = "CNY";
    decision.order_id = "o";
    decision.works_id = "w1";
    decision.is_plain_offer = true;
    decision.about = About::Terms;
    decision.basis.language = i18n::Language::Chinese;
    const auto again = stages::read_decision(stages::to_json(decision)).value();
    CHECK(stages::to_json(again) == stages::to_json(decision));
    CHECK(again.amount_minor == decision.amount_minor);
    CHECK(again.options == decision.options);
    CHECK(again.about == About::Terms);
    CHECK(again.basis.language == i18n::Language::Chinese);
    CHECK(stages::read_decision("{}").error().code == ErrorCode::Corrupt);
    CHECK(stages::read_decision("no").error().code == ErrorCode::Corrupt);
}
