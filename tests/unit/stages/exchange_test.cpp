#include "daemon/stages/exchange.h"

#include "tests/unit/stages/bench.h"

using namespace a2h;
using namespace a2h::test;
using decide::Kind;

namespace {

using Types = std::vector<std::string>;

stages::Options no_stage() {
    return {};
}

}  // namespace

TEST_CASE("a case knows how many bytes its messages take") {
    StageBench bench;
    const auto id = bench.open_draft();
    bench.draft(kGoodReply);
    std::int64_t bytes = 0;
    const auto messages = store::stage_messages(*bench.reader, id).value();
    for (const StageMessage& message : messages)
        bytes += static_cast<std::int64_t>(message.message_json.size());
    CHECK(bytes > 1'000);
    CHECK(bench.stage_case(id).bytes == bytes);
}

TEST_CASE("without a drafter and other programs no message goes through the stages") {
    StageBench bench(no_stage(), false);
    for (const Kind kind : {Kind::Silent, Kind::Answer, Kind::Ask, Kind::NeedsDraft}) {
        auto decision = StageBench::decision(kind, kGoodReply);
        decision.holding_text = "One moment.";
        CHECK_FALSE(bench.exchange->handles(decision));
    }
    CHECK_FALSE(bench.exchange->can_draft());
    bench.run();
    CHECK(bench.loop.timers.empty());
}

TEST_CASE("a drafter alone changes nothing for what a rule answers or asks") {
    StageBench bench;
    CHECK_FALSE(bench.exchange->handles(StageBench::decision(Kind::Answer, kGoodReply)));
    auto ask = StageBench::decision(Kind::Ask);
    ask.holding_text = "One moment.";
    CHECK_FALSE(bench.exchange->handles(ask));
    CHECK(bench.exchange->handles(StageBench::decision(Kind::NeedsDraft)));
}

TEST_CASE("a draft that the review takes leaves once, with every message of its way stored") {
    StageBench bench;
    const auto id = bench.open_draft();
    CHECK(bench.job(id).state == JobState::InStages);
    CHECK(bench.types(id) == "task_event get_context_request prompt_blocks_response ");
    CHECK(bench.replies().empty());
    bench.draft(kGoodReply);
    CHECK(bench.types(id) ==
          "task_event get_context_request prompt_blocks_response "
          "report_result_request evaluation_request evaluation_response ");
    CHECK(bench.replies() == Types{kGoodReply});
    CHECK(bench.outbox()[0].effect_key == "task:" + std::to_string(id));
    CHECK(bench.job(id).state == JobState::Done);
    CHECK(bench.job(id).decision == "answer");
    CHECK(bench.job(id).why == "Drafted by fake-1, and passed by the review. Because.");
    CHECK(bench.stage_case(id).outcome == "passed");
    CHECK(bench.exchange->open_cases() == 0);
    bench.start();
    CHECK(bench.replies().size() == 1);
}

TEST_CASE("every stored message is one that its reader takes") {
    StageBench bench;
    const auto id = bench.open_draft();
    bench.draft(kBadReply);
    bench.draft(kGoodReply);
    const auto rows = store::stage_messages(*bench.reader, id).value();
    CHECK(rows.size() == 12);
    for (const StageMessage& row : rows) {
        CAPTURE(row.type);
        using namespace a2h::wire;
        const std::string& text = row.message_json;
        switch (*parse_task_message_type(row.type)) {
            case TaskMessageType::TaskEvent:
                CHECK(read_task_message<TaskEvent>(text).has_value());
                break;
            case TaskMessageType::RetryEvent:
                CHECK(read_task_message<RetryEvent>(text).has_value());
                break;
            case TaskMessageType::GetContextRequest:
                CHECK(read_task_message<GetContextRequest>(text).has_value());
                break;
            case TaskMessageType::PromptBlocksResponse:
                CHECK(read_task_message<PromptBlocksResponse>(text).has_value());
                break;
            case TaskMessageType::ReportResultRequest:
                CHECK(read_task_message<ReportResultRequest>(text).has_value());
                break;
            case TaskMessageType::EvaluationRequest:
                CHECK(read_task_message<EvaluationRequest>(text).has_value());
                break;
            case TaskMessageType::EvaluationResponse:
                CHECK(read_task_message<EvaluationResponse>(text).has_value());
                break;
            default:
                FAIL("a type that nobody sends");
        }
    }
}

TEST_CASE(
    "a draft that the review refuses is drafted again with the reasons, then the human is asked") {
    StageBench bench;
    const auto id = bench.open_draft();
    for (int attempt = 0; attempt < 3; ++attempt) {
        REQUIRE(bench.drafter.prompts.size() == static_cast<std::size_t>(attempt) + 1);
        bench.draft(kBadReply);
    }
    CHECK(bench.drafter.prompts[0].instruction.find("refused") == std::string::npos);
    CHECK(bench.drafter.prompts[1].instruction.find("refused") != std::string::npos);
    CHECK(bench.count(id, "retry_event") == 2);
    CHECK(bench.replies().empty());
    REQUIRE(bench.approvals().size() == 1);
    CHECK(bench.approvals()[0].question == "What should I say?");
    CHECK(bench.job(id).state == JobState::WaitingForHuman);
    CHECK(bench.stage_case(id).outcome == "asked");
}

TEST_CASE("a drafter may ask or stay silent") {
    StageBench bench;
    const auto asked = bench.open_draft();
    bench.draft("Do we ship to Mars?", model::Wish::Ask);
    REQUIRE(bench.approvals().size() == 1);
    CHECK(bench.approvals()[0].question.find("Do we ship to Mars?") != std::string::npos);
    CHECK(bench.stage_case(asked).outcome == "asked");
    const auto silent = bench.open_draft();
    bench.draft("", model::Wish::Silent);
    CHECK(bench.stage_case(silent).outcome == "silent");
    CHECK(bench.job(silent).state == JobState::Done);
    CHECK(bench.job(silent).decision == "silent");
    CHECK(bench.replies().empty());
}

TEST_CASE("an invalid draft is a failed try: empty, too long, not a text") {
    StageBench bench;
    bench.options.max_attempts = 4;
    const auto id = bench.open_draft();
    bench.draft("  ");
    bench.draft(std::string(3'000, 'x'));
    bench.draft("\xff\xfe");
    bench.draft(Result<model::Draft>(fail(ErrorCode::InvalidArgument, "not the schema")));
    CHECK(bench.count(id, "retry_event") == 3);
    CHECK(bench.stage_case(id).outcome == "asked");
    CHECK(bench.replies().empty());
}

TEST_CASE("a model that is down or has spent its budget is not tried again") {
    for (const ErrorCode code : {ErrorCode::Unavailable, ErrorCode::ResourceExhausted}) {
        StageBench bench;
        const auto id = bench.open_draft();
        bench.draft(Result<model::Draft>(fail(code, "no")));
        CHECK(bench.count(id, "retry_event") == 0);
        CHECK(bench.stage_case(id).outcome == "asked");
    }
}

TEST_CASE("a drafter that never answers times out, and its late answer is ignored") {
    StageBench bench;
    const auto id = bench.open_draft();
    for (int attempt = 0; attempt < 3; ++attempt)
        bench.pass_time(bench.options.timeout);
    CHECK(bench.stage_case(id).outcome == "asked");
    CHECK(bench.drafter.prompts.size() == 3);
    while (!bench.drafter.waiting.empty())
        bench.draft(kGoodReply);
    CHECK(bench.replies().empty());
    CHECK(bench.approvals().size() == 1);
}

TEST_CASE("a crash while a draft is made leads to another one from the stored blocks") {
    StageBench bench;
    const auto id = bench.open_draft();
    bench.start();
    REQUIRE(bench.drafter.prompts.size() == 2);
    CHECK(bench.drafter.prompts[1].task == bench.drafter.prompts[0].task);
    CHECK(bench.drafter.prompts[1].system == bench.drafter.prompts[0].system);
    bench.draft(kGoodReply);
    CHECK(bench.replies() == Types{kGoodReply});
    CHECK(bench.count(id, "task_event") == 1);
}

TEST_CASE("a case whose drafter is gone after a restart is put to the human") {
    StageBench bench;
    const auto id = bench.open_draft();
    bench.turn_drafter(false);
    bench.start();
    CHECK(bench.stage_case(id).outcome == "asked");
    CHECK(bench.approvals().size() == 1);
}

TEST_CASE("a reply is held against the listings of the moment in which it leaves") {
    StageBench bench(with_review());
    const auto id = bench.open_reply();
    bench.listings[0].expected_price = "300 CNY";
    bench.judge("pass", "none");
    CHECK(bench.replies().empty());
    CHECK(bench.stage_case(id).outcome == "asked");
}

TEST_CASE("a peer has a limited number of open cases; the human is asked about others") {
    StageBench bench;
    for (int i = 0; i < stages::Exchange::kOpenCasesOfPeerMax; ++i)
        bench.open_draft();
    CHECK(bench.approvals().empty());
    const auto one_more = bench.open_draft();
    CHECK(bench.stage_case(one_more).outcome == "asked");
    CHECK(bench.approvals().size() == 1);
    const auto other = bench.open(StageBench::decision(Kind::NeedsDraft), "ag_other");
    CHECK(bench.stage_case(other).stage == CaseStage::Agent);
    bench.of_peers = Provenance::Unverified;
    const auto doubtful = bench.open_draft();
    CHECK(bench.stage_case(doubtful).stage == CaseStage::Agent);
}

TEST_CASE("a change that cannot be written is written later") {
    StageBench bench;
    const auto id = bench.open_draft();
    bool failing = true;
    bench.writer->set_commit_gate([&failing]() -> Result<void> {
        if (!failing) return {};
        return fail(ErrorCode::ResourceExhausted, "disk full");
    });
    auto done = std::move(bench.drafter.waiting.front());
    model::Draft made;
    made.wish = model::Wish::Reply;
    made.text = kGoodReply;
    done(Result<model::Draft>(made));
    REQUIRE(bench.loop.run_until([&] { return bench.loop.timers.size() == 2; }));
    CHECK(bench.replies().empty());
    failing = false;
    bench.pass_time(std::chrono::seconds(1));
    CHECK(bench.replies() == Types{kGoodReply});
    CHECK(bench.stage_case(id).outcome == "passed");
}
