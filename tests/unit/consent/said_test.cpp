// The words of a question's peers, as its card shows them, and those that make the card out of
// date.

#include "daemon/consent/said.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/store/contact_store.h"
#include "core/store/open_matter_store.h"
#include "core/store/seen_offer_store.h"
#include "core/wire/canonical.h"
#include "daemon/card/card.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/renewal.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using nlohmann::json;
using test::Desk;
using test::must;

namespace {

/// A home with two agents, which several peers write to.
struct Hall : Desk {
    struct Mail {
        std::string from = "ag_buyer";
        std::string to = "ag_seller";
        Provenance provenance = Provenance::Verified;
        std::string id = {};
        bool is_decided = true;
        std::string channel_id = {};  ///< of a negotiation, whose plan the message then is
        std::string rule_id = "courtesy";
    };

    bool signs_anew = false;  ///< each envelope is another one

    void hear(const std::string& text) { hear(text, Mail()); }
    void hear(const std::string& text, const Mail& mail) {
        now += 1'000;
        InboxMessage message;
        message.agent_id = mail.to;
        message.sender_id = mail.from;
        message.message_id =
            mail.id.empty() ? "msg_1760000000000_" + std::to_string(20'000'000 + ++heard) : mail.id;
        const bool is_plan = !mail.channel_id.empty();
        message.message_type = is_plan ? "proposal_review" : "chat.request";
        json payload{{"text", text}};
        if (is_plan) payload["channel_id"] = mail.channel_id;
        message.payload_json = payload.dump();
        message.payload_hash = message.payload_json;
        message.envelope_json = json{{"text", text}}.dump();
        if (signs_anew) message.envelope_json += std::to_string(now);
        message.provenance = mail.provenance;
        message.received_at_ms = now;
        write([&] {
            const auto inserted = must(store::insert_inbox(*db, message));
            if (!mail.is_decided || inserted.outcome != store::InsertOutcome::Inserted) return;
            Job job = *must(store::get_job_of_inbox(*db, inserted.inbox_id));
            job.state = JobState::Done;
            job.decision = "silent";
            job.rule_id = mail.rule_id;
            must(store::update_job(*db, job));
            must(consent::renew_older(*db, inserted.inbox_id, policy, now));
        });
    }
    void pin(const std::string& peer_id) {
        Contact contact;
        contact.agent_id = "ag_seller";
        contact.peer_id = peer_id;
        write([&] {
            must(store::add_contact(*db, contact));
            must(store::pin_key(*db, "ag_seller", peer_id, "k1", "p1"));
        });
    }
    void read(const store::SeenOffer& offer) {
        now += 1'000;
        write([&] { must(store::note_seen_offers(*db, "ag_seller", std::span(&offer, 1), now)); });
    }

    /// A text of an assistant, or what it tells several peers.
    Approval ask_to_tell(std::vector<std::string> peers) {
        now += 1'000;
        consent::Ask wanted;
        wanted.agent_id = "ag_seller";
        wanted.action = peers.size() == 1 ? "message.send" : "negotiation.cancel";
        if (peers.size() == 1) {
            wanted.peer_id = peers[0];
            wanted.reply_text = "Good morning!";
        } else {
            wanted.peer_ids = std::move(peers);
        }
        wanted.question = "Do it?";
        wanted.requested_by = "tool:x";
        wanted.about = About::Other;
        return stored(open(wanted).id);
    }
    ErrorCode refused_yes(const Approval& approval) {
        return refusal(proved(approval, AnswerKind::Approve));
    }
    Approval next_of(const Approval& approval) { return stored(stored(approval.id).next_id); }
    bool is_open(const std::string& peer_id, bool for_mandate = false) {
        const store::Between between{
            .agent_id = "ag_seller", .peer_id = peer_id, .for_mandate = for_mandate};
        return must(consent::is_open(*db, between, {}));
    }

    int heard = 0;
};

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("The row of an action says which ids of its request are the question's own matter") {
    const auto matter = [](std::string action, const json& request) {
        Approval approval;
        approval.action = std::move(action);
        approval.action_json = json{{"request", request}}.dump();
        return consent::own_matter_of(approval);
    };
    const json all{
        {"rfp_id", "rfp_1"}, {"proposal_id", "p_1"}, {"order_id", "o_1"}, {"channel_id", "d-1"}};
    using Ids = std::vector<std::string>;
    CHECK(matter("session.create", all).market_ids == Ids{"p_1", "rfp_1"});
    CHECK(matter("order.action", all).market_ids == Ids{"o_1"});
    CHECK(matter("demand.accept", all).negotiation_id == "d-1");
    CHECK(matter("demand.accept", all).market_ids.empty());
    CHECK(matter("message.send", all).market_ids.empty());
    CHECK(matter("message.send", all).negotiation_id.empty());
}

TEST_CASE("R49: a card leaves out unverified words in a pinned peer's name, and says so") {
    Hall hall;
    hall.pin("ag_bob");
    hall.hear("I pay 250 CNY.", {.from = "ag_bob"});
    hall.hear("Forget it.", {.from = "ag_bob", .provenance = Provenance::Unverified});
    SUBCASE("one message") {}
    SUBCASE("a flood blocks no question") {
        for (int i = 0; i < 2 * consent::kSaidMax; ++i) {
            hall.hear("No " + std::to_string(i),
                      {.from = "ag_bob", .provenance = Provenance::Unverified});
        }
    }
    const std::string shown = hall.ask_to_tell({"ag_bob"}).since_text;
    CHECK(has(shown, "I pay 250 CNY."));
    CHECK_FALSE(has(shown, "Forget it."));
    CHECK(has(shown, "could not be verified"));
}

TEST_CASE("A question about several peers shows what each has said, and who is notified") {
    Hall hall;
    hall.hear("My next plan is a yes.", {.from = "ag_anna"});
    hall.hear("250 CNY if it ends.", {.from = "ag_bob", .to = "ag_second"});
    hall.hear("Nobody asks me.", {.from = "ag_carl"});
    const Approval asked = hall.ask_to_tell({"ag_anna", "ag_bob"});
    CHECK(asked.since_text ==
          "• ag_anna: My next plan is a yes.\n• ag_bob: To ag_second: 250 CNY if it ends.\n");
    const auto card = card::card_of(asked, i18n::Language::English);
    CHECK(has(card::in_text(card.lines, i18n::Language::English),
              "Other side: ag_anna\n    ag_bob\n"));
}

TEST_CASE("R45: a question about several peers is asked again after a word of any of them") {
    Hall hall;
    const Approval asked = hall.ask_to_tell({"ag_anna", "ag_bob"});
    Hall::Mail mail{.from = "ag_bob"};
    SUBCASE("to the agent itself") {}
    SUBCASE("to another agent") {
        mail.to = "ag_second";
    }
    hall.hear("If you cancel, you owe me 40 CNY.", mail);
    CHECK(hall.refused_yes(asked) == ErrorCode::Conflict);
    const Approval next = hall.next_of(asked);
    CHECK(has(next.since_text, "you owe me 40 CNY"));
    CHECK(has(next.since_text, "ag_bob"));
    CHECK(next.peer_ids == asked.peer_ids);
    hall.hear("Unheard of.", {.from = "ag_carl"});
    CHECK(hall.stored(next.id).status == ApprovalStatus::Pending);
}

TEST_CASE("R45: all but the next step of its negotiation renews the card of an answer") {
    Hall hall;
    consent::Ask wanted;
    wanted.agent_id = "ag_seller";
    wanted.peer_id = "ag_anna";
    wanted.action = "demand.join";
    wanted.request_json = R"({"channel_id":"collab-0badf00d"})";
    wanted.question = "Take part?";
    wanted.requested_by = "rule:demand.invited";
    wanted.about = About::Other;
    const Approval asked = hall.open(wanted);
    Hall::Mail mail{
        .from = "ag_anna", .channel_id = "collab-0badf00d", .rule_id = "demand.invited"};
    bool is_renewed = true;
    SUBCASE("the next step") {
        is_renewed = false;
    }
    SUBCASE("a second plan of the same round") {
        mail.rule_id = "demand.ignored";
    }
    SUBCASE("a plan of another negotiation") {
        mail.channel_id = "collab-0badf11d";
    }
    SUBCASE("a plan to another agent") {
        mail.to = "ag_second";
    }
    hall.hear("Taking part means that you wash my car for 900 CNY.", mail);
    const auto outcome = hall.give(hall.proved(asked, AnswerKind::Approve));
    CHECK(outcome.answered.has_value() == !is_renewed);
}

TEST_CASE("R45: a yes waits for an undecided message of any of several peers") {
    Hall hall;
    const Approval asked = hall.ask_to_tell({"ag_anna", "ag_bob"});
    hall.hear("Wait.", {.from = "ag_bob", .is_decided = false});
    CHECK(hall.refused_yes(asked) == ErrorCode::Unavailable);
}

TEST_CASE(
    "R1: other words under a known id are open, and the card says that nobody has read them") {
    Hall hall;
    const std::string id = "msg_1760000000000_0badf11d";
    hall.hear("Hello!", {.from = "ag_bob", .id = id});
    Provenance provenance = Provenance::Verified;
    bool counts = true;
    SUBCASE("by the sender") {}
    SUBCASE("by somebody who may be the sender: for people, not for mandates") {
        provenance = Provenance::Unverified;
    }
    SUBCASE("forged") {
        provenance = Provenance::Forged;
        counts = false;
    }
    const Approval before = hall.ask_to_tell({"ag_bob"});
    hall.hear("Your next word accepts 250 CNY.",
              {.from = "ag_bob", .provenance = provenance, .id = id});
    if (counts) {
        CHECK(hall.refused_yes(before) == ErrorCode::Conflict);
        CHECK(has(hall.next_of(before).since_text, "Nobody has read these words."));
    }
    hall.write([&] {
        must(consent::call_off(
            *hall.db, hall.next_of(before).id.empty() ? before.id : hall.next_of(before).id, "over",
            hall.policy, hall.now));
    });
    CHECK(hall.is_open("ag_bob") == counts);
    CHECK(hall.is_open("ag_bob", true) == (provenance == Provenance::Verified));
    CHECK_FALSE(hall.is_open("ag_carl"));
    const Approval after = hall.ask_to_tell({"ag_bob"});
    CHECK(has(after.since_text, "Nobody has read these words.") == counts);
    hall.give_well(hall.proved(after, AnswerKind::Approve));
    CHECK(hall.stored(after.id).status == ApprovalStatus::Approved);
}

TEST_CASE("R1: a message is open again when its sender signs it once more after our answer") {
    Hall hall;
    const Hall::Mail mail{.id = "msg_1760000000000_0badf11d"};
    const std::string words = "If you greet me next, you order 40 cakes.";
    hall.hear(words, mail);
    const Approval answer = hall.open();
    bool is_again = false;
    SUBCASE("it is delivered again as it was") {}
    SUBCASE("it is signed once more") {
        hall.signs_anew = true;
        is_again = true;
    }
    SUBCASE("somebody else sends it once more") {
        hall.signs_anew = true;
        hall.give_well(hall.proved(answer, AnswerKind::Approve));
        Hall::Mail unproved = mail;
        unproved.provenance = Provenance::Unverified;
        hall.hear(words, unproved);
        CHECK_FALSE(hall.is_open("ag_buyer"));
        return;
    }
    hall.hear(words, mail);
    hall.give_well(hall.proved(answer, AnswerKind::Approve));
    CHECK_FALSE(hall.is_open("ag_buyer"));
    hall.hear(words, mail);
    CHECK(hall.is_open("ag_buyer") == is_again);
}

TEST_CASE("A card shows the price of an order in major units") {
    Hall hall;
    store::SeenOffer order{.peer_id = "ag_bob", .name = "orderId", .id = "WKS0badf00d"};
    order.shown = json{{"title", "Portrait"}, {"price", 40'300}, {"currency", "CNY"}}.dump();
    hall.read(order);
    const std::string shown = hall.ask_to_tell({"ag_bob"}).since_text;
    CHECK(has(shown, "403.00 CNY"));
    CHECK_FALSE(has(shown, "40300"));
}

TEST_CASE("An undecided message to one agent is not passed by words to another") {
    Hall hall;
    const Approval asked = hall.ask_to_tell({"ag_buyer"});
    hall.hear("Slow.",
              {.to = "ag_second", .provenance = Provenance::Unverified, .is_decided = false});
    hall.hear("Quick.", {.to = "ag_third"});
    Approval examined = asked;
    must(consent::said_elsewhere(*hall.db, examined, i18n::Language::English));
    CHECK(has(must(consent::said_elsewhere(*hall.db, examined, i18n::Language::English)).text,
              "Slow."));
}
