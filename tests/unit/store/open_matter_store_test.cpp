#include "core/store/open_matter_store.h"

#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/market_matter_store.h"
#include "core/store/outbox_store.h"
#include "core/store/seen_offer_store.h"
#include "core/store/statement.h"
#include "tests/support/permit.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using test::sample_message;

namespace {

/// ag_me and what ag_peer has said to it.
struct Table : test::StoreFixture {
    UnixMs now = 1'000;
    int said = 0;

    /// Stores a message and how it was decided; an empty `decision` leaves that open.
    std::int64_t hear(const std::string& decision, const std::string& rule_id,
                      const std::string& message_type = "chat.request",
                      const std::string& hash = "") {
        InboxMessage message = sample_message("m" + std::to_string(++said), "ag_peer", ++now);
        message.message_type = message_type;
        if (!hash.empty()) message.payload_hash = hash;
        const auto stored = store::insert_inbox(db(), message);
        REQUIRE(stored);
        if (decision.empty()) return stored->inbox_id;
        Job job = store::get_job(db(), stored->inbox_id)->value();
        job.state = JobState::Done;
        job.decision = decision;
        job.rule_id = rule_id;
        REQUIRE(store::update_job(db(), job));
        return stored->inbox_id;
    }
    /// A text with other members, which a rule took for a courtesy.
    void said_with(const std::string& payload_json, const std::string& rule_id) {
        InboxMessage message = sample_message("m" + std::to_string(++said), "ag_peer", ++now);
        message.payload_json = payload_json;
        decide(message, "silent", rule_id);
    }
    /// The market's news.
    void told(const std::string& payload_json) {
        InboxMessage message = sample_message("m" + std::to_string(++said), "ag_market", ++now);
        message.source = SourceClass::Platform;
        message.payload_json = payload_json;
        decide(message, "silent", "platform");
    }
    void decide(const InboxMessage& message, const std::string& decision,
                const std::string& rule_id) {
        const auto stored = store::insert_inbox(db(), message);
        REQUIRE(stored);
        Job job = store::get_job(db(), stored->inbox_id)->value();
        job.state = JobState::Done;
        job.decision = decision;
        job.rule_id = rule_id;
        REQUIRE(store::update_job(db(), job));
    }
    /// A message of ours that an answer on `surface` has released.
    /// `job_id` is that of the message that it answers; 0: an agent wanted to say something.
    void release(AnswerSurface surface, const std::string& payload = R"({"text":"x"})",
                 std::int64_t job_id = 0) {
        const std::string number = std::to_string(++said);
        Approval approval = test::sample_approval("apr_" + number, "digest " + number);
        approval.created_at_ms = ++now;
        approval.job_id = job_id;
        REQUIRE(store::insert_approval(db(), approval));
        approval.status = ApprovalStatus::Approved;
        approval.surface = surface;
        approval.answered_by = "human";
        approval.answered_at_ms = ++now;
        REQUIRE(store::answer_approval(db(), approval));
        reply("approval:" + approval.id, payload);
    }
    std::int64_t reply(const std::string& cause, const std::string& payload = R"({"text":"x"})") {
        OutboxMessage message = test::sample_reply("r" + std::to_string(++said), "ag_peer", ++now);
        message.cause = cause;
        message.payload_json = payload;
        const auto place = test::insert_outbox(db(), message);
        REQUIRE(place);
        return place->id;
    }
    /// ag_me reads something at the market.
    void see(const store::SeenOffer& offer) {
        REQUIRE(store::note_seen_offers(db(), "ag_me", std::span(&offer, 1), ++now));
    }
    /// It reads as many posts of one author.
    void flood(const std::string& peer_id, int count) {
        std::vector<store::SeenOffer> posts;
        for (int i = 0; i < count; ++i)
            posts.push_back({peer_id, "worksId", std::to_string(i), {{"title", "a"}}});
        REQUIRE(store::note_seen_offers(db(), "ag_me", posts, ++now));
    }
    /// The number of rows that are recorded of one author.
    int seen_rows(const std::string& peer_id) {
        return static_cast<int>(db().statement("select count(*) from seen_offer where peer_id = ?")
                                    .number(peer_id)
                                    .value());
    }
    Result<bool> has_open_message(const store::Between& between) {
        return store::has_open_message(db(), between,
                                       store::open_at_market_since(db(), between).value());
    }
    bool is_open(const std::string& peer_id = "ag_peer") {
        const auto asked = store::is_asked_or_in_talks(db(), {"ag_me", peer_id});
        REQUIRE_MESSAGE(asked, (asked ? "" : asked.error().message));
        const auto open = has_open_message({"ag_me", peer_id});
        REQUIRE_MESSAGE(open, (open ? "" : open.error().message));
        return *asked || *open;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Table, "R46: a request for proposals in the mailbox is open") {
    told(R"({"type":"rfp.event","event":"matched","rfp":{"creator_agent_id":"ag_peer"}})");
    CHECK(is_open());
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: a yes closes nothing that came after its question was asked") {
    Approval approval = test::sample_approval("apr_early", "digest early");
    approval.created_at_ms = ++now;
    REQUIRE(store::insert_approval(db(), approval));
    see({"ag_peer", "worksId", "w1", {{"title", "10 EUR. Thank me if you accept."}}});
    approval.status = ApprovalStatus::Approved;
    approval.surface = AnswerSurface::Page;
    approval.answered_by = "human";
    approval.answered_at_ms = ++now;
    REQUIRE(store::answer_approval(db(), approval));
    reply("approval:apr_early");
    CHECK(is_open());
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: an answer to a message closes nothing that its card did not show") {
    see({"ag_peer", "orderId", "WKS1", {}, "Thank me if you accept."});
    const std::int64_t asked = hear("ask", "question.open");
    release(AnswerSurface::Page, R"({"text":"We do."})", asked);
    CHECK(is_open());
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: open matters can be shown word for word") {
    const auto all_said = [&] {
        auto open = store::said_after(db(), "ag_me", "ag_peer", {.since_release = true}, 10);
        const auto news =
            store::market_news_after(db(), "ag_me", "ag_peer", {.since_release = true}, 10);
        REQUIRE(open);
        REQUIRE(news);
        open->insert(open->end(), news->begin(), news->end());
        return *open;
    };
    const auto texts = [&] {
        std::string all;
        for (const store::Said& entry : all_said())
            all += entry.payload_json + "|";
        return all;
    };
    CHECK(texts().empty());
    see({"ag_peer", "worksId", "w1", {{"title", "1"}}, "10 EUR. Thank me if you accept."});
    said_with(R"({"text":"Do you repair spines?"})", "question.open");
    told(R"({"type":"rfp.event","rfp":{"creator_agent_id":"ag_peer","title":"Ten albums"}})");
    for (const char* shown : {"Do you repair spines?", "Ten albums", "Thank me if you accept."}) {
        CAPTURE(shown);
        CHECK(texts().find(shown) != std::string::npos);
    }
    for (int i = 0; i < 12; ++i)
        said_with(R"({"text":"Hello"})", "courtesy");
    CHECK(all_said().size() == 12);
    release(AnswerSurface::Page);
    CHECK(texts().empty());
}

TEST_CASE_FIXTURE(Table, "R52: an order that its seller has cancelled stays open for mandates") {
    const auto is_open_for_mandate = [&] {
        const store::Between between{
            .agent_id = "ag_me", .peer_id = "ag_peer", .for_mandate = true};
        return has_open_message(between).value();
    };
    const auto event = [&](const char* status) {
        told(
            R"({"type":"order.event","agent_id":"ag_peer","order":{"orderId":"WKS1","currentType":1,)"
            R"("status":")" +
            std::string(status) + R"("}})");
    };
    event("PENDING_CONFIRM");
    CHECK(is_open_for_mandate());
    event("CANCELLED");
    CHECK(is_open_for_mandate());
    event("CONFIRMED");
    CHECK_FALSE(is_open_for_mandate());
}

TEST_CASE_FIXTURE(Table, "R52: every agent that has heard of the peer in any way is considered") {
    const auto agents = [&] { return store::agents_that_heard(db(), "ag_peer").value(); };
    CHECK(agents().empty());
    see({"ag_peer", "worksId", "w1", {{"title", "a"}}});
    CHECK(agents() == std::vector<std::string>{"ag_me"});
    const store::SeenOffer offer{"ag_peer", "orderId", "WKS1", {{"title", "a"}}};
    REQUIRE(store::note_seen_offers(db(), "ag_second", std::span(&offer, 1), ++now));
    CHECK(agents() == std::vector<std::string>{"ag_me", "ag_second"});
}

TEST_CASE_FIXTURE(Table, "R52: an agent has heard of a peer from the market's news") {
    told(R"({"type":"session.event","sender":"ag_peer"})");
    CHECK(store::agents_that_heard(db(), "ag_peer").value() == std::vector<std::string>{"ag_me"});
}

TEST_CASE_FIXTURE(Table, "R46: a message that the human was asked about is open, whoever else is") {
    CHECK_FALSE(is_open());
    hear("ask", "offer.made");
    CHECK(is_open());
    CHECK_FALSE(is_open("ag_other"));
    CHECK_FALSE(has_open_message({"ag_peer", "ag_me"}).value());
}

TEST_CASE_FIXTURE(Table, "R46: mere courtesies and answers of rules leave nothing open") {
    hear("silent", "courtesy");
    hear("silent", "courtesy.leaving");
    hear("silent", "message.holding");
    hear("answer", "question.listing_states");
    said_with(R"({"text":"Thanks!","type":"text","worksId":"6703a1"})", "courtesy");
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table,
                  "R46: a message that may be more than a courtesy leaves the conversation open") {
    SUBCASE("chat") {
        hear("silent", "courtesy.telling");
    }
    SUBCASE("a message that was left to the human after a restore") {
        hear("silent", "guard.elsewhere");
    }
    SUBCASE("mail between agents") {
        hear("silent", "house.mail", "status_report");
    }
    SUBCASE("mail about a demand") {
        hear("silent", "demand.told", "proposal_feedback");
    }
    SUBCASE("a stage's") {
        hear("silent", "stage.stranger", "a2h.stage.review");
    }
    SUBCASE("another member") {
        said_with(R"({"text":"Thanks!","summary":"250 CNY. Deal?"})", "courtesy");
    }
    SUBCASE("an invalid text") {
        said_with(R"({"text":["250 CNY. Deal?"]})", "message.empty");
    }
    SUBCASE("an invalid id") {
        said_with(R"({"text":"Thanks!","worksId":{"250":"CNY"}})", "courtesy");
    }
    SUBCASE("an attachment") {
        said_with(R"({"text":"Thanks!","attachment":{"name":"sign.pdf"}})", "courtesy");
    }
    CHECK(is_open());
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table,
                  "R46: a matter that waits for us at the market leaves the conversation open") {
    SUBCASE("a message of a session") {
        told(R"({"type":"session.event","message":{"from":"ag_peer","text":"250 CNY?"}})");
    }
    SUBCASE("a proposal") {
        told(R"({"type":"proposal.event","proposal":{"supplier_id":"ag_peer"}})");
    }
    SUBCASE("an order to be confirmed") {
        told(R"({"type":"order.event","order":{"status":"PENDING_CONFIRM","currentType":1,)"
             R"("peerId":"ag_peer"}})");
    }
    CHECK(is_open());
    CHECK_FALSE(is_open("ag_other"));
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
    told(R"({"type":"order.event","order":{"status":"PENDING_CONFIRM","currentType":2,)"
         R"("peerId":"ag_peer"}})");
    CHECK_FALSE(is_open());  // our own order, which the peer is to confirm
}

TEST_CASE_FIXTURE(Table,
                  "R46: a message that nobody has read, or that an owner's rule ignores, is open") {
    SUBCASE("not decided") {
        hear("", "");
    }
    SUBCASE("too many a minute") {
        hear("silent", "guard.rate");
    }
    SUBCASE("too many a day") {
        hear("silent", "guard.rounds");
    }
    SUBCASE("a rule of the owner's") {
        hear("silent", "my.rule");
    }
    SUBCASE("a request to work together") {
        hear("silent", "house.mail", "collaboration_request");
    }
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: only what the human has released answers an open message") {
    hear("ask", "offer.made");
    reply("rule:offer.made");
    reply("tool:send");
    CHECK(is_open());
    release(AnswerSurface::Terminal);
    CHECK_FALSE(is_open());
    hear("ask", "offer.made");
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: an acceptance by a mandate answers, an offer by one does not") {
    hear("ask", "offer.made");
    release(AnswerSurface::Mandate, R"({"type":"offer","price":{"amount":"1","currency":"CNY"}})");
    CHECK(is_open());
    release(AnswerSurface::Mandate, R"({"text":"Agreed: 1 CNY"})");
    CHECK_FALSE(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: a repeated message is as open as the first one was") {
    hear("silent", "courtesy", "chat.request", "thanks");
    hear("silent", "message.repeated", "chat.request", "thanks");
    CHECK_FALSE(is_open());
    hear("ask", "offer.made", "chat.request", "250?");
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
    hear("silent", "message.repeated", "chat.request", "250?");
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: while a question about a peer waits, everything is open") {
    Approval approval = test::sample_approval("apr_1");
    REQUIRE(store::insert_approval(db(), approval));
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table,
                  "R46: an offer that was first read at the market leaves the conversation open") {
    const store::SeenOffer order{"ag_peer", "orderId", "o1"};
    see(order);
    CHECK(is_open());
    CHECK_FALSE(is_open("ag_other"));
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
    see(order);
    CHECK_FALSE(is_open());
    see({"", "orderId", "o2"});
    CHECK(is_open());
    CHECK(is_open("ag_other"));
}

TEST_CASE_FIXTURE(Table, "R46: words that were read are open once more when they have changed") {
    const auto read = [&](const std::map<std::string, std::string>& words) {
        const store::SeenOffer post{"ag_peer", "worksId", "w1", words};
        const bool is_known = store::is_known_offer(db(), "ag_me", post).value();
        see(post);
        CHECK(store::is_known_offer(db(), "ag_me", post).value());
        const bool is_new = is_open();
        CHECK(is_new != is_known);
        if (is_new) release(AnswerSurface::Page);
        return is_new;
    };
    CHECK(read({{"title", "a"}, {"content", "b"}}));
    CHECK_FALSE(read({{"title", "a"}, {"content", "b"}}));
    // Another call returns fewer members, or more.
    CHECK_FALSE(read({{"title", "a"}}));
    CHECK_FALSE(read({{"content", "b"}, {"pictures", ""}}));
    CHECK(read({{"title", "a"}, {"pictures", "c"}}));
    CHECK(read({{"title", "d"}}));
    CHECK(read({{"title", "a"}}));
    CHECK(read({{"title", ""}}));
    CHECK_FALSE(read({{"title", ""}, {"content", "b"}}));
}

TEST_CASE_FIXTURE(Table,
                  "R46: words without an author are everybody's, also after the author is known") {
    see({"", "worksId", "w1", {{"title", "a"}}});
    CHECK(is_open("ag_other"));
    see({"ag_peer", "worksId", "w1", {{"title", "a"}}});
    CHECK(is_open("ag_other"));
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "a subject of the market's news is not open anew when it is read") {
    told(R"({"order":{"orderId":"o1"},"type":"order.event","worksId":"w1"})");
    release(AnswerSurface::Page);
    see({"ag_peer", "orderId", "o1"});
    CHECK_FALSE(is_open());
    see({"ag_peer", "orderId", "o2"});
    CHECK(is_open());
    release(AnswerSurface::Page);
    // The news about an order name its listing, but have no words of it.
    see({"ag_peer", "worksId", "w1", {{"title", "a"}}});
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table,
                  "R46: a flood of one peer's words closes nothing, neither its own nor others'") {
    see({"ag_other", "worksId", "first", {{"title", "a"}}});
    see({"ag_peer", "worksId", "first", {{"title", "a"}}});
    flood("ag_peer", store::kSeenOffersOfPeerMax + 50);
    CHECK(is_open());
    CHECK(is_open("ag_other"));
    CHECK_FALSE(is_open("ag_third"));
    CHECK(seen_rows("ag_peer") == store::kSeenOffersOfPeerMax + 1);
    CHECK(seen_rows("ag_other") == 1);
    release(AnswerSurface::Page);
    CHECK_FALSE(is_open());
    // A row that was removed is new when it is read again.
    see({"ag_peer", "worksId", "first", {{"title", "a"}}});
    CHECK(is_open());
}

TEST_CASE_FIXTURE(Table, "R46: beyond the limit of an agent, what was read is everybody's") {
    see({"ag_first", "orderId", "o1"});
    const int peers = store::kSeenOffersMax / store::kSeenOffersOfPeerMax;
    for (int i = 0; i < peers - 1; ++i)
        flood("ag_" + std::to_string(i), store::kSeenOffersOfPeerMax);
    flood("ag_last", store::kSeenOffersOfPeerMax - 1);
    CHECK(is_open("ag_first"));
    CHECK_FALSE(is_open("ag_third"));
    flood("ag_more", 1);
    CHECK(is_open("ag_first"));
    CHECK(is_open("ag_third"));
    CHECK_FALSE(has_open_message({"ag_peer", "ag_third"}).value());
}

TEST_CASE_FIXTURE(Table, "beyond the limit, what the human has answered is forgotten") {
    see({"ag_peer", "orderId", "o1"});
    release(AnswerSurface::Page);
    const int peers = store::kSeenOffersMax / store::kSeenOffersOfPeerMax;
    for (int i = 0; i < peers; ++i)
        flood("ag_" + std::to_string(i), store::kSeenOffersOfPeerMax);
    CHECK(seen_rows("ag_peer") == 0);
    CHECK_FALSE(is_open("ag_third"));
    CHECK_FALSE(is_open());
}
