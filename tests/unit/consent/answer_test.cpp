#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/i18n/messages.h"
#include "core/wire/payload.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/code_lock.h"
#include "daemon/consent/limits.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using consent::Answer;
using consent::Ask;
using consent::ProofState;
using test::Desk;
using test::must;

namespace {

bool has(const std::vector<std::string>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

Answer edited(const Desk& desk, const Approval& approval, AnswerSurface surface, std::string text) {
    Answer answer = desk.proved(approval, AnswerKind::Approve, surface);
    answer.edited_reply_text = std::move(text);
    return answer;
}

Answer instruction(const Desk& desk, const Approval& approval, std::string words) {
    Answer answer = desk.proved(approval, AnswerKind::Instruct);
    answer.words = std::move(words);
    return answer;
}

consent::Ask platform_ask(const Desk& desk) {
    consent::Ask ask = desk.ask();
    ask.action = "works.publish";
    ask.request_json = R"({"title":"PPT","type":3})";
    ask.reply_text.clear();
    ask.reject_text.clear();
    return ask;
}

/// A guess that is not the code of `approval`.
Answer wrong_code(const Desk& desk, const Approval& approval) {
    Answer wrong = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Code);
    wrong.proof = wrong.proof == "000000" ? "000001" : "000000";
    return wrong;
}

}  // namespace

TEST_CASE("opening an approval asks on every channel and leaves an audit row") {
    Desk desk;
    const Approval approval = desk.open();
    CHECK(desk.stored(approval.id).digest == approval.digest);
    CHECK(desk.notifications(approval.id, "approval.asked") == 2);
    CHECK(desk.audit(approval.id) == std::vector<std::string>{"asked"});
    CHECK(desk.outbox().empty());
}

TEST_CASE("a yes with a proof queues exactly the approved text, once") {
    for (const auto surface : {AnswerSurface::Page, AnswerSurface::Terminal, AnswerSurface::Code}) {
        CAPTURE(to_string(surface));
        Desk desk;
        const Approval approval = desk.open();
        const auto answered = desk.give_well(desk.proved(approval, AnswerKind::Approve, surface));
        CHECK(answered.reply_queued);
        CHECK(!answered.needs_execution);
        const Approval after = desk.stored(approval.id);
        CHECK(after.status == ApprovalStatus::Approved);
        CHECK(after.outcome == ApprovalOutcome::Executed);
        CHECK(after.surface == surface);
        CHECK(after.answered_by == "human");
        REQUIRE(desk.outbox().size() == 1);
        const OutboxMessage sent = desk.outbox()[0];
        CHECK(sent.effect_key == "approval:" + approval.id);
        CHECK(sent.cause == "approval:" + approval.id);
        CHECK(sent.target_id == "ag_buyer");
        CHECK(sent.trace_id == "trace_1760000000000_0badf00d");
        CHECK(sent.payload_json == wire::text_payload("300 CNY is fine", "", "works_1"));
        CHECK(sent.expires_at_ms == desk.now + 3 * 86'400'000LL);
        CHECK(desk.job_state() == JobState::Done);
        CHECK(has(desk.audit(approval.id), "answered"));
        CHECK(has(desk.audit(approval.id), "consumed"));
    }
}

TEST_CASE("R18: a yes to a platform action sends nothing and waits for the executor") {
    Desk desk;
    const Approval approval = desk.open(platform_ask(desk));
    const auto answered = desk.give_well(desk.proved(approval, AnswerKind::Approve));
    CHECK(answered.needs_execution);
    CHECK(desk.outbox().empty());
    CHECK(desk.stored(approval.id).outcome == ApprovalOutcome::None);
}

TEST_CASE("a yes to a bare question releases nothing") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.reply_text.clear();
    const Approval approval = desk.open(ask);
    CHECK(!desk.give_well(desk.proved(approval, AnswerKind::Approve)).reply_queued);
    CHECK(desk.outbox().empty());
    CHECK(desk.stored(approval.id).outcome == ApprovalOutcome::Executed);
}

TEST_CASE("a no with a proof sends the refusal, and none when there is none") {
    Desk desk;
    const Approval approval = desk.open();
    CHECK(desk.give_well(desk.proved(approval, AnswerKind::Reject)).reply_queued);
    REQUIRE(desk.outbox().size() == 1);
    CHECK(desk.outbox()[0].effect_key == "approval:" + approval.id + ":reject");
    CHECK(desk.outbox()[0].payload_json ==
          wire::text_payload("Sorry, 450 CNY is the price", "", "works_1"));
    CHECK(desk.stored(approval.id).status == ApprovalStatus::Rejected);
    CHECK(desk.job_state() == JobState::Done);
    consent::Ask quiet = desk.ask();
    quiet.reject_text.clear();
    const Approval second = desk.open(quiet);
    CHECK(!desk.give_well(desk.proved(second, AnswerKind::Reject)).reply_queued);
    CHECK(desk.outbox().size() == 1);
}

TEST_CASE("a relayed answer cannot approve or edit, and its no sends nothing") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.requested_by = "tool:send";
    ask.about = About::Other;
    const Approval approval = desk.open(ask);
    Answer answer = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Relayed);
    CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
    answer.proof = consent::approval_code(desk.secrets, approval);
    answer.pin = ProofState::Valid;
    CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
    CHECK(desk.stored(approval.id).status == ApprovalStatus::Pending);
    const auto refused =
        desk.give_well(desk.proved(approval, AnswerKind::Reject, AnswerSurface::Relayed));
    CHECK(refused.approval.answered_by == "assistant");
    CHECK(!refused.reply_queued);
    CHECK(desk.outbox().empty());
}

TEST_CASE("R10: an answer that nobody proved closes nothing that a peer caused") {
    Desk desk;
    consent::Ask persons = desk.ask();
    persons.requested_by = "tool:send";
    persons.about = About::Other;
    persons.asked_by = "human";
    for (const consent::Ask& asked : {desk.ask(), persons}) {
        const Approval question = desk.open(asked);
        for (const AnswerKind kind :
             {AnswerKind::Approve, AnswerKind::Reject, AnswerKind::Instruct}) {
            Answer answer = desk.proved(question, kind, AnswerSurface::Relayed);
            answer.words = "say that it costs more";
            CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
            answer.elicited = true;
            answer.digest_seen = question.digest;
            CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
        }
        CHECK(desk.stored(question.id).status == ApprovalStatus::Pending);
        // The code proves a no as well, and then the refusal on the card is sent.
        CHECK(desk.give_well(desk.proved(question, AnswerKind::Reject, AnswerSurface::Code))
                  .reply_queued);
    }
}

TEST_CASE("a relayed yes to an answered question gets the answer, not a demand for a code") {
    Desk desk;
    const Approval approval = desk.open();
    desk.give_well(desk.proved(approval, AnswerKind::Approve, AnswerSurface::Terminal));
    Answer relayed = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Relayed);
    CHECK(desk.refusal(relayed) == ErrorCode::Conflict);
    relayed.elicited = true;
    CHECK(desk.refusal(relayed) == ErrorCode::Conflict);
}

/// Only the questions that a test opens are open with the buyer.
void settle_message(Desk& desk) {
    Job job = *must(store::get_job(*desk.db, desk.job_id));
    job.state = JobState::Done;
    job.decision = "silent";
    job.rule_id = "message.empty";
    desk.write([&] { must(store::update_job(*desk.db, job)); });
}

TEST_CASE("a dialog's yes without a code counts where it is trusted, and only for plain replies") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.amount_minor.reset();
    ask.currency.clear();
    ask.reply_text = "Hello! Thanks.";
    ask.reject_text.clear();
    settle_message(desk);
    const Approval approval = desk.open(ask);
    Answer answer = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Relayed);
    answer.elicited = true;
    answer.digest_seen = approval.digest;
    CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
    desk.policy.trust_elicitation = true;
    Answer unseen = answer;
    unseen.digest_seen.clear();
    CHECK(desk.refusal(unseen) == ErrorCode::PermissionDenied);
    Answer relayed = answer;
    relayed.elicited = false;
    CHECK(desk.refusal(relayed) == ErrorCode::PermissionDenied);
    Answer edited = answer;
    edited.edited_reply_text = "another text";
    CHECK(desk.refusal(edited) == ErrorCode::PermissionDenied);
    const auto given = desk.give_well(answer);
    CHECK(given.reply_queued);
    CHECK(given.approval.answered_by == "assistant's dialog");

    for (const char* text :
         {"Yes: 250 CNY for ten sessions.", "Pay at http://evil.example/x", "Agreed", "OK",
          "I promise to come tomorrow.", "成交", "two hundred fifty", "Deal! 👍", "250"}) {
        CAPTURE(text);
        ask.reply_text = text;
        const Approval other = desk.open(ask);
        answer.approval_id = other.id;
        answer.digest_seen = other.digest;
        CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
        desk.give_well(desk.proved(other, AnswerKind::Reject));
    }

    ask = desk.ask();
    ask.amount_minor = 30000;
    ask.currency = "CNY";
    for (const consent::Ask& costly : {ask, platform_ask(desk)}) {
        const Approval other = desk.open(costly);
        answer.approval_id = other.id;
        answer.digest_seen = other.digest;
        CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
    }
}

TEST_CASE("clock and system are not surfaces that answers can come from") {
    Desk desk;
    const Approval approval = desk.open();
    for (const auto surface : {AnswerSurface::Clock, AnswerSurface::System}) {
        CHECK(desk.refusal(desk.proved(approval, AnswerKind::Approve, surface)) ==
              ErrorCode::PermissionDenied);
    }
}

TEST_CASE("a wrong token, an empty one, and that of another approval prove nothing") {
    Desk desk;
    const Approval approval = desk.open();
    const Approval other = desk.open();
    Answer answer = desk.proved(approval, AnswerKind::Approve);
    for (const std::string& proof : {std::string(), std::string("x"), std::string(32, '0'),
                                     consent::approval_link_token(desk.secrets, other),
                                     consent::approval_code(desk.secrets, approval)}) {
        answer.proof = proof;
        CHECK(desk.refusal(answer) == ErrorCode::Unauthenticated);
    }
    desk.secrets.link_key.clear();
    answer.proof.clear();
    CHECK(desk.refusal(answer) == ErrorCode::Unauthenticated);
    CHECK(desk.outbox().empty());
}

TEST_CASE("three wrong codes void the code, notify the human, and leave link and PIN valid") {
    Desk desk;
    const Approval approval = desk.open();
    const Answer wrong = wrong_code(desk, approval);
    for (int i = 0; i < consent::kCodeFailuresMax; ++i) {
        CHECK(desk.notifications(approval.id, "approval.code_void") == 0);
        CHECK(desk.refusal(wrong) == ErrorCode::Unauthenticated);
    }
    CHECK(desk.notifications(approval.id, "approval.code_void") == 2);
    CHECK(desk.refusal(desk.proved(approval, AnswerKind::Approve, AnswerSurface::Code)) ==
          ErrorCode::PermissionDenied);
    CHECK(desk.refusal(wrong) == ErrorCode::PermissionDenied);
    CHECK(desk.notifications(approval.id, "approval.code_void") == 2);
    CHECK(desk.give_well(desk.proved(approval, AnswerKind::Approve)).reply_queued);
}

TEST_CASE("ten wrong codes, of whichever questions, lock all codes and notify the human") {
    Desk desk;
    std::vector<Approval> asked;
    for (int i = 0; i < 5; ++i)
        asked.push_back(desk.open());
    for (int i = 0; i < consent::kWrongCodesMax; ++i) {
        CHECK(must(consent::codes_locked_until(*desk.db, desk.now)) == std::nullopt);
        desk.refusal(wrong_code(desk, asked[static_cast<std::size_t>(i / 3)]));
    }
    const Approval& untouched = asked.back();
    const Answer right = desk.proved(untouched, AnswerKind::Approve, AnswerSurface::Code);
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    CHECK(desk.refusal(wrong_code(desk, untouched)) == ErrorCode::PermissionDenied);
    CHECK(desk.stored(untouched.id).code_failures == 0);
    CHECK(desk.notifications(asked[3].id, "code.locked") == 2);
    desk.now += 15 * 60'000 - 1;
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    desk.now += 1;
    CHECK(desk.give_well(right).reply_queued);
}

TEST_CASE("each lock of the codes lasts twice as long as the one before, up to a day") {
    Desk desk;
    for (const std::int64_t minutes : {15, 30, 60, 120, 240, 480, 960, 1440, 1440}) {
        for (int i = 0; i < consent::kWrongCodesMax; ++i)
            desk.refusal(wrong_code(desk, desk.open()));
        const auto until = must(consent::codes_locked_until(*desk.db, desk.now));
        REQUIRE(until.has_value());
        CHECK(*until - desk.now == minutes * 60'000);
        desk.now = *until;
    }
    // A clock that is set back does not stretch it, and a quiet week forgets all of it.
    for (int i = 0; i < consent::kWrongCodesMax; ++i)
        desk.refusal(wrong_code(desk, desk.open()));
    desk.now -= 400 * 24 * 3'600'000LL;
    CHECK(*must(consent::codes_locked_until(*desk.db, desk.now)) - desk.now == 24 * 3'600'000);
    desk.now += 408 * 24 * 3'600'000LL;
    for (int i = 0; i < consent::kWrongCodesMax; ++i)
        desk.refusal(wrong_code(desk, desk.open()));
    CHECK(*must(consent::codes_locked_until(*desk.db, desk.now)) - desk.now == 15 * 60'000);
}

TEST_CASE("a right PIN unlocks the codes; a right code does not reset the count") {
    Desk desk;
    const auto guess_wrong = [&](int times) {
        for (int i = 0; i < times; ++i)
            desk.refusal(wrong_code(desk, desk.open()));
    };
    guess_wrong(9);
    desk.give_well(desk.proved(desk.open(), AnswerKind::Reject, AnswerSurface::Code));
    guess_wrong(1);
    CHECK(must(consent::codes_locked_until(*desk.db, desk.now)).has_value());
    desk.give_well(desk.proved(desk.open(), AnswerKind::Reject, AnswerSurface::Terminal));
    CHECK(must(consent::codes_locked_until(*desk.db, desk.now)) == std::nullopt);
    CHECK(desk.give_well(desk.proved(desk.open(), AnswerKind::Approve, AnswerSurface::Code))
              .reply_queued);
    guess_wrong(1);
    CHECK(must(consent::codes_locked_until(*desk.db, desk.now)).has_value());
}

TEST_CASE("daily use of the right PIN hides no guesses and shortens no lock") {
    Desk desk;
    const auto use_pin = [&] {
        desk.give_well(desk.proved(desk.open(), AnswerKind::Reject, AnswerSurface::Terminal));
    };
    int guesses = consent::kWrongCodesMax;
    for (const std::int64_t minutes : {15, 30, 60}) {
        for (int i = 0; i < guesses; ++i) {
            use_pin();
            CHECK(must(consent::codes_locked_until(*desk.db, desk.now)) == std::nullopt);
            desk.refusal(wrong_code(desk, desk.open()));
        }
        const auto until = must(consent::codes_locked_until(*desk.db, desk.now));
        REQUIRE(until.has_value());
        CHECK(*until - desk.now == minutes * 60'000);
        use_pin();
        CHECK(must(consent::codes_locked_until(*desk.db, desk.now)) == std::nullopt);
        guesses = 1;  // the lock is open, and nothing is forgotten
    }
}

TEST_CASE("a code that was delivered to nobody is invalid and not counted as a guess") {
    Desk desk;
    const auto approval = consent::new_approval(desk.ask(), desk.policy, desk.now);
    desk.write([&] { must(consent::open_approval(*desk.db, approval, desk.policy, desk.now)); });
    const Answer right = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Code);
    const auto tell = [&](std::string_view channel, bool together, bool shows_code = true) {
        for (Notification row : must(store::notifications_of_approval(*desk.db, approval.id))) {
            if (row.channel != channel) continue;
            row.state = "delivered";
            row.held = together;
            row.shows_code = shows_code;
            desk.write([&] { must(store::update_notification(*desk.db, row)); });
        }
    };
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    tell("desktop", false);
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    tell("webhook", true);  // one of many in one message, which has no codes
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    tell("webhook", false, false);  // cut, because it was too long for the channel
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    CHECK(desk.stored(approval.id).code_failures == 0);
    tell("webhook", false);
    CHECK(desk.give_well(right).reply_queued);
}

TEST_CASE("assistants have at most twenty questions open, people and rules as many as they need") {
    Desk desk;
    consent::Ask asked = desk.ask();
    asked.requested_by = "tool:send";
    asked.about = About::Other;
    std::vector<Approval> open;
    for (int i = 0; i < consent::kOpenOfAssistantMax; ++i)
        open.push_back(desk.open(asked));
    const auto try_one = [&](const consent::Ask& ask) {
        must(desk.db->begin());
        const auto opened = consent::open_approval(
            *desk.db, consent::new_approval(ask, desk.policy, desk.now), desk.policy, desk.now);
        desk.db->rollback();
        return opened ? std::optional<ErrorCode>() : opened.error().code;
    };
    CHECK(try_one(asked) == ErrorCode::ResourceExhausted);
    CHECK(try_one(desk.ask()) == std::nullopt);
    consent::Ask persons = asked;
    persons.asked_by = "human";
    CHECK(try_one(persons) == std::nullopt);
    // A relayed instruction makes another question of the assistant's of it.
    Answer instructed = desk.proved(open[6], AnswerKind::Instruct, AnswerSurface::Relayed);
    instructed.words = "Say that it costs more.";
    CHECK(desk.give_well(instructed).next.has_value());
    CHECK(try_one(asked) == ErrorCode::ResourceExhausted);
    desk.give_well(desk.proved(open[7], AnswerKind::Reject));
    CHECK(try_one(asked) == std::nullopt);
}

TEST_CASE("five wrong PINs lock the terminal for fifteen minutes and notify the human") {
    Desk desk;
    const Approval approval = desk.open();
    const Answer right = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Terminal);
    Answer wrong = right;
    wrong.pin = ProofState::Wrong;
    for (int i = 1; i < consent::kPinFailuresMax; ++i) {
        CHECK(desk.refusal(wrong) == ErrorCode::Unauthenticated);
    }
    CHECK(desk.notifications(approval.id, "pin.locked") == 0);
    CHECK(desk.refusal(wrong) == ErrorCode::PermissionDenied);
    CHECK(desk.notifications(approval.id, "pin.locked") == 2);
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    desk.now += 15 * 60'000 - 1;
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    desk.now += 1;
    CHECK(desk.give_well(right).reply_queued);
}

TEST_CASE("wrong PINs are counted over all approvals, and a right one resets the count") {
    Desk desk;
    const Approval first = desk.open();
    const Approval second = desk.open();
    Answer wrong = desk.proved(first, AnswerKind::Approve, AnswerSurface::Terminal);
    wrong.pin = ProofState::Wrong;
    for (int i = 1; i < consent::kPinFailuresMax; ++i)
        desk.give(wrong);
    desk.give_well(desk.proved(first, AnswerKind::Reject, AnswerSurface::Terminal));
    wrong.approval_id = second.id;
    for (int i = 1; i < consent::kPinFailuresMax; ++i) {
        CHECK(desk.refusal(wrong) == ErrorCode::Unauthenticated);
    }
    CHECK(desk.refusal(wrong) == ErrorCode::PermissionDenied);
}

TEST_CASE("a wall clock that is set back does not stretch the lock") {
    Desk desk;
    const Approval approval = desk.open();
    const Answer right = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Terminal);
    Answer wrong = right;
    wrong.pin = ProofState::Wrong;
    for (int i = 0; i < consent::kPinFailuresMax; ++i)
        desk.give(wrong);
    desk.now -= 10 * 86'400'000LL;
    CHECK(desk.refusal(right) == ErrorCode::PermissionDenied);
    desk.now += 15 * 60'000;
    CHECK(desk.give_well(right).reply_queued);
}

TEST_CASE("a PIN that was not checked, and a terminal without a PIN, prove nothing") {
    Desk desk;
    const Approval approval = desk.open();
    Answer answer = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Terminal);
    answer.pin = ProofState::NotNeeded;
    CHECK(desk.refusal(answer) == ErrorCode::Unauthenticated);
    answer.pin = ProofState::NotSet;
    CHECK(desk.refusal(answer) == ErrorCode::PermissionDenied);
    CHECK(desk.outbox().empty());
}

TEST_CASE("the first answer wins, and later ones learn who gave it, where and when") {
    Desk desk;
    const Approval approval = desk.open();
    desk.give_well(desk.proved(approval, AnswerKind::Reject, AnswerSurface::Terminal));
    const auto outcome = desk.give(desk.proved(approval, AnswerKind::Approve));
    REQUIRE(outcome.refused.has_value());
    CHECK(outcome.refused->code == ErrorCode::Conflict);
    for (const char* part : {"rejected", "human", "terminal", "2025-10-09T08:53:20Z"}) {
        CHECK(outcome.refused->message.find(part) != std::string::npos);
    }
    CHECK(desk.outbox().size() == 1);
    CHECK(desk.stored(approval.id).status == ApprovalStatus::Rejected);
}

TEST_CASE("an answer to what was shown before an edit, or to another digest, is a conflict") {
    Desk desk;
    const Approval approval = desk.open();
    Answer answer = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Terminal);
    answer.digest_seen = std::string(64, 'a');
    CHECK(desk.refusal(answer) == ErrorCode::Conflict);
    answer.digest_seen = approval.digest;
    CHECK(desk.give_well(answer).reply_queued);
}

TEST_CASE("an approval that does not exist is not found") {
    Desk desk;
    Approval none = desk.open();
    none.id = "apr_none";
    CHECK(desk.refusal(desk.proved(none, AnswerKind::Approve)) == ErrorCode::NotFound);
}

TEST_CASE("edited text is what the digest covers and what is sent") {
    for (const auto surface : {AnswerSurface::Page, AnswerSurface::Terminal}) {
        Desk desk;
        const Approval approval = desk.open();
        const auto answered = desk.give_well(edited(desk, approval, surface, "280 CNY is fine"));
        CHECK(answered.approval.digest != approval.digest);
        const Approval after = desk.stored(approval.id);
        CHECK(after.digest == wire::sha256_hex(after.action_json));
        CHECK(after.reply_text == "280 CNY is fine");
        CHECK(!after.amount_minor.has_value());
        REQUIRE(desk.outbox().size() == 1);
        CHECK(desk.outbox()[0].payload_json ==
              wire::text_payload("280 CNY is fine", "", "works_1"));
        CHECK(has(desk.audit(approval.id), "edited"));
        CHECK(consent::approval_code(desk.secrets, after) !=
              consent::approval_code(desk.secrets, approval));
    }
}

TEST_CASE("R73: a yes accepts a typed offer only with its own words or a plain yes") {
    Desk desk;
    Ask ask = desk.ask();
    ask.request_json =
        R"({"act_before_ms":)" + std::to_string(desk.now + 60'000) +
        R"(,"payload":{"offer_message_id":"msg_1","text":"300 CNY is fine","type":"accept"},)"
        R"("refusal":{"offer_message_id":"msg_1","type":"reject"}})";
    const auto approval = desk.open(ask);
    CHECK(approval.answer_by_ms == desk.now + 60'000);  // a later yes could send nothing
    const auto sent = [&] { return nlohmann::json::parse(desk.outbox()[0].payload_json); };
    SUBCASE("the words of the card") {
        desk.give_well(desk.proved(approval, AnswerKind::Approve));
        CHECK(sent()["type"] == "accept");
        CHECK(sent()["text"] == "300 CNY is fine");
        CHECK(desk.outbox()[0].expires_at_ms == desk.now + 60'000);
    }
    SUBCASE("a plain yes") {
        desk.give_well(edited(desk, approval, AnswerSurface::Page, "Yes."));
        CHECK(sent()["type"] == "accept");
        CHECK(sent()["text"] == "Yes.");
        CHECK(desk.stored(approval.id).amount_minor == 30'000);
    }
    SUBCASE("other words") {
        desk.give_well(edited(desk, approval, AnswerSurface::Page, "Yes, on Sunday."));
        CHECK(sent() == nlohmann::json{{"text", "Yes, on Sunday."}, {"worksId", "works_1"}});
        CHECK_FALSE(desk.stored(approval.id).amount_minor.has_value());
        CHECK(desk.outbox()[0].expires_at_ms > desk.now + 60'000);
    }
    SUBCASE("a no") {
        desk.give_well(desk.proved(approval, AnswerKind::Reject));
        CHECK(sent() == nlohmann::json{{"offer_message_id", "msg_1"},
                                       {"text", "Sorry, 450 CNY is the price"},
                                       {"type", "reject"}});
    }
}

TEST_CASE("a relayed code cannot edit: an approval for 300 never releases 3000") {
    Desk desk;
    const Approval approval = desk.open();
    CHECK(desk.refusal(edited(desk, approval, AnswerSurface::Code, "3000 CNY is fine")) ==
          ErrorCode::PermissionDenied);
    CHECK(desk.refusal(edited(desk, approval, AnswerSurface::Relayed, "3000 CNY is fine")) ==
          ErrorCode::PermissionDenied);
    CHECK(desk.outbox().empty());
    CHECK(desk.stored(approval.id).digest == approval.digest);
}

TEST_CASE("a blank text counts as no text") {
    Desk desk;
    const Approval approval = desk.open();
    for (const char* blank : {" ", "\n", "\t  \n"}) {
        CHECK(desk.refusal(edited(desk, approval, AnswerSurface::Terminal, blank)) ==
              ErrorCode::InvalidArgument);
    }
    CHECK(desk.outbox().empty());
    CHECK(desk.stored(approval.id).status == ApprovalStatus::Pending);
}

TEST_CASE("an edit without a valid proof changes nothing") {
    Desk desk;
    const Approval approval = desk.open();
    Answer answer = edited(desk, approval, AnswerSurface::Page, "3000 CNY is fine");
    answer.proof = "wrong";
    CHECK(desk.refusal(answer) == ErrorCode::Unauthenticated);
    CHECK(desk.stored(approval.id).digest == approval.digest);
}

TEST_CASE("only the text of a reply can be edited") {
    Desk desk;
    const Approval approval = desk.open(platform_ask(desk));
    CHECK(desk.refusal(edited(desk, approval, AnswerSurface::Page, "other")) ==
          ErrorCode::InvalidArgument);
}

TEST_CASE("a person's words with a character that people cannot see are refused, and it is named") {
    Desk desk;
    const Approval approval = desk.open();
    for (const AnswerSurface surface : {AnswerSurface::Page, AnswerSurface::Terminal}) {
        const auto outcome = desk.give(edited(desk, approval, surface, "300 CNY\u202e is fine"));
        REQUIRE(outcome.refused.has_value());
        CHECK(outcome.refused->code == ErrorCode::InvalidArgument);
        CHECK(outcome.refused->message.find("U+202E (character 8)") != std::string::npos);
    }
    for (const AnswerSurface surface : {AnswerSurface::Code, AnswerSurface::Relayed}) {
        consent::Ask own = desk.ask();
        own.requested_by = "tool:send";
        own.about = About::Other;
        Answer answer = desk.proved(desk.open(own), AnswerKind::Instruct, surface);
        answer.words = "offer\u200b 400";
        const auto outcome = desk.give(answer);
        REQUIRE(outcome.refused.has_value());
        CHECK(outcome.refused->message.find("U+200B (character 6)") != std::string::npos);
    }
    CHECK(desk.outbox().empty());
    CHECK(desk.stored(approval.id).status == ApprovalStatus::Pending);
    CHECK(desk.give_well(edited(desk, approval, AnswerSurface::Page, "300 CNY ❤\ufe0f\r\nbye"))
              .approval.status == ApprovalStatus::Approved);
}

TEST_CASE("text that is too long or not UTF-8 is refused") {
    Desk desk;
    const Approval approval = desk.open();
    const std::string long_text(consent::kAnswerTextMax + 1, 'x');
    CHECK(desk.refusal(edited(desk, approval, AnswerSurface::Page, long_text)) ==
          ErrorCode::InvalidArgument);
    CHECK(desk.refusal(edited(desk, approval, AnswerSurface::Page, "\xff")) ==
          ErrorCode::InvalidArgument);
    CHECK(desk.refusal(instruction(desk, approval, " \n ")) == ErrorCode::InvalidArgument);
    CHECK(desk.refusal(instruction(desk, approval, long_text)) == ErrorCode::InvalidArgument);
    CHECK(desk.stored(approval.id).status == ApprovalStatus::Pending);
}

TEST_CASE("R10: an instruction releases nothing and becomes a new approval of the exact text") {
    Desk desk;
    const Approval approval = desk.open();
    const auto answered = desk.give_well(instruction(desk, approval, "还价到 450"));
    CHECK(answered.approval.status == ApprovalStatus::Instructed);
    CHECK(desk.outbox().empty());
    REQUIRE(answered.next.has_value());
    const Approval next = desk.stored(answered.next->id);
    CHECK(next.status == ApprovalStatus::Pending);
    CHECK(next.reply_text.find("450") != std::string::npos);
    CHECK(next.job_id == approval.job_id);
    CHECK(next.digest != approval.digest);
    CHECK(desk.notifications(next.id, "approval.asked") == 2);
    CHECK(desk.job_state() == JobState::WaitingForHuman);
    CHECK(desk.give_well(desk.proved(next, AnswerKind::Approve)).reply_queued);
    REQUIRE(desk.outbox().size() == 1);
    CHECK(desk.outbox()[0].payload_json == wire::text_payload(next.reply_text, "", "works_1"));
}

TEST_CASE("R10: an option of a question that a message caused becomes a draft too") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.options = {"Counter with 400 CNY"};
    const Approval approval = desk.open(ask);
    Answer answer = desk.proved(approval, AnswerKind::Option);
    answer.words = "Counter with 400 CNY";
    const auto answered = desk.give_well(answer);
    CHECK(answered.approval.answer_text == "Counter with 400 CNY");
    CHECK(answered.next.has_value());
    CHECK(desk.outbox().empty());
}

TEST_CASE("R18: words about an assistant's own question go to the assistant only") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.job_id = 0;
    ask.reply_text.clear();
    ask.options = {"the blue one"};
    ask.requested_by = "tool:approval.create";
    ask.about = About::Other;
    const Approval question = desk.open(ask);
    const auto told = desk.give_well(instruction(desk, question, "the red one"));
    CHECK(!told.next.has_value());
    CHECK(told.approval.answer_text == "the red one");
    const Approval again = desk.open(ask);
    Answer option = desk.proved(again, AnswerKind::Option, AnswerSurface::Relayed);
    option.words = "the blue one";
    CHECK(!desk.give_well(option).next.has_value());
    consent::Ask call = platform_ask(desk);
    call.requested_by = "tool:works.publish";
    const Approval action = desk.open(call);
    CHECK(!desk.give_well(instruction(desk, action, "cheaper")).next.has_value());
    CHECK(desk.outbox().empty());
}

TEST_CASE("words that nobody would get are refused, and the question stays open") {
    Desk desk;
    consent::Ask ask = platform_ask(desk);
    ask.action = "task.accept";
    const Approval task = desk.open(ask);
    CHECK(desk.refusal(instruction(desk, task, "only on Friday")) == ErrorCode::InvalidArgument);
    CHECK(desk.stored(task.id).status == ApprovalStatus::Pending);
}

TEST_CASE("R11: silence expires, is reported, and is never called a rejection") {
    Desk desk;
    const Approval approval = desk.open();
    desk.now = approval.answer_by_ms - 1;
    CHECK(desk.expire().empty());
    desk.now += 1;
    const auto expired = desk.expire();
    REQUIRE(expired.size() == 1);
    CHECK(expired[0].status == ApprovalStatus::Expired);
    CHECK(desk.stored(approval.id).answered_by == "clock");
    CHECK(desk.notifications(approval.id, "approval.expired") == 2);
    CHECK(desk.job_state() == JobState::Done);
    CHECK(desk.outbox().empty());
    CHECK(desk.expire().empty());
    const auto late = desk.give(desk.proved(approval, AnswerKind::Approve));
    REQUIRE(late.refused.has_value());
    CHECK(late.refused->message.find("reject") == std::string::npos);
    CHECK(desk.outbox().empty());
}

TEST_CASE("an answer after the deadline is refused though nothing has expired the row yet") {
    Desk desk;
    const Approval approval = desk.open();
    desk.now = approval.answer_by_ms;
    CHECK(desk.refusal(desk.proved(approval, AnswerKind::Approve)) == ErrorCode::Conflict);
    CHECK(desk.outbox().empty());
}

TEST_CASE("an approved action that is not used in time can never be used") {
    Desk desk;
    const Approval approval = desk.open(platform_ask(desk));
    desk.give_well(desk.proved(approval, AnswerKind::Approve));
    desk.now = approval.act_by_ms;
    const auto expired = desk.expire();
    REQUIRE(expired.size() == 1);
    CHECK(expired[0].status == ApprovalStatus::Approved);
    CHECK(expired[0].outcome == ApprovalOutcome::Expired);
    CHECK(desk.stored(approval.id).outcome == ApprovalOutcome::Expired);
    desk.write([&] { CHECK(!store::consume_approval(*desk.db, approval.id, desk.now)); });
    CHECK(desk.notifications(approval.id, "approval.expired") == 2);
}

TEST_CASE("neither code nor token nor PIN reaches the database") {
    Desk desk;
    const Approval approval = desk.open();
    const std::string code = consent::approval_code(desk.secrets, approval);
    const std::string token = consent::approval_link_token(desk.secrets, approval);
    Answer wrong = desk.proved(approval, AnswerKind::Approve, AnswerSurface::Code);
    wrong.proof = "999999";
    desk.give(wrong);
    desk.give_well(desk.proved(approval, AnswerKind::Approve, AnswerSurface::Code));
    std::string all;
    for (const auto& row : test::must(store::audit_rows(*desk.db, "")))
        all += row.detail_json;
    for (const auto& row : test::must(store::notifications_of_approval(*desk.db, approval.id))) {
        all += row.body_json + row.outcome;
    }
    const Approval after = desk.stored(approval.id);
    all += after.answer_text + after.action_json + after.context + after.outcome_detail;
    CHECK(all.find(token) == std::string::npos);
    CHECK(all.find(code) == std::string::npos);
    CHECK(all.find("999999") == std::string::npos);
}
