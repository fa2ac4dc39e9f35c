// What the options of a question do, and what is said about the words that answer it.

#include <doctest/doctest.h>

#include "core/wire/payload.h"
#include "daemon/card/card.h"
#include "daemon/card/options.h"
#include "daemon/consent/action.h"
#include "daemon/consent/approvals.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using consent::Answer;
using test::Desk;
using test::must;

TEST_CASE("R80: an option that is the yes or the no does what they do, with the same proof") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.options = {{"Accept 300.00 CNY", OptionKind::Yes},
                   {"Better not", OptionKind::No},
                   {"Say nothing", OptionKind::Close},
                   {"Other price", OptionKind::Counter},
                   "Counter with 400 CNY"};
    const Approval approval = desk.open(ask);
    const auto by = [&](const char* label, AnswerSurface surface = AnswerSurface::Page) {
        Answer answer = desk.proved(approval, consent::understand_answer(approval, label), surface);
        answer.words = label;
        return answer;
    };
    SUBCASE("the yes sends the drafted reply") {
        CHECK(desk.give_well(by("accept 300.00 CNY")).reply_queued);
        REQUIRE(desk.outbox().size() == 1);
        CHECK(desk.outbox()[0].payload_json ==
              wire::text_payload(ask.reply_text, "", ask.works_id));
        CHECK(desk.stored(approval.id).status == ApprovalStatus::Approved);
    }
    SUBCASE("a relayed yes needs the code") {
        CHECK(desk.refusal(by("Accept 300.00 CNY", AnswerSurface::Relayed)) ==
              ErrorCode::PermissionDenied);
    }
    SUBCASE("a yes to what was shown before is refused") {
        Answer old = by("Accept 300.00 CNY");
        old.digest_seen = "another";
        CHECK(desk.refusal(old) == ErrorCode::Conflict);
    }
    SUBCASE("the no sends its words") {
        CHECK(desk.give_well(by("Better not")).reply_queued);
        REQUIRE(desk.outbox().size() == 1);
        CHECK(desk.outbox()[0].payload_json ==
              wire::text_payload(ask.reject_text, "", ask.works_id));
        CHECK(desk.stored(approval.id).status == ApprovalStatus::Rejected);
    }
    SUBCASE("closing sends nothing") {
        CHECK_FALSE(desk.give_well(by("Say nothing")).reply_queued);
        CHECK(desk.outbox().empty());
        CHECK(desk.stored(approval.id).status == ApprovalStatus::Rejected);
    }
    SUBCASE("an option that stands for own words is no answer") {
        CHECK(desk.refusal(by("Other price")) == ErrorCode::InvalidArgument);
        CHECK(desk.stored(approval.id).status == ApprovalStatus::Pending);
    }
    SUBCASE("other words become a draft") {
        CHECK(desk.give_well(by("Counter with 400 CNY")).next.has_value());
    }
    SUBCASE("an edited text takes the meaning from the yes") {
        const Approval edited = consent::with_reply_text(approval, "330 CNY");
        CHECK(consent::understand_answer(edited, "Accept 300.00 CNY") == AnswerKind::Option);
        CHECK(consent::understand_answer(edited, "Better not") == AnswerKind::Reject);
    }
    SUBCASE("only what is not the yes or the no is shown beside them") {
        const auto further = card::further_options(approval);
        REQUIRE(further.size() == 3);
        CHECK(further[0].label == "Say nothing");
        CHECK(further[1] == AnswerOption("Other price", OptionKind::Counter));
        CHECK(further[2] == AnswerOption("Counter with 400 CNY"));
    }
}

TEST_CASE("R75: a yes waits to be sent until the broker has taken its message") {
    Desk desk;
    const Approval approval = desk.open();
    const auto answered = desk.give_well(desk.proved(approval, AnswerKind::Approve));
    CHECK(waits_to_be_sent(answered.approval));
    CHECK(waits_to_be_sent(desk.stored(approval.id)));
    const std::int64_t message = desk.outbox().at(0).id;
    SUBCASE("which may be later") {
        desk.write([&] { must(store::mark_outbox_sent(*desk.db, message, desk.now)); });
        CHECK_FALSE(waits_to_be_sent(desk.stored(approval.id)));
    }
    SUBCASE("or never, unless it is queued again") {
        desk.write([&] { must(store::bury_outbox(*desk.db, message, "no broker", desk.now)); });
        CHECK_FALSE(waits_to_be_sent(desk.stored(approval.id)));
        desk.write([&] { must(store::requeue_outbox(*desk.db, message, desk.now, 1'000)); });
        CHECK(waits_to_be_sent(desk.stored(approval.id)));
    }
}

TEST_CASE("R75: a yes that sends nothing does not wait") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.reply_text.clear();
    const Approval approval = desk.open(ask);
    CHECK_FALSE(
        waits_to_be_sent(desk.give_well(desk.proved(approval, AnswerKind::Approve)).approval));
}

TEST_CASE("R73: the draft of an instruction about a typed offer says that it accepts nothing") {
    Desk desk;
    for (const char* payload : {R"({"text":"300?"})", R"({"type":"offer","text":"300?"})"}) {
        CAPTURE(payload);
        InboxMessage message;
        message.agent_id = "ag_seller";
        message.sender_id = "ag_buyer";
        message.message_id = std::string("msg_1760000000001_") + std::to_string(desk.now);
        message.message_type = "chat.request";
        message.payload_json = message.payload_hash = payload;
        message.envelope_json = "{}";
        consent::Ask ask = desk.ask();
        desk.write([&] { ask.job_id = must(store::insert_inbox(*desk.db, message)).inbox_id; });
        Answer instruction = desk.proved(desk.open(ask), AnswerKind::Instruct);
        instruction.words = "300 is fine";
        const auto next = desk.give_well(instruction).next;
        REQUIRE(next.has_value());
        const auto card = card::card_of(*next, i18n::Language::English);
        const std::string shown = card::in_text(card.lines, i18n::Language::English);
        const bool says_so = shown.find("is not accepted by these words") != std::string::npos;
        CHECK_MESSAGE(says_so == (message.payload_json.find("offer") != std::string::npos), shown);
        desk.now += 1;
    }
}

TEST_CASE("R80: without a draft no option is a yes") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.reply_text.clear();
    ask.options = {{"Accept 300.00 CNY", OptionKind::Yes}};
    const Approval approval = desk.open(ask);
    CHECK(consent::understand_answer(approval, "Accept 300.00 CNY") == AnswerKind::Option);
}
