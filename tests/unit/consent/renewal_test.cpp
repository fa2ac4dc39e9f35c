#include "daemon/consent/renewal.h"

#include "daemon/consent/said.h"

#include <doctest/doctest.h>

#include "core/store/contact_store.h"
#include "core/store/retry_times.h"
#include "core/wire/canonical.h"
#include "daemon/card/card.h"
#include "daemon/consent/flood.h"
#include "daemon/consent/newer.h"
#include "tests/unit/consent/fixture.h"

#include <nlohmann/json.hpp>

using namespace a2h;
using nlohmann::json;
using test::Desk;
using test::must;

namespace {

InboxMessage message_of(const json& payload) {
    InboxMessage message;
    message.agent_id = "ag_seller";
    message.sender_id = "ag_buyer";
    message.message_type = "chat.request";
    message.payload_json = wire::canonical_json(payload);
    message.payload_hash = message.payload_json;
    message.envelope_json = "{}";
    return message;
}

/// Stored, and decided by a rule that does not ask.
std::int64_t hear_payload(Desk& desk, const json& payload,
                          Provenance provenance = Provenance::Verified,
                          const std::string& type = "chat.request") {
    static int count = 0;
    InboxMessage message = message_of(payload);
    message.message_type = type;
    message.message_id = "msg_1760000000002_" + std::to_string(10'000'000 + ++count);
    message.provenance = provenance;
    message.received_at_ms = desk.now;
    std::int64_t id = 0;
    desk.write([&] {
        id = must(store::insert_inbox(*desk.db, message)).inbox_id;
        Job job = *must(store::get_job(*desk.db, id));
        job.state = JobState::Done;
        job.decision = "silent";
        must(store::update_job(*desk.db, job));
        must(consent::renew_older(*desk.db, id, desk.policy, desk.now));
    });
    return id;
}

std::int64_t hear(Desk& desk, const std::string& text,
                  Provenance provenance = Provenance::Verified) {
    return hear_payload(desk, json{{"text", text}}, provenance);
}

std::vector<Approval> waiting(Desk& desk) {
    return must(store::pending_about(*desk.db, "ag_seller", "ag_buyer"));
}

/// Acts like a channel that has taken the due notifications of `question`; false if there are none.
bool deliver_due(Desk& desk, const Approval& question) {
    bool has_delivered = false;
    for (Notification row : must(store::notifications_of_approval(*desk.db, question.id))) {
        if (row.state != "queued" || row.next_attempt_ms > desk.now) continue;
        row.state = "delivered";
        row.attempts = 1;
        row.updated_at_ms = desk.now;
        desk.write([&] { must(store::update_notification(*desk.db, row)); });
        has_delivered = true;
    }
    return has_delivered;
}

/// The part of the card with later messages and earlier questions.
std::string since_on_card(const Approval& approval) {
    std::string all;
    for (const auto& line : card::card_of(approval, i18n::Language::English).lines)
        if (line.kind == card::Line::Kind::Since) all += line.label + ": " + line.value + "\n";
    return all;
}

bool is_harmless(const InboxMessage& message) {
    return consent::is_harmless(message.message_type, message.payload_json);
}

/// More than a card shows.
void flood(Desk& desk) {
    for (int i = 0; i <= 2 * consent::kSaidMax; ++i)
        hear(desk, "only " + std::to_string(i) + " CNY, if you call me");
}

}  // namespace

TEST_CASE("only a greeting or thanks without other words is harmless") {
    for (const char* text : {"Thank you!", "Thanks.", "Hello", "谢谢！", "你好",
                             "Hi there, thanks a lot!", "您好呀"}) {
        CAPTURE(text);
        CHECK(is_harmless(message_of({{"text", text}})));
        CHECK(is_harmless(message_of({{"text", text}, {"type", "text"}})));
    }
    for (const char* text : {"",
                             " ",
                             "Thanks, all sorted",
                             "Thanks!!! 2",
                             "thanks?",
                             "Thanks, bye",
                             "Goodbye",
                             "Ok",
                             "No thanks",
                             "谢谢，不用了",
                             "谢谢❌",
                             "Thank you 👋",
                             "🙏",
                             "Danke, hat sich erledigt",
                             "Gracias, ya no",
                             "Hello? Found somebody else",
                             "thanks\xE2\x80\x8B no",
                             "Thanks (not)",
                             "Hi, forget it",
                             "Not at all",
                             "No worries",
                             "Thanks anyway",
                             "np",
                             "cheers then",
                             "给您添麻烦了",
                             "谢谢，麻烦了",
                             "打扰了",
                             "Thank you for nothing"}) {
        CAPTURE(text);
        CHECK_FALSE(is_harmless(message_of({{"text", text}})));
    }
    const json thanks{{"text", "Thank you!"}};
    for (const char* name : {"note", "worksId", "type", "offer_message_id", "attachment"}) {
        json more = thanks;
        more[name] = "taken_back";
        CHECK_FALSE(is_harmless(message_of(more)));
    }
    InboxMessage typed = message_of(thanks);
    typed.message_type = "status_report";
    CHECK_FALSE(is_harmless(typed));
    typed = message_of(thanks);
    typed.payload_json = R"("thanks")";
    CHECK_FALSE(is_harmless(typed));
}

TEST_CASE("a peer's message after a question invalidates every older proof") {
    for (const AnswerSurface surface : {AnswerSurface::Page, AnswerSurface::Code,
                                        AnswerSurface::Button, AnswerSurface::Terminal}) {
        Desk desk;
        const Approval old = desk.open();
        consent::Answer yes = desk.proved(old, AnswerKind::Approve, surface);
        if (surface == AnswerSurface::Button) {
            yes.proof =
                consent::approval_button_token(desk.secrets, old, kOwner, AnswerKind::Approve);
        }
        hear(desk, "Thanks, all sorted");
        const auto open = waiting(desk);
        REQUIRE(open.size() == 1);
        const Approval& next = open[0];
        CHECK(next.id != old.id);
        CHECK(next.digest == old.digest);
        CHECK(next.answer_by_ms == old.answer_by_ms);
        CHECK(next.act_by_ms == old.act_by_ms);
        CHECK(since_on_card(next) == "Said by them and still open: • Thanks, all sorted\n");
        const auto outcome = desk.give(yes);
        REQUIRE(outcome.refused.has_value());
        CHECK(outcome.refused->code == ErrorCode::Conflict);
        CHECK(outcome.refused->message ==
              "changed meanwhile: the peer has written since; check again; " + next.id +
                  " asks about it");
        CHECK(desk.outbox().empty());
        CHECK(desk.stored(old.id).closed_by == ClosedBy::Renewed);
        CHECK(desk.job_state() == JobState::WaitingForHuman);
        CHECK(desk.give_well(desk.proved(next, AnswerKind::Approve)).reply_queued);
        CHECK(desk.outbox().size() == 1);
        CHECK(desk.job_state() == JobState::Done);
    }
}

TEST_CASE("courtesy, repeats, other peers and less certain senders renew nothing") {
    Desk desk;
    const Approval old = desk.open();
    hear(desk, "Thank you!");
    for (const Provenance weak : {Provenance::Vouched, Provenance::Unverified, Provenance::Forged})
        hear(desk, "forget it", weak);
    desk.write([&] {
        InboxMessage other = message_of({{"text", "forget it"}});
        other.sender_id = "ag_other";
        other.message_id = "msg_1760000000002_0badf00d";
        must(store::insert_inbox(*desk.db, other));
    });
    CHECK(desk.stored(old.id).status == ApprovalStatus::Pending);
    CHECK(desk.give_well(desk.proved(old, AnswerKind::Approve)).reply_queued);
}

TEST_CASE("a flood of thanks or unverified messages hides no later message") {
    auto flood = Provenance::Verified;
    SUBCASE("thanks") {}
    SUBCASE("unverified") {
        flood = Provenance::Unverified;
    }
    Desk desk;
    const Approval old = desk.open();
    for (int i = 0; i < 2 * consent::kSaidMax; ++i)
        hear(desk, flood == Provenance::Verified ? "Thank you!" : "ok " + std::to_string(i), flood);
    hear(desk, "es hat sich erledigt");
    CHECK(desk.refusal(desk.proved(old, AnswerKind::Approve)) == ErrorCode::Conflict);
    CHECK(desk.outbox().empty());
    if (flood == Provenance::Unverified)
        CHECK(since_on_card(waiting(desk).at(0)).find("erledigt") != std::string::npos);
}

TEST_CASE("a message that is verified later renews the question then") {
    Desk desk;
    InboxMessage slow = message_of({{"text", "storniert"}});
    slow.message_id = "msg_1760000000003_0badf00d";
    slow.provenance = Provenance::Unverified;
    desk.write([&] { slow.id = must(store::insert_inbox(*desk.db, slow)).inbox_id; });
    const Approval old = desk.open();
    CHECK(since_on_card(desk.stored(old.id)).empty());
    desk.write([&] {
        must(store::set_inbox_provenance(*desk.db, slow.id, Provenance::Verified));
        Job job = *must(store::get_job(*desk.db, slow.id));
        job.state = JobState::Done;
        must(store::update_job(*desk.db, job));
        must(consent::renew_older(*desk.db, slow.id, desk.policy, desk.now));
    });
    CHECK(since_on_card(waiting(desk).at(0)).find("storniert") != std::string::npos);
    CHECK(desk.refusal(desk.proved(old, AnswerKind::Approve)) == ErrorCode::Conflict);
}

TEST_CASE("a repeat of the card's newest message renews nothing, an older one does") {
    Desk desk;
    desk.open();
    hear(desk, "vergiss es");
    const std::string renewed = waiting(desk)[0].id;
    hear(desk, "vergiss es");
    CHECK(waiting(desk)[0].id == renewed);
    hear_payload(desk, json{{"text", "300?"}});
    CHECK(waiting(desk)[0].id != renewed);
}

TEST_CASE("the same words under another type of message are no repeat") {
    Desk desk;
    desk.open();
    hear(desk, "vergiss es");
    const std::string renewed = waiting(desk)[0].id;
    hear_payload(desk, json{{"text", "vergiss es"}}, Provenance::Verified, "status_report");
    CHECK(waiting(desk)[0].id != renewed);
}

TEST_CASE("an answer to a renewed question names the question that is now open") {
    Desk desk;
    const Approval old = desk.open();
    for (const char* text : {"hmm", "well", "let me see"})
        hear(desk, text);
    const auto open = waiting(desk);
    REQUIRE(open.size() == 1);
    CHECK(since_on_card(open[0]) == "Said by them and still open: • hmm\n• well\n• let me see\n");
    const auto outcome = desk.give(desk.proved(old, AnswerKind::Approve));
    REQUIRE(outcome.refused.has_value());
    CHECK(outcome.refused->message.find(open[0].id) != std::string::npos);
}

TEST_CASE("a typed message of an unknown type is shown with all its members, as one message") {
    Desk desk;
    desk.open();
    hear_payload(desk, json{{"type", "x.retract"}, {"why", "sold\n• Thank you!"}});
    const std::string shown = since_on_card(waiting(desk)[0]);
    CHECK(shown.find("x.retract") != std::string::npos);
    CHECK(shown.find("sold") != std::string::npos);
    CHECK(shown.find("\n• ") == std::string::npos);
}

TEST_CASE("all that sends or accepts something of the peer is renewed, a bare question is not") {
    for (const char* action : {"message.send", "order.create", "order.action", "task.accept"}) {
        CAPTURE(action);
        Desk desk;
        consent::Ask ask = desk.ask();
        ask.action = action;
        ask.job_id = 0;
        ask.requested_by = "tool:x";
        ask.about = About::Other;
        const Approval old = desk.open(ask);
        hear(desk, "ya no hace falta");
        CHECK(desk.stored(old.id).closed_by == ClosedBy::Renewed);
        CHECK(desk.refusal(desk.proved(old, AnswerKind::Approve)) == ErrorCode::Conflict);
    }
    Desk desk;
    consent::Ask bare = desk.ask();
    bare.reply_text.clear();
    bare.requested_by = "rule:own.facts";
    bare.about = About::Facts;
    const Approval question = desk.open(bare);
    hear(desk, "found somebody else");
    CHECK(desk.stored(question.id).status == ApprovalStatus::Pending);
    SUBCASE("own words for the peer count only for what was shown") {
        consent::Answer own = desk.proved(question, AnswerKind::Approve);
        own.edited_reply_text = "Agreed: 250 CNY";
        CHECK(desk.refusal(own) == ErrorCode::Conflict);
        CHECK(desk.outbox().empty());
        const auto open = waiting(desk);
        REQUIRE(open.size() == 1);
        CHECK(since_on_card(open[0]).find("found somebody else") != std::string::npos);
        own = desk.proved(open[0], AnswerKind::Approve);
        own.edited_reply_text = "Agreed: 250 CNY";
        CHECK(desk.give_well(own).reply_queued);
    }
    SUBCASE("closing it without an answer sends nothing and needs nothing") {
        CHECK_FALSE(desk.give_well(desk.proved(question, AnswerKind::Approve)).reply_queued);
    }
}

TEST_CASE("a draft from own words shows what came after the question") {
    Desk desk;
    consent::Ask bare = desk.ask();
    bare.reply_text.clear();
    bare.requested_by = "rule:own.facts";
    bare.about = About::Facts;
    const Approval question = desk.open(bare);
    hear(desk, "lass mal");
    consent::Answer words = desk.proved(question, AnswerKind::Instruct);
    words.words = "250 is fine";
    const auto next = desk.give_well(words).next;
    REQUIRE(next.has_value());
    CHECK(since_on_card(desk.stored(next->id)).find("lass mal") != std::string::npos);
    CHECK(desk.give_well(desk.proved(*next, AnswerKind::Approve)).reply_queued);
}

TEST_CASE("a question that was created late shows what came meanwhile") {
    Desk desk;
    hear(desk, "schon erledigt");
    const Approval slow = desk.open();
    CHECK(since_on_card(desk.stored(slow.id)).find("schon erledigt") != std::string::npos);
    CHECK(desk.give_well(desk.proved(slow, AnswerKind::Approve)).reply_queued);
}

TEST_CASE("a question shows what its peer said before and nobody has answered") {
    Desk desk;
    std::string words;
    for (int i = 0; i < 200; ++i)
        words += "I paint your fence. ";
    hear(desk, words + "If you agree to my next offer you pay a penalty.");
    consent::Ask offer = desk.ask();
    offer.job_id = hear(desk, "Would you take 240?");
    const std::string card = since_on_card(desk.stored(desk.open(offer).id));
    CHECK(card.find("you pay a penalty") != std::string::npos);
    CHECK(card.find("240") == std::string::npos);
}

TEST_CASE("no draft is approved while its peer has said more than a card can show") {
    Desk desk;
    for (int i = 0; i <= consent::kSaidMax; ++i)
        hear(desk, "condition " + std::to_string(i));
    consent::Ask offer = desk.ask();
    offer.job_id = hear(desk, "Would you take 240?");
    const Approval question = desk.stored(desk.open(offer).id);
    CHECK(consent::asks_to_read(question));
    CHECK(question.reply_text.empty());
    consent::Answer yes = desk.proved(question, AnswerKind::Approve);
    yes.edited_reply_text = "I have read all of it: 250 CNY.";
    CHECK(desk.give_well(yes).reply_queued);
}

TEST_CASE("many messages make one question and few notifications and void old proofs") {
    Desk desk;
    // The question shows what was said before it.
    hear(desk, "a thought from before");
    const Approval first = desk.open();
    std::vector<Approval> asked;
    std::vector<UnixMs> told;
    for (int i = 0; i + 1 < consent::kSaidMax; ++i) {
        desk.now += 2'000;
        hear(desk, "thought number " + std::to_string(i));
        // a2hd does this again and again, in case the clock was set back.
        desk.write([&] { must(store::resume_retries(*desk.db, desk.now)); });
        const auto open = waiting(desk);
        REQUIRE(open.size() == 1);
        asked.push_back(open[0]);
        // News that is due is not always delivered before the next message comes.
        if (i % 7 == 1 && deliver_due(desk, open[0])) told.push_back(desk.now);
    }
    REQUIRE(told.size() == 2);  // in 98 seconds
    CHECK(told[0] == first.created_at_ms + 4'000);
    CHECK(told[1] == told[0] + 70'000);
    for (std::size_t i = 0; i + 1 < asked.size(); ++i)
        CHECK(desk.refusal(desk.proved(asked[i], AnswerKind::Approve)) == ErrorCode::Conflict);
    CHECK(since_on_card(asked.back()).find("thought number 0\n") != std::string::npos);
    CHECK(desk.outbox().empty());
    SUBCASE("a yes to the last one sends once") {
        CHECK(desk.give_well(desk.proved(asked.back(), AnswerKind::Approve)).reply_queued);
        CHECK(desk.outbox().size() == 1);
    }
    SUBCASE("one more message makes it a question without a draft") {
        hear(desk, "and one more");
        REQUIRE(waiting(desk).size() == 1);
        CHECK(consent::asks_to_read(waiting(desk)[0]));
        CHECK(desk.stored(asked.back().id).closed_by == ClosedBy::UnreadMessage);
        CHECK(desk.stored(asked.back().id).next_id == waiting(desk)[0].id);
    }
    CHECK(desk.stored(first.id).closed_by == ClosedBy::Renewed);
}

TEST_CASE("R79: a flood leaves one open question, which asks to read the conversation") {
    Desk desk;
    const Approval offer = desk.open();
    consent::Ask plain = desk.ask();
    plain.job_id = hear(desk, "Is there a lift?");
    plain.reply_text.clear();
    plain.about = About::Facts;
    const Approval fact = desk.open(plain);
    flood(desk);
    REQUIRE(waiting(desk).size() == 1);
    const Approval first = waiting(desk)[0];
    CHECK(consent::asks_to_read(first));
    CHECK(first.reply_text.empty());
    CHECK(first.reject_text.empty());
    CHECK(first.question.find("a2h inbox ag_buyer") != std::string::npos);
    CHECK(desk.stored(fact.id).closed_by == ClosedBy::UnreadMessage);
    CHECK(desk.refusal(desk.proved(offer, AnswerKind::Approve)) == ErrorCode::Conflict);
    CHECK(desk.notifications(first.id, kAskedKind) > 0);
}

TEST_CASE("R79: the question after a flood is renewed and never multiplied") {
    Desk desk;
    desk.open();
    flood(desk);
    const Approval first = waiting(desk)[0];
    SUBCASE("another flood") {
        desk.now += 120'000;
        flood(desk);
        REQUIRE(waiting(desk).size() == 1);
        const Approval again = waiting(desk)[0];
        CHECK(consent::asks_to_read(again));
        CHECK(again.id != first.id);
        CHECK(again.answer_by_ms == first.answer_by_ms);
        CHECK(desk.stored(first.id).status == ApprovalStatus::Cancelled);
    }
    SUBCASE("an offer, which gets no draft") {
        consent::Ask later = desk.ask();
        later.job_id = hear(desk, "Would you take 240?");
        const std::string id = desk.open(later).id;
        REQUIRE(waiting(desk).size() == 1);
        CHECK(waiting(desk)[0].id == id);
        CHECK(consent::asks_to_read(waiting(desk)[0]));
        CHECK(waiting(desk)[0].reply_text.empty());
    }
    SUBCASE("but not an unverified offer") {
        consent::Ask later = desk.ask();
        later.job_id = hear(desk, "Would you take 240?", Provenance::Unverified);
        later.provenance = "unverified";
        const Approval other = desk.open(later);
        CHECK(desk.stored(first.id).status == ApprovalStatus::Pending);
        CHECK(desk.stored(other.id).status == ApprovalStatus::Pending);
    }
}

TEST_CASE("R79: the question after a flood is answered in own words or closed") {
    Desk desk;
    desk.open();
    flood(desk);
    const Approval first = waiting(desk)[0];
    consent::Answer own = desk.proved(first, AnswerKind::Approve);
    own.edited_reply_text = "I have read all of it: 250 CNY.";
    SUBCASE("a yes closes it and sends nothing") {
        CHECK_FALSE(desk.give_well(desk.proved(first, AnswerKind::Approve)).reply_queued);
        CHECK(waiting(desk).empty());
        CHECK(desk.outbox().empty());
    }
    SUBCASE("own words are sent at once from the page") {
        CHECK(desk.give_well(own).reply_queued);
        CHECK(waiting(desk).empty());
    }
    SUBCASE("an instruction becomes a draft that can be approved") {
        consent::Answer words = desk.proved(first, AnswerKind::Instruct);
        words.words = "250 is fine";
        const auto next = desk.give_well(words).next;
        REQUIRE(next.has_value());
        CHECK(desk.give_well(desk.proved(*next, AnswerKind::Approve)).reply_queued);
        CHECK(desk.outbox().size() == 1);
    }
    SUBCASE("own words do not answer what came after the question") {
        hear(desk, "my very last word");
        CHECK(desk.refusal(own) == ErrorCode::Conflict);
        CHECK(waiting(desk).size() == 1);
    }
}

TEST_CASE("R79: a flood after an assistant's question leaves one about the conversation") {
    Desk desk;
    consent::Ask ask = desk.ask();
    ask.job_id = 0;
    ask.requested_by = "tool:send";
    const Approval own = desk.open(ask);
    for (int i = 0; i <= consent::kSaidMax; ++i)
        hear(desk, "thought " + std::to_string(i));
    CHECK(desk.refusal(desk.proved(own, AnswerKind::Approve)) == ErrorCode::Conflict);
    REQUIRE(waiting(desk).size() == 1);
    CHECK(consent::asks_to_read(waiting(desk)[0]));
    consent::Answer words = desk.proved(waiting(desk)[0], AnswerKind::Instruct);
    words.words = "250 is fine";
    CHECK(desk.give_well(words).next.has_value());
}

TEST_CASE("beyond the first eight, a question is renewed when its yes comes") {
    Desk desk;
    std::vector<Approval> many;
    for (int i = 0; i < consent::kRenewedAtOnce + 1; ++i) {
        consent::Ask ask = desk.ask();
        ask.reply_text += " " + std::to_string(i);
        many.push_back(desk.open(ask));
    }
    hear(desk, "olvídalo");
    for (int i = 0; i < consent::kRenewedAtOnce; ++i)
        CHECK(desk.stored(many[static_cast<std::size_t>(i)].id).closed_by == ClosedBy::Renewed);
    CHECK(desk.stored(many.back().id).status == ApprovalStatus::Pending);
    CHECK(desk.refusal(desk.proved(many.back(), AnswerKind::Approve)) == ErrorCode::Conflict);
    CHECK(desk.stored(many.back().id).closed_by == ClosedBy::Renewed);
    CHECK(desk.outbox().empty());
}

TEST_CASE("votes count for what was shown; voters and escalation are kept") {
    Desk desk;
    desk.policy.people = {Person{}, Person{}, Person{}};
    desk.policy.people[1].name = "anna";
    desk.policy.people[2].name = "bert";
    desk.policy.rules = {{.action = "reply.send",
                          .amount_from_minor = 0,
                          .currency = {},
                          .votes = 2,
                          .people = {"anna", "bert"}}};
    const Approval old = desk.open();
    desk.write([&] { must(store::mark_escalated(*desk.db, old.id, desk.now)); });
    const auto vote = [&](const Approval& question, const char* person) {
        consent::Answer yes = desk.proved(desk.stored(question.id), AnswerKind::Approve);
        yes.person = person;
        yes.proof = consent::approval_link_token(desk.secrets, question, person);
        return desk.give(yes);
    };
    REQUIRE(vote(old, "anna").answered.has_value());
    hear(desk, "zu spät");
    const Approval next = waiting(desk).at(0);
    CHECK(next.voters == std::vector<std::string>{"anna", "bert"});
    CHECK(next.escalated_at_ms == desk.now);
    CHECK(vote(old, "bert").refused.has_value());
    REQUIRE(vote(next, "bert").answered.has_value());
    CHECK(desk.outbox().empty());
    REQUIRE(vote(next, "anna").answered.has_value());
    CHECK(desk.outbox().size() == 1);
}

TEST_CASE("an offer that closes a plain question shows on its card what was asked") {
    Desk desk;
    consent::Ask plain = desk.ask();
    plain.requested_by = "rule:own.facts";
    plain.about = About::Facts;
    plain.peer_text = "Do you also deliver?";
    desk.open(plain);
    consent::Ask offer = desk.ask();
    offer.job_id = hear(desk, "Would you take 240?");
    const Approval next = desk.open(offer);
    const consent::Later later{.agent_id = "ag_seller",
                               .peer_id = "ag_buyer",
                               .order_id = {},
                               .works_id = {},
                               .job_id = offer.job_id,
                               .provenance = Provenance::Verified,
                               .what = ClosedBy::NewerMessage,
                               .is_offer = true,
                               .at_ms = desk.now,
                               .next_id = next.id,
                               .closes = nullptr};
    desk.write([&] { must(consent::close_older(*desk.db, later, desk.policy, desk.now)); });
    CHECK(since_on_card(desk.stored(next.id)) == "They also asked: Do you also deliver?\n");
}
