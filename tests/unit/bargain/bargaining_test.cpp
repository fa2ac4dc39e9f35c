// Negotiations by mandate in the database: the messages that leave, their approvals, and the cases
// that are left to the human.

#include "daemon/bargain/bargaining.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include <nlohmann/json.hpp>

#include "core/store/bargain_store.h"
#include "core/store/contact_store.h"
#include "core/store/listing_store.h"
#include "core/store/mandate_store.h"
#include "daemon/bargain/bargain_mandate.h"
#include "daemon/consent/agreement.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/terms.h"
#include "daemon/decide/rules.h"
#include "tests/support/built_in_rules.h"
#include "tests/unit/consent/fixture.h"

using namespace a2h;
using bargain::Taken;
using bargain::Word;
using nlohmann::json;
using test::Desk;
using test::kStart;
using test::must;

namespace {

constexpr UnixMs kDayMs = 86'400'000;
const mandates::Giver kHuman{"human", AnswerSurface::Terminal};

/// "Sell works_1, from 300.00 down to 247.31, in four rounds."
MandateTerms selling() {
    MandateTerms terms;
    terms.agent_id = "ag_seller";
    terms.action = bargain::kBargain;
    terms.works_id = "works_1";
    terms.currency = "CNY";
    terms.side = "sell";
    terms.strategy = "to_limit";
    terms.amount_from_minor = 24'731;
    terms.opening_minor = 30'000;
    terms.rounds = 4;
    terms.count_per_day = 2;
    terms.starts_ms = kStart;
    terms.ends_ms = kStart + 30 * kDayMs;
    return terms;
}

class Haggling : public Desk {
  public:
    Haggling() {
        setenv("TZ", "UTC", 1);
        tzset();
        bargain::register_continuing();
        listing.works_id = "works_1";
        listing.agent_id = "ag_seller";
        listing.title = "Portrait photo session";
        publish();
    }
    ~Haggling() {
        unsetenv("TZ");
        tzset();
    }
    void publish() {
        write([&] { must(store::replace_listings(*db, "ag_seller", {listing}, now)); });
    }
    std::string give(const MandateTerms& terms) {
        std::string id;
        bargain::register_actions();
        write([&] { id = must(mandates::give(*db, terms, kHuman, now)).id; });
        return id;
    }
    Word offer(std::int64_t minor, const std::string& currency = "CNY") {
        Word word;
        word.kind = Word::Kind::Offer;
        word.works_id = "works_1";
        word.message_id = "msg_" + std::to_string(++words);
        word.is_structured = true;
        word.price = {minor, currency};
        return word;
    }
    Word answer(Word::Kind kind, const std::string& answers_id) {
        Word word;
        word.kind = kind;
        word.works_id = "works_1";
        word.message_id = "msg_" + std::to_string(++words);
        word.answers_id = answers_id;
        return word;
    }
    std::optional<Taken> hear(const Word& word, const std::string& peer = "ag_buyer",
                              const std::string& provenance = "verified") {
        consent::Ask asked = ask();
        asked.peer_id = peer;
        asked.job_id = peer == "ag_buyer" ? job_id : 0;
        asked.provenance = provenance;
        std::optional<Taken> taken;
        write([&] {
            taken = must(
                bargain::take(*db, word, consent::new_approval(asked, policy, now), policy, now));
        });
        return taken;
    }
    bool is_asked(const Word& word, const std::string& peer = "ag_buyer",
                  const std::string& provenance = "verified") {
        const auto before = outbox().size();
        const bool asked = !hear(word, peer, provenance);
        return asked && outbox().size() == before;
    }
    /// Payload of the newest outbox row.
    json sent() {
        REQUIRE(!outbox().empty());
        return json::parse(outbox()[0].payload_json);
    }
    std::string price_sent() {
        const json payload = sent();
        return payload.contains("price") ? payload["price"]["amount"].get<std::string>() : "";
    }
    std::string state() {
        for (const char* id : {"ag_buyer", "ag_other"}) {
            const auto open = must(store::open_bargain(*db, "ag_seller", id, "works_1"));
            if (open) return open->state;
        }
        return "none open";
    }
    int close_silent() {
        int closed = 0;
        write([&] { closed = must(bargain::close_silent(*db, policy, now)); });
        return closed;
    }

    Listing listing;
    int words = 0;
};

}  // namespace

TEST_CASE_FIXTURE(Haggling,
                  "an offer is countered under the mandate, with an approval of its own") {
    const std::string id = give(selling());
    const auto taken = hear(offer(20'000));
    REQUIRE(taken);
    REQUIRE(taken->approval);
    const Approval approval = stored(taken->approval->id);
    CHECK(approval.status == ApprovalStatus::Approved);
    CHECK(approval.outcome == ApprovalOutcome::Executed);
    CHECK(approval.surface == AnswerSurface::Mandate);
    CHECK(approval.answered_by == "mandate:" + id);
    CHECK(approval.amount_minor == 30'000);
    CHECK(audit(approval.id) == std::vector<std::string>{"asked", "answered", "consumed"});
    CHECK(notifications(approval.id, "mandate.used") == 2);
    CHECK(notifications(approval.id, "approval.asked") == 0);
    CHECK(job_state() == JobState::Done);
    REQUIRE(outbox().size() == 1);
    CHECK(outbox()[0].effect_key == "approval:" + approval.id);
    CHECK(sent() == json{{"type", "offer"},
                         {"worksId", "works_1"},
                         {"text", "How about 300.00 CNY?"},
                         {"valid_until", "2025-10-10T08:53:20Z"},
                         {"price", {{"amount", "300.00"}, {"currency", "CNY"}}}});
    CHECK(approval.action_json.find("24731") == std::string::npos);
    CHECK(must(store::mandate_uses(*db, "ag_seller", id, 10)).size() == 1);
}

TEST_CASE_FIXTURE(Haggling,
                  "it goes on from what the database holds, and ends with an acceptance") {
    give(selling());
    hear(offer(20'000));
    CHECK(price_sent() == "300.00");
    hear(offer(22'000));
    CHECK(price_sent() == "280.00");
    REQUIRE(outbox().size() == 2);
    const std::string first_id = outbox()[1].message_id;
    const std::string second_id = outbox()[0].message_id;
    CHECK(sent()["replaces"] == first_id);
    Word last = offer(28'500);
    last.payload_hash = "hash";
    const auto taken = hear(last);
    REQUIRE(taken);
    CHECK(taken->approval->amount_minor == 28'500);
    CHECK(sent() == json{{"type", "accept"},
                         {"worksId", "works_1"},
                         {"text", "Agreed: 285.00 CNY."},
                         {"offer_message_id", last.message_id},
                         {"offer_payload_hash", "hash"},
                         {"replaces", second_id}});
    CHECK(state() == "none open");
    // The negotiation has ended: the next offer is for the human.
    CHECK(is_asked(offer(40'000)));
}

TEST_CASE_FIXTURE(Haggling, "R48: a suspended mandate haggles with nobody") {
    give(selling());
    const auto taken = hear(offer(20'000));
    REQUIRE(taken);
    write(
        [&] { CHECK(must(store::take_back_approval(*db, taken->approval->id, "not sent", now))); });
    SUBCASE("it is suspended for a day") {
        CHECK(is_asked(offer(22'000)));
        CHECK(is_asked(offer(25'000), "ag_other"));
        CHECK(state() == "none open");
    }
    SUBCASE("it goes on after that") {
        now += kDayMs + 1;
        CHECK_FALSE(is_asked(offer(25'000), "ag_other"));
    }
}

TEST_CASE_FIXTURE(Haggling, "R52: after an agreement no other mandate begins a second bargain") {
    const std::string first = give(selling());
    const auto agrees = [&] {
        REQUIRE(hear(offer(31'000)));
        CHECK(sent()["type"] == "accept");
    };
    SUBCASE("that the mandate gave") {
        agrees();
    }
    SUBCASE("that the peer gave") {
        REQUIRE(hear(offer(20'000)));
        REQUIRE(hear(answer(Word::Kind::Accept, outbox()[0].message_id)));
    }
    write([&] { must(mandates::revoke(*db, "ag_seller", first, kHuman, now)); });
    give(selling());
    now += 1'000;
    CHECK(is_asked(offer(29'000)));
    CHECK(is_asked(offer(32'000)));
    CHECK(must(consent::has_standing_agreement(*db, {"ag_seller", "ag_buyer", "works_1"})));
    CHECK(must(consent::has_standing_agreement(*db, {"ag_seller", "ag_buyer", ""})));
    CHECK_FALSE(must(consent::has_standing_agreement(*db, {"ag_seller", "ag_other", ""})));
}

TEST_CASE_FIXTURE(Haggling, "a plain text is accepted in words") {
    give(selling());
    Word word = offer(31'000);
    word.is_structured = false;
    word.language = i18n::Language::Chinese;
    REQUIRE(hear(word));
    CHECK(sent() == json{{"worksId", "works_1"}, {"text", "同意，310.00 CNY 成交。"}});
}

TEST_CASE_FIXTURE(Haggling, "after the last round it parts politely, once, and not again") {
    give(selling());
    for (const int minor : {100, 200, 300, 400}) {
        now += 1'000;
        hear(offer(minor));
    }
    CHECK(price_sent() == "250.00");
    const auto rows = outbox().size();
    const auto taken = hear(offer(500));
    REQUIRE(taken);
    CHECK(!taken->approval);
    REQUIRE(taken->outbox.size() == 1);
    const json payload = json::parse(taken->outbox[0].payload_json);
    CHECK(payload["type"] == "reject");
    CHECK(payload["text"].get<std::string>().find("All the best") != std::string::npos);
    CHECK(taken->news);
    CHECK(outbox().size() == rows);
    CHECK(is_asked(offer(600)));
}

TEST_CASE_FIXTURE(Haggling, "only our last offer can be accepted, and only without conditions") {
    for (const char* what : {"older", "words", "listing", "late", "right"}) {
        CAPTURE(what);
        MandateTerms terms = selling();
        terms.count_per_day = 10;
        terms.peer_id = std::string("ag_") + what;
        give(terms);
        const std::string peer = terms.peer_id;
        REQUIRE(hear(offer(20'000), peer));
        const std::string first = outbox()[0].message_id;
        REQUIRE(hear(offer(22'000), peer));
        Word accept = answer(Word::Kind::Accept, outbox()[0].message_id);
        accept.text = "Agreed: 280.00 CNY.";
        if (what == std::string("older")) accept.answers_id = first;
        if (what == std::string("words")) accept.text = "Agreed, with delivery tomorrow";
        if (what == std::string("listing")) accept.works_id = "works_2";
        const UnixMs before = now;
        if (what == std::string("late")) now += bargain::kSilenceMs + 1;
        const auto taken = hear(accept, peer);
        now = before;
        CHECK(taken.has_value() == (what == std::string("right")));
        if (taken) CHECK(taken->news->body_json.find("280.00 CNY") != std::string::npos);
    }
}

TEST_CASE_FIXTURE(Haggling, "a peer or an offer that is not beyond doubt gets no answer") {
    give(selling());
    CHECK(is_asked(offer(29'000), "ag_buyer", "vouched"));
    CHECK(is_asked(offer(29'000), "ag_buyer", "unverified"));
    CHECK(is_asked(offer(29'000), "ag_buyer", "forged"));
    CHECK(is_asked(offer(29'000, "USD")));
    CHECK(is_asked(offer(-29'000)));
    CHECK(is_asked(offer(0)));
    CHECK(is_asked(offer(kMoneyMinorMax + 1)));
    Word other = offer(29'000);
    other.works_id = "works_2";
    CHECK(is_asked(other));
    other = offer(29'000);
    other.kind = Word::Kind::Other;
    CHECK(is_asked(other));
    write([&] {
        Contact contact;
        contact.agent_id = "ag_seller";
        contact.peer_id = "ag_changed";
        must(store::add_contact(*db, contact));
        must(store::pin_key(*db, "ag_seller", "ag_changed", "k1", "p1"));
        must(store::pin_key(*db, "ag_seller", "ag_changed", "k2", "p2"));
    });
    CHECK(is_asked(offer(29'000), "ag_changed"));
    CHECK(is_asked(answer(Word::Kind::Accept, "msg_nothing")));
}

TEST_CASE_FIXTURE(Haggling, "R49: nobody ends a bargain in the name of a peer with a pinned key") {
    give(selling());
    write([&] {
        Contact contact;
        contact.agent_id = "ag_seller";
        contact.peer_id = "ag_buyer";
        must(store::add_contact(*db, contact));
        must(store::pin_key(*db, "ag_seller", "ag_buyer", "k1", "p1"));
    });
    REQUIRE(hear(offer(20'000)));
    Word other = offer(1);
    other.kind = Word::Kind::Other;
    CHECK(is_asked(other, "ag_buyer", "unverified"));
    CHECK(state() == "open");
    CHECK(is_asked(other));
    CHECK(state() == "none open");
}

TEST_CASE_FIXTURE(Haggling, "a changed listing is another thing, and the human's") {
    give(selling());
    REQUIRE(hear(offer(20'000)));
    listing.content = "Without the pictures.";
    publish();
    CHECK(is_asked(offer(29'900)));
    CHECK(state() == "none open");
}

TEST_CASE_FIXTURE(Haggling, "R48: somebody else's listing must say what the owner has seen") {
    write([&] { must(store::replace_listings(*db, "ag_seller", {}, now)); });
    MandateTerms terms = selling();
    terms.peer_id = "ag_buyer";
    terms.listing_digest = "seen";
    const auto offer_seeing = [&](const char* digest) {
        Word word = offer(20'000);
        word.listing_digest = digest;
        return word;
    };
    SUBCASE("a mandate that names no words covers none") {
        terms.listing_digest = "";
        give(terms);
        CHECK(is_asked(offer_seeing("")));
    }
    SUBCASE("a mandate that names no agent is for nobody") {
        terms.peer_id = "";
        give(terms);
        CHECK(is_asked(offer_seeing("seen")));
    }
    SUBCASE("words that were read again carry the haggling on, others end it") {
        give(terms);
        CHECK(is_asked(offer_seeing("seen"), "ag_other"));
        REQUIRE(hear(offer_seeing("seen")));
        REQUIRE(hear(offer_seeing("seen")));
        CHECK(is_asked(offer_seeing("changed")));
        CHECK(state() == "none open");
    }
    SUBCASE("an opening needs words that were read") {
        give(terms);
        write([&] {
            for (const char* digest : {"", "changed"}) {
                const auto begun =
                    bargain::begin(*db, {"ag_seller", "ag_buyer", "works_1"}, digest, policy, now);
                CHECK_FALSE(begun);
            }
            must(bargain::begin(*db, {"ag_seller", "ag_buyer", "works_1"}, "seen", policy, now));
        });
    }
}

TEST_CASE_FIXTURE(Haggling, "a seller does not haggle under a mandate to buy") {
    MandateTerms terms = selling();
    terms.side = "buy";
    terms.amount_to_minor = 30'000;
    terms.amount_from_minor.reset();
    terms.opening_minor = 20'000;
    give(terms);
    CHECK(is_asked(offer(100)));
}

TEST_CASE_FIXTURE(Haggling, "a revoked mandate stops it, and what is held over is the human's") {
    const std::string id = give(selling());
    REQUIRE(hear(offer(20'000)));
    write([&] { must(mandates::revoke(*db, "ag_seller", id, kHuman, now)); });
    CHECK(is_asked(offer(29'900)));
}

TEST_CASE_FIXTURE(Haggling, "two bargains cannot share the last of a limit") {
    MandateTerms terms = selling();
    terms.count_per_day.reset();
    terms.sum_per_day_minor = 50'000;
    give(terms);
    REQUIRE(hear(offer(20'000), "ag_buyer"));
    // 300.00 are held by the first; there is no room for another 300.00.
    CHECK(is_asked(offer(20'000), "ag_other"));
    // The first one's own next offer replaces what it held.
    REQUIRE(hear(offer(22'000), "ag_buyer"));
    CHECK(price_sent() == "280.00");
}

TEST_CASE_FIXTURE(Haggling, "a count is one of bargains, and one that came to nothing frees it") {
    MandateTerms terms = selling();
    terms.count_per_day = 1;
    const std::string id = give(terms);
    REQUIRE(hear(offer(20'000)));
    REQUIRE(hear(offer(22'000)));
    CHECK(must(store::bargain_usage(*db, id, 0, 0)).count == 1);
    CHECK(is_asked(offer(20'000), "ag_other"));
    REQUIRE(hear(answer(Word::Kind::Reject, outbox()[0].message_id)));
    CHECK(must(store::bargain_usage(*db, id, 0, 0)).count == 0);
    CHECK(hear(offer(20'000), "ag_third").has_value());
}

TEST_CASE_FIXTURE(Haggling, "R48: strangers who agree to nothing share one counter of bargains") {
    MandateTerms terms = selling();
    terms.count_per_day = 1'000;
    give(terms);
    const auto meet = [&](int number) {
        return hear(offer(20'000), "ag_stranger" + std::to_string(number)).has_value();
    };
    for (int i = 0; i < bargain::kUnagreedMax; ++i)
        CHECK_MESSAGE(meet(i), i);
    CHECK(!meet(100));
    now += bargain::kUnagreedForMs + 1;
    CHECK(meet(101));
}

TEST_CASE_FIXTURE(Haggling, "where several people must agree, they are asked") {
    give(selling());
    policy.people.push_back(Person{});
    policy.people[1].name = "anna";
    policy.rules.push_back(consent::ApprovalRule{});
    policy.rules[0].votes = 2;
    policy.rules[0].people = {"human", "anna"};
    CHECK(is_asked(offer(20'000)));
}

TEST_CASE_FIXTURE(Haggling, "our unanswered offer ends after a day, once") {
    give(selling());
    REQUIRE(hear(offer(20'000)));
    now += bargain::kSilenceMs - 1;
    CHECK(close_silent() == 0);
    now += 1;
    CHECK(close_silent() == 1);
    REQUIRE(outbox().size() == 2);
    CHECK(sent()["text"].get<std::string>().find("have not heard back") != std::string::npos);
    now += 10 * kDayMs;
    CHECK(close_silent() == 0);
    CHECK(outbox().size() == 2);
    CHECK(is_asked(offer(29'900)));
}

TEST_CASE_FIXTURE(Haggling, "a peer that has written something in the meantime is not silent") {
    give(selling());
    REQUIRE(hear(offer(20'000)));
    InboxMessage question;
    question.agent_id = "ag_seller";
    question.sender_id = "ag_buyer";
    question.message_id = "msg_where";
    question.message_type = "chat.request";
    question.trace_id = "trace_1760000000000_0badf00d";
    question.payload_json = R"({"text":"where is it?"})";
    question.payload_hash = "where";
    question.envelope_json = "{}";
    question.provenance = Provenance::Verified;
    question.received_at_ms = now + 1'000;
    write([&] { must(store::insert_inbox(*db, question)); });
    question.message_id = "msg_anothers";
    question.provenance = Provenance::Unverified;
    question.received_at_ms = now + 2'000;
    write([&] { must(store::insert_inbox(*db, question)); });
    now += bargain::kSilenceMs;
    CHECK(close_silent() == 0);
    now += 1'000;
    CHECK(close_silent() == 1);
}

TEST_CASE_FIXTURE(Haggling, "we begin with the opening, once, and only under a mandate") {
    const auto begin = [&](const std::string& peer) {
        Result<Approval> begun = fail(ErrorCode::Internal, "");
        write([&] {
            begun = bargain::begin(*db, {"ag_seller", peer, "works_1"}, "", policy, now);
        });
        return begun;
    };
    CHECK(begin("ag_buyer").error().code == ErrorCode::NotFound);
    give(selling());
    const auto begun = begin("ag_buyer");
    REQUIRE(begun);
    CHECK(begun->outcome == ApprovalOutcome::Executed);
    CHECK(price_sent() == "300.00");
    CHECK(begin("ag_buyer").error().code == ErrorCode::Conflict);
    REQUIRE(begin("ag_other"));
    CHECK(begin("ag_third").error().code == ErrorCode::Conflict);
}

TEST_CASE("an incomplete mandate for haggling is refused, and no refusal states an amount") {
    CHECK(mandates::check_terms(selling(), kStart));
    const std::vector<std::pair<const char*, void (*)(MandateTerms&)>> wrong = {
        {"no listing", [](MandateTerms& terms) { terms.works_id.clear(); }},
        {"no side", [](MandateTerms& terms) { terms.side.clear(); }},
        {"another side", [](MandateTerms& terms) { terms.side = "both"; }},
        {"another strategy", [](MandateTerms& terms) { terms.strategy = "bluff"; }},
        {"no opening", [](MandateTerms& terms) { terms.opening_minor.reset(); }},
        {"opening below the floor", [](MandateTerms& terms) { terms.opening_minor = 24'730; }},
        {"no floor",
         [](MandateTerms& terms) {
             terms.amount_from_minor.reset();
             terms.amount_to_minor = 24'731;
         }},
        {"two limits", [](MandateTerms& terms) { terms.amount_to_minor = 24'732; }},
        {"no rounds", [](MandateTerms& terms) { terms.rounds.reset(); }},
        {"too many rounds", [](MandateTerms& terms) { terms.rounds = 11; }},
        {"no count and no sum", [](MandateTerms& terms) { terms.count_per_day.reset(); }},
        {"a buyer without ceiling", [](MandateTerms& terms) { terms.side = "buy"; }},
        {"another action", [](MandateTerms& terms) { terms.action = "reply.send"; }},
    };
    for (const auto& [what, spoil] : wrong) {
        CAPTURE(what);
        MandateTerms terms = selling();
        spoil(terms);
        const auto checked = mandates::check_terms(terms, kStart);
        REQUIRE(!checked);
        CHECK(checked.error().code == ErrorCode::InvalidArgument);
        CHECK(checked.error().message.find("247") == std::string::npos);
    }
}

TEST_CASE("terms of a bargain are read as they were written, others are without its members") {
    const auto read = mandates::read_terms(mandates::write_terms(selling()));
    REQUIRE(read);
    CHECK(read->side == "sell");
    CHECK(read->strategy == "to_limit");
    CHECK(read->opening_minor == 30'000);
    CHECK(read->rounds == 4);
    const auto strategy = bargain::strategy_of(*read);
    REQUIRE(strategy);
    CHECK(strategy->limit_minor == 24'731);
    CHECK(strategy->reaches_limit);
    MandateTerms other;
    other.action = "reply.send";
    for (const char* name : {"side", "strategy", "opening_minor", "rounds"})
        CHECK(mandates::write_terms(other).find(name) == std::string::npos);
    CHECK(!bargain::strategy_of(other));
}

TEST_CASE("a message's effect on a bargain is read from its payload and its decision") {
    decide::Decision decision;
    decision.kind = decide::Kind::Ask;
    decision.is_plain_offer = true;
    decision.amount_minor = 27'000;
    decision.currency = "CNY";
    InboxMessage message;
    message.message_id = "msg_1760000000000_0badf00d";
    message.message_type = "chat.request";
    const auto kind_of = [&](const json& payload) {
        message.payload_json = payload.dump();
        return bargain::word_of(message, decision, kStart)->kind;
    };
    json offer{{"type", "offer"}, {"worksId", "works_1"}};
    offer["price"] = {{"amount", "270"}, {"currency", "CNY"}};
    CHECK(kind_of(offer) == Word::Kind::Offer);
    InboxMessage plain = message;
    message.message_id = "two albums included";
    CHECK(kind_of(offer) == Word::Kind::Other);
    message = plain;
    message.trace_id = "two albums included";
    CHECK(kind_of(offer) == Word::Kind::Other);
    message = plain;
    message.message_type = "two albums included";
    CHECK(kind_of(offer) == Word::Kind::Other);
    message = std::move(plain);
    offer["valid_until"] = "2025-10-01T00:00:00Z";
    CHECK(kind_of(offer) == Word::Kind::Other);
    offer["valid_until"] = "2030-10-01T00:00:00Z";
    CHECK(kind_of(offer) == Word::Kind::Offer);
    offer["valid_until"] = 5;
    CHECK(kind_of(offer) == Word::Kind::Other);
    offer.erase("valid_until");
    offer["type"] = "accept";
    CHECK(kind_of(offer) == Word::Kind::Other);
    offer["type"] = "offer";
    offer["delivery"] = "tomorrow";
    CHECK(kind_of(offer) == Word::Kind::Other);
    decision.is_plain_offer = false;
    CHECK(kind_of({{"type", "accept"}, {"offer_message_id", "msg_2"}}) == Word::Kind::Accept);
    CHECK(kind_of({{"type", "reject"}, {"offer_message_id", "msg_2"}}) == Word::Kind::Reject);
    CHECK(kind_of({{"type", "accept"}, {"note", "if"}}) == Word::Kind::Other);
    CHECK(kind_of({{"type", "text"}, {"text", "hello"}}) == Word::Kind::Other);
    decision.kind = decide::Kind::Silent;
    CHECK(!bargain::word_of(message, decision, kStart));
}

TEST_CASE("our own words are plain offers to the other side, in both languages") {
    for (const auto language : {i18n::Language::English, i18n::Language::Chinese}) {
        for (const char* amount : {"300.00", "1250.00", "19.90"}) {
            decide::Input input;
            const std::string price = std::string(amount) + " CNY";
            json payload{{"type", "offer"}, {"worksId", "works_9"}};
            payload["text"] = i18n::text(language, "daemon.say_offer", {{"amount", price}});
            payload["price"] = {{"amount", amount}, {"currency", "CNY"}};
            CAPTURE(payload.dump());
            input.message.agent_id = "ag_buyer";
            input.message.sender_id = "ag_seller";
            input.message.message_id = "msg_1760000000000_0badf00d";
            input.message.message_type = "chat.request";
            input.message.payload_json = payload.dump();
            input.message.provenance = Provenance::Verified;
            input.payload = wire::view_payload(input.message.payload_json);
            const auto decision = decide::decide(input, decide::built_in_rules(), {});
            const auto word = bargain::word_of(input.message, decision, kStart);
            REQUIRE(word);
            CHECK(word->kind == Word::Kind::Offer);
            CHECK(word->works_id == "works_9");
            CHECK(to_text(word->price) == price);
            CHECK(word->language == language);
        }
    }
}

TEST_CASE_FIXTURE(Haggling,
                  "R52: words of the peer that are open end the haggling, not the limit") {
    give(selling());
    REQUIRE(hear(offer(20'000)));
    InboxMessage message;
    message.agent_id = "ag_seller";
    message.sender_id = "ag_buyer";
    message.message_id = "msg_1760000000001_0badf00d";
    message.message_type = "chat.request";
    message.payload_json = R"({"text":"Two sessions please."})";
    message.payload_hash = "two";
    message.envelope_json = "{}";
    message.provenance = Provenance::Verified;
    message.received_at_ms = kStart + 1;
    write([&] {
        Job job = *must(store::get_job(*db, must(store::insert_inbox(*db, message)).inbox_id));
        job.state = JobState::WaitingForHuman;
        job.decision = "ask";
        must(store::update_job(*db, job));
    });
    CHECK(is_asked(offer(30'000)));
    CHECK(state() == "none open");
    write([&] {
        const auto begun =
            bargain::begin(*db, {"ag_seller", "ag_buyer", "works_1"}, "", policy, now);
        REQUIRE_FALSE(begun);
        CHECK(begun.error().code == ErrorCode::Conflict);
    });
}
