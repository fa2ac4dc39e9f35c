#include "daemon/consent/newer.h"

#include <doctest/doctest.h>

#include "core/store/contact_store.h"
#include "core/store/event_store.h"
#include "core/wire/payload.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using consent::Later;
using test::Desk;
using test::must;

namespace {

/// One more message of the buyer, stored and not yet decided.
std::int64_t store_message(Desk& desk, Provenance provenance = Provenance::Verified) {
    static int count = 0;
    InboxMessage message;
    message.agent_id = "ag_seller";
    message.sender_id = "ag_buyer";
    message.message_id = "msg_1760000000001_" + std::to_string(10'000'000 + ++count);
    message.message_type = "chat.request";
    message.payload_json = R"({"text":"only 200 CNY"})";
    message.payload_hash = "h" + std::to_string(count);
    message.envelope_json = "{}";
    message.provenance = provenance;
    message.received_at_ms = desk.now;
    std::int64_t id = 0;
    desk.write([&] { id = must(store::insert_inbox(*desk.db, message)).inbox_id; });
    return id;
}

void decide_message(Desk& desk, std::int64_t id) {
    Job job = *must(store::get_job(*desk.db, id));
    job.state = JobState::WaitingForHuman;
    job.decision = "ask";
    desk.write([&] { must(store::update_job(*desk.db, job)); });
}

Later later_of(const Desk& desk, ClosedBy what = ClosedBy::NewerMessage) {
    return {.agent_id = "ag_seller",
            .peer_id = "ag_buyer",
            .order_id = {},
            .works_id = "works_1",
            .job_id = desk.job_id + 1,
            .provenance = Provenance::Verified,
            .what = what,
            .is_offer = false,
            .at_ms = desk.now,
            .next_id = {},
            .closes = nullptr};
}

int close(Desk& desk, const Later& later) {
    int closed = 0;
    desk.write(
        [&] { closed = must(consent::close_older(*desk.db, later, desk.policy, desk.now)); });
    return closed;
}

}  // namespace

TEST_CASE("an old link, code, button or PIN answer says that it has changed, and sends nothing") {
    for (const AnswerSurface surface : {AnswerSurface::Page, AnswerSurface::Code,
                                        AnswerSurface::Button, AnswerSurface::Terminal}) {
        Desk desk;
        const Approval old = desk.open();
        consent::Answer yes = desk.proved(old, AnswerKind::Approve, surface);
        if (surface == AnswerSurface::Button) {
            yes.proof =
                consent::approval_button_token(desk.secrets, old, kOwner, AnswerKind::Approve);
        }
        Later later = later_of(desk);
        consent::Ask other = desk.ask();
        other.reply_text = "200 CNY is fine";
        later.next_id = desk.open(other).id;
        CHECK(close(desk, later) == 1);
        const auto outcome = desk.give(yes);
        REQUIRE(outcome.refused.has_value());
        CHECK(outcome.refused->code == ErrorCode::Conflict);
        CHECK(outcome.refused->message == "changed meanwhile: the peer has sent a newer message; " +
                                              later.next_id + " asks about it");
        CHECK(desk.outbox().empty());
    }
}

TEST_CASE("the reason of a closed question is in its row, audit, event and task") {
    Desk desk;
    const Approval old = desk.open();
    Later later = later_of(desk, ClosedBy::Withdrawal);
    later.next_id = "apr_next";
    close(desk, later);
    const Approval stored = desk.stored(old.id);
    CHECK(stored.status == ApprovalStatus::Cancelled);
    CHECK(stored.surface == AnswerSurface::System);
    CHECK(stored.closed_by == ClosedBy::Withdrawal);
    CHECK(stored.next_id == "apr_next");
    CHECK(desk.audit(old.id).back() == "cancelled");
    CHECK(desk.job_state() == JobState::Done);
    const auto events =
        must(store::approval_events(*desk.db, {"ag_seller", old.id, std::int64_t{0}, 10}));
    CHECK(events.back().kind == "approval.cancelled");
    CHECK(events.back().detail_json.find("apr_next") != std::string::npos);
}

TEST_CASE("only what is about the same order or listing is closed") {
    Desk desk;
    consent::Ask other = desk.ask();
    other.works_id = "works_2";
    const Approval of_other = desk.open(other);
    other.works_id.clear();
    other.order_id = "WKS_2";
    const Approval of_order = desk.open(other);
    other.order_id.clear();
    const Approval unnamed = desk.open(other);
    const Approval same = desk.open();
    Later later = later_of(desk);
    later.order_id = "WKS_1";
    CHECK(close(desk, later) == 2);
    CHECK(desk.stored(same.id).closed_by == ClosedBy::NewerMessage);
    CHECK(desk.stored(unnamed.id).closed_by == ClosedBy::NewerMessage);
    CHECK(desk.stored(of_other.id).status == ApprovalStatus::Pending);
    CHECK(desk.stored(of_order.id).status == ApprovalStatus::Pending);
}

TEST_CASE("a message without references closes replies and the only open question") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.requested_by = "rule:own.unclear";
    ask.reply_text.clear();
    const Approval without_draft = desk.open(ask);
    const Approval with_draft = desk.open();
    Later later = later_of(desk);
    later.works_id.clear();
    CHECK(close(desk, later) == 1);
    CHECK(desk.stored(with_draft.id).status == ApprovalStatus::Cancelled);
    CHECK(desk.stored(without_draft.id).status == ApprovalStatus::Pending);
    CHECK(close(desk, later) == 1);
    CHECK(desk.stored(without_draft.id).status == ApprovalStatus::Cancelled);
}

TEST_CASE("a less certain sender does not close a question of the verified peer") {
    Desk desk;
    const Approval old = desk.open();
    Later later = later_of(desk);
    for (const Provenance weak :
         {Provenance::Vouched, Provenance::Unverified, Provenance::Forged}) {
        later.provenance = weak;
        CHECK(close(desk, later) == 0);
    }
    CHECK(desk.stored(old.id).status == ApprovalStatus::Pending);
}

TEST_CASE("R49: without the pinned key nobody closes what an assistant asks") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.job_id = 0;
    ask.provenance.clear();
    ask.requested_by = "tool:approval.create";
    ask.about = About::Other;
    desk.open(ask);
    desk.write([&] {
        Contact contact;
        contact.agent_id = "ag_seller";
        contact.peer_id = "ag_buyer";
        must(store::add_contact(*desk.db, contact));
        must(store::pin_key(*desk.db, "ag_seller", "ag_buyer", "k1", "p1"));
    });
    Later later = later_of(desk);
    later.is_offer = true;
    later.at_ms = desk.now + 1;
    later.provenance = Provenance::Unverified;
    CHECK(close(desk, later) == 0);
    later.provenance = Provenance::Verified;
    CHECK(close(desk, later) == 1);
}

TEST_CASE("later messages, other peers and questions of another kind stay open") {
    Desk desk;
    consent::Ask bare = desk.ask();
    bare.reply_text.clear();
    bare.requested_by = "rule:own.facts";
    bare.about = About::Facts;
    desk.open(bare);
    consent::Ask other_peer = desk.ask();
    other_peer.peer_id = "ag_other";
    desk.open(other_peer);
    consent::Ask publish = desk.ask();
    publish.action = "works.publish";
    desk.open(publish);
    desk.open();
    Later later = later_of(desk);
    later.job_id = desk.job_id;
    CHECK(close(desk, later) == 0);
    later.job_id = desk.job_id + 1;
    CHECK(close(desk, later) == 1);
}

TEST_CASE("a further question leaves those open that are about no offer, an offer does not") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.requested_by = "rule:own.facts";
    ask.about = About::Facts;
    const Approval question = desk.open(ask);
    const Approval offer = desk.open();
    Later later = later_of(desk);
    CHECK(close(desk, later) == 1);
    CHECK(desk.stored(offer.id).status == ApprovalStatus::Cancelled);
    CHECK(desk.stored(question.id).status == ApprovalStatus::Pending);
    later.is_offer = true;
    CHECK(close(desk, later) == 1);
    CHECK(desk.stored(question.id).status == ApprovalStatus::Cancelled);
}

TEST_CASE("several questions of a peer that have no draft become one, and drafts stay open") {
    Desk desk;
    consent::Ask plain = desk.ask();
    plain.reply_text.clear();
    plain.requested_by = "rule:own.facts";
    plain.about = About::Facts;
    const Approval first = desk.open(plain);
    plain.about = About::Other;
    plain.works_id = "works_1";
    const Approval second = desk.open(plain);
    plain.works_id = "works_2";
    const Approval other_listing = desk.open(plain);
    consent::Ask draft = desk.ask();
    draft.about = About::Facts;
    const Approval drafted = desk.open(draft);
    consent::Ask assistants = plain;
    assistants.job_id = 0;
    assistants.requested_by = "tool:approval.create";
    const Approval own = desk.open(assistants);
    Later later = later_of(desk);
    later.works_id = "works_1";
    CHECK(close(desk, later) == 0);  // no question would show them
    plain.works_id = "works_1";
    later.next_id = desk.open(plain).id;
    CHECK(close(desk, later) == 2);
    for (const Approval& closed : {first, second}) {
        CHECK(desk.stored(closed.id).closed_by == ClosedBy::NewerMessage);
        CHECK(desk.stored(closed.id).next_id == later.next_id);
    }
    for (const Approval& open : {other_listing, drafted, own})
        CHECK(desk.stored(open.id).status == ApprovalStatus::Pending);
}

TEST_CASE("an assistant's own words stay open until the peer offers something else after them") {
    Desk desk;
    consent::Ask own = desk.ask();
    own.job_id = 0;
    own.requested_by = "tool:send";
    own.about = About::Other;
    const auto closes = [&](bool is_offer, ClosedBy what, UnixMs after_ms) {
        const Approval words = desk.open(own);
        Later later = later_of(desk, what);
        later.is_offer = is_offer;
        later.at_ms = desk.now + after_ms;
        close(desk, later);
        return desk.stored(words.id).status == ApprovalStatus::Cancelled;
    };
    CHECK_FALSE(closes(false, ClosedBy::NewerMessage, 1));
    CHECK_FALSE(closes(true, ClosedBy::NewerMessage, -1));  // they were drafted knowing it
    CHECK(closes(true, ClosedBy::NewerMessage, 1));
    CHECK(closes(false, ClosedBy::Withdrawal, 1));
    // A yes to them waits, too, while a newer message is being read.
    const Approval words = desk.open(own);
    store_message(desk);
    CHECK(desk.refusal(desk.proved(words, AnswerKind::Approve)) == ErrorCode::Unavailable);
    CHECK(desk.outbox().empty());
}

TEST_CASE("while a newer message is stored and not decided a yes waits, and a no does not") {
    Desk desk;
    const Approval old = desk.open();
    const std::int64_t newer = store_message(desk);
    CHECK(desk.refusal(desk.proved(old, AnswerKind::Approve)) == ErrorCode::Unavailable);
    CHECK(desk.outbox().empty());
    CHECK(desk.stored(old.id).status == ApprovalStatus::Pending);
    SUBCASE("a no") {
        CHECK(desk.give_well(desk.proved(old, AnswerKind::Reject)).approval.status ==
              ApprovalStatus::Rejected);
    }
    SUBCASE("a yes after the decision does not cover what the card had not shown") {
        decide_message(desk, newer);
        CHECK(desk.refusal(desk.proved(old, AnswerKind::Approve)) == ErrorCode::Conflict);
        CHECK(desk.outbox().empty());
    }
}

TEST_CASE("a sent message closes the peer's questions that it answers") {
    const auto sent = [](const std::string& payload) {
        OutboxMessage message;
        message.agent_id = "ag_seller";
        message.target_id = "ag_buyer";
        message.payload_json = payload;
        return message;
    };
    for (const auto& [payload, closes] :
         {std::pair(wire::text_payload("Sorry, no."), true),
          std::pair(wire::text_payload("OK."), true), std::pair(wire::text_payload("成交"), true),
          std::pair(wire::text_payload("We offer 270 CNY."), true),
          std::pair(std::string(R"({"type":"accept","offer_message_id":"m"})"), true),
          std::pair(wire::text_payload("Which day is it?"), false),
          std::pair(wire::text_payload("OK.", "", "works_2"), false)}) {
        CAPTURE(payload);
        Desk desk;
        const Approval old = desk.open();
        desk.write(
            [&] { must(consent::close_answered(*desk.db, sent(payload), desk.policy, desk.now)); });
        CHECK((desk.stored(old.id).status == ApprovalStatus::Cancelled) == closes);
    }
}

TEST_CASE("no mandate covers what the peer has written after") {
    Desk desk;
    const Approval old = desk.open();
    CHECK_FALSE(must(consent::has_newer(*desk.db, old)));
    for (const Provenance others : {Provenance::Forged, Provenance::Unverified}) {
        store_message(desk, others);
        CHECK_FALSE(must(consent::has_newer(*desk.db, old)));
        CHECK_FALSE(must(consent::is_being_overtaken(*desk.db, old)));
    }
    store_message(desk);
    CHECK(must(consent::has_newer(*desk.db, old)));
    CHECK(must(consent::is_being_overtaken(*desk.db, old)));
}

TEST_CASE("a question drafted late is replaced by the one about the later message") {
    Desk desk;
    consent::Ask newer = desk.ask();
    newer.job_id = store_message(desk);
    const Approval later = desk.open(newer);
    const Approval slow = desk.open();
    CHECK(must(consent::question_after(*desk.db, slow)) == later.id);
    CHECK(must(consent::question_after(*desk.db, later)).empty());
}

TEST_CASE("the owner's message to a peer closes its earlier plain questions only") {
    Desk desk;
    const auto asked_about = [&](About about) {
        consent::Ask ask = desk.ask();
        ask.about = about;
        ask.reply_text.clear();
        return desk.open(ask).id;
    };
    const std::string plain = asked_about(About::Facts);
    const std::string offer = asked_about(About::Terms);
    const std::string unknown = asked_about(About::Other);
    Approval released = desk.open();
    desk.now += 1'000;
    const std::string later = asked_about(About::Facts);
    const auto close_for = [&](AnswerSurface surface) {
        released.surface = surface;
        desk.write([&] {
            must(consent::close_plain_questions(*desk.db, released, desk.policy, desk.now));
        });
        return desk.stored(plain).status;
    };
    CHECK(close_for(AnswerSurface::Mandate) == ApprovalStatus::Pending);
    CHECK(close_for(AnswerSurface::Page) == ApprovalStatus::Cancelled);
    CHECK(desk.stored(plain).closed_by == ClosedBy::OwnAnswer);
    for (const std::string& id : {offer, unknown, later})
        CHECK(desk.stored(id).status == ApprovalStatus::Pending);
}
