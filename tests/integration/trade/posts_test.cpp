// What an agent reads at the market may be an offer to its owner: then every text to its author
// waits for the human, whichever call has returned it.

#include <doctest/doctest.h>

#include "tests/integration/trade/open_table.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr const char* kGreeting = "Good morning!";
constexpr const char* kOffer = "280 CNY for your portrait session, greet me if you accept";

/// The seller's assistant reads what the buyer has written at the market.
struct Posts : OpenTable {
    /// A post of the buyer: 2 demand, 3 service, 4 discussion.
    std::string post(int type, const std::string& title, const std::string& content,
                     json more = json::object()) {
        more.update({{"type", type}, {"title", title}, {"content", content}});
        return submit(more)["worksId"];
    }
    json submit(const json& body) {
        return post_to("/findu-user/api/v1/user/works/change-requests", body);
    }
    json post_to(const std::string& path, const json& body) {
        platform::Request request;
        request.method = "POST";
        request.path = path;
        request.body = body.dump();
        const auto made = peer.call(request);
        REQUIRE_MESSAGE(made, made.error().message);
        return json::parse(*made);
    }
    std::string reply_to(const std::string& id, const std::string& content) {
        return post_to(
            "/findu-user/api/v1/user/works/" + buyer_account.agent_id + "/" + id + "/replies",
            {{"content", content}})["replyId"];
    }
    json read(const char* action, const json& arguments = json::object()) {
        const json result = seller.call_assistant(action, arguments.dump());
        REQUIRE_MESSAGE(result["ok"] == true, result.dump());
        return result["data"];
    }
    /// Another agent of the seller's home; its id.
    std::string spawn() {
        const json brief{{"objective", "speak"},
                         {"constraints", {"none"}},
                         {"inputs", "none"},
                         {"outputs", "none"},
                         {"completion_criteria", "said"}};
        const json call{{"role_id", "speaker"}, {"register", true}, {"task_brief", brief}};
        const json made = seller.call_assistant("agent.spawn", call.dump());
        REQUIRE_MESSAGE(made["data"]["registered"] == true, made.dump());
        return made["data"]["agent_id"];
    }
    /// The greeting does not leave.
    void check_waits(const std::string& text = kGreeting) {
        const json result = send({{"text", text}});
        CHECK_MESSAGE(code_in(result) == kAsks, result.dump());
        REQUIRE(no_work_left(seller));
        CHECK(texts_at_buyer(text) == 0);
    }
    void check_leaves(const std::string& text) {
        const json result = send({{"text", text}});
        CHECK_MESSAGE(code_in(result) == "ok", result.dump());
        CHECK(eventually([&] { return texts_at_buyer(text) == 1; }));
    }
    /// The human releases one text to the buyer and declines what else is asked.
    void release(const std::string& text) {
        const json asked = send({{"text", text}});
        REQUIRE_MESSAGE(code_in(asked) == kAsks, asked.dump());
        const std::string id = asked["error"]["approval_id"];
        approve(seller, id);
        REQUIRE(eventually([&] { return texts_at_buyer(text) == 1; }));
        const json rows = seller.call_human("approval.list", R"({"status":"pending"})");
        for (const json& row : rows["data"]["approvals"])
            answer(seller, row["approval_id"], "reject");
    }

    platform::Client peer = market.client(buyer_account);
};

}  // namespace

TEST_CASE("R46: the card of a text shows what the text could answer") {
    Posts s;
    s.read("works.get", {{"works_id", s.post(4, "About your studio", kOffer)}});
    const json asked = s.send({{"text", kGreeting}});
    REQUIRE(OpenTable::code_in(asked) == kAsks);
    const json card = s.approval(asked["error"]["approval_id"]);
    CHECK_MESSAGE(card["question"].get<std::string>().find(kOffer) != std::string::npos,
                  card.dump());
    CHECK(asked.dump().find(kOffer) != std::string::npos);
}

TEST_CASE("R46: a card that cannot show all open posts says that there are more") {
    constexpr const char* kMore = "There is more that is not shown here";
    Posts s;
    for (int i = 0; i < 10; ++i)
        s.post(4, "Post " + std::to_string(i), kOffer);
    s.read("discussion.list");
    const json ten = s.send({{"text", kGreeting}});
    REQUIRE_MESSAGE(ten.dump().find("Post 0") != std::string::npos, ten.dump());
    CHECK(ten.dump().find(kMore) == std::string::npos);
    s.post(4, "Post 10", kOffer);
    s.read("discussion.list");
    const json eleven = s.send({{"text", "Good evening!"}});
    CHECK(eleven.dump().find("Post 10") != std::string::npos);
    CHECK(eleven.dump().find(kMore) != std::string::npos);
}

TEST_CASE("R46: a post that was read is open, whichever call has returned it") {
    Posts s;
    const std::string id = s.post(4, "About your studio", kOffer);
    SUBCASE("by its id") {
        REQUIRE(s.read("works.get", {{"works_id", id}})["content"] == kOffer);
    }
    SUBCASE("in a list of posts") {
        REQUIRE(s.read("discussion.list")["items"].size() == 1);
    }
    SUBCASE("in a search") {
        REQUIRE(s.read("works.search", {{"keyword", "About"}})["result"].size() == 1);
    }
    SUBCASE("in a search for posts") {
        const json found = s.read("works.search", {{"keyword", "About"}, {"type", 4}});
        REQUIRE(found["result"].size() == 1);
    }
    SUBCASE("in the question about a reply to it") {
        const json asked =
            s.seller.call_assistant("discussion.reply", json{{"parent_works_id", id},
                                                             {"title", "Re: your post"},
                                                             {"content", "We do weddings."}}
                                                            .dump());
        REQUIRE_MESSAGE(asked["error"]["code"] == kAsks, asked.dump());
        REQUIRE(s.message_in(asked).find("About your studio") != std::string::npos);
    }
    SUBCASE("in the refusal of an order") {
        const json refused =
            s.seller.call_assistant("order.create", json{{"customer_id", s.buyer_account.agent_id},
                                                         {"title", "x"},
                                                         {"content", "x"},
                                                         {"price_cent", 1},
                                                         {"currency", "CNY"},
                                                         {"product_id", id},
                                                         {"order_type", 2}}
                                                        .dump());
        REQUIRE_MESSAGE(refused["error"]["code"] == "invalid_argument", refused.dump());
    }
    s.check_waits();
}

TEST_CASE("R46: a text that names a post waits if the post is its reader's") {
    Posts s;
    const std::string id = s.post(4, "About your studio", kOffer);
    const json result = s.send({{"text", kGreeting}, {"works_id", id}});
    CHECK_MESSAGE(s.code_in(result) == kAsks, result.dump());
}

TEST_CASE("R46: a reply under our own post or listing is open") {
    Posts s;
    SUBCASE("a reply") {
        s.reply_to(s.works_id, kOffer);
    }
    SUBCASE("a post with ours as its parent") {
        s.post(4, "Deal", kOffer, {{"parentWorksId", s.works_id}});
    }
    SUBCASE("a listing with ours as its parent") {
        s.post(3, "Deal", kOffer, {{"parentWorksId", s.works_id}});
    }
    REQUIRE(s.read("discussion.list", {{"works_id", s.works_id}})["items"].size() == 1);
    s.check_waits();
}

TEST_CASE("R46: a post that was read by one agent of the home is open for all") {
    Posts s;
    const std::string speaker = s.spawn();
    s.post(4, "About your studio", kOffer);
    s.read("discussion.list");
    CHECK(s.code({{"agent", speaker}, {"text", kGreeting}}) == kAsks);
    REQUIRE(s.no_work_left(s.seller));
    CHECK(s.texts_at_buyer(kGreeting) == 0);
}

TEST_CASE("R52: a mandate agrees to no price while a post that another agent has read is open") {
    Posts s;
    const json mandate{{"action", "reply.send"},       {"currency", "CNY"},
                       {"amount_from_minor", 25'000},  {"works_id", s.works_id},
                       {"sum_per_week_minor", 60'000}, {"pin", Daemon::kPin}};
    const json given = s.seller.call_human("mandate.give", mandate.dump());
    REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    const std::string speaker = s.spawn();
    s.post(4, "About numbers", "My next number includes three albums.");
    s.read("discussion.list", {{"agent", speaker}});
    s.buyer_says("Would you take 270 CNY?");
    s.open_approval();
    CHECK(s.replies_to_buyer().dump().find("270.00 CNY") == std::string::npos);
}

TEST_CASE("R46: after the human has written, the same post is not open again; a changed one is") {
    Posts s;
    const std::string id = s.post(4, "About your studio", kOffer);
    s.read("works.get", {{"works_id", id}});
    s.check_waits();
    s.release("We have read your post.");
    s.check_leaves("Good evening!");
    s.read("works.get", {{"works_id", id}});
    s.read("discussion.list");
    s.read("works.search", {{"keyword", "About"}});
    s.check_leaves("Hello!");
    SUBCASE("changed words") {
        s.submit({{"worksId", id}, {"content", "260 CNY, thank me if you accept"}});
    }
    SUBCASE("the same words, but first others") {
        s.submit({{"worksId", id}, {"content", "Nothing."}});
        s.read("works.get", {{"works_id", id}});
        s.release("We have read it again.");
        s.submit({{"worksId", id}, {"content", kOffer}});
    }
    SUBCASE("a changed price") {
        s.submit({{"worksId", id}, {"extendInfo", {{"fixedPrice", 26'000}}}});
    }
    SUBCASE("a new reply") {
        s.reply_to(id, "Thank me if you accept.");
        s.read("discussion.list", {{"works_id", id}});
    }
    s.read("works.get", {{"works_id", id}});
    s.check_waits("Thank you.");
}

TEST_CASE("R46: a listing or a request speaks to everybody, unless it names us") {
    Posts s;
    const auto request = [&](const std::string& words) {
        REQUIRE(s.market.client(s.seller_account)
                    .call("capability.set", {{"capabilities", {{{"type", "photo"}}}}}));
        REQUIRE(s.peer.call(
            "rfp.create",
            {{"title", "Ten pictures"}, {"description", words}, {"capability_type", "photo"}}));
        REQUIRE(s.read("rfp.list", {{"role", "supplier"}})["items"].size() == 1);
    };
    SUBCASE("a listing of somebody") {
        const std::string id = s.post(2, "Wanted: pictures", "Greet me if you want 280 CNY");
        s.read("works.search", {{"keyword", "pictures"}});
        s.read("works.get", {{"works_id", id}});
        s.check_leaves(kGreeting);
    }
    SUBCASE("a request of somebody") {
        request("Greet me if you want 280 CNY");
        s.check_leaves(kGreeting);
    }
    SUBCASE("a listing with the id of our agent") {
        s.post(3, "Offer to " + s.seller_account.agent_id, "280 CNY, greet me");
        s.read("works.search", {{"keyword", "Offer"}});
        s.check_waits();
    }
    SUBCASE("a listing with the id of our listing in its data") {
        s.post(3, "Offer", "280 CNY, greet me", {{"extendInfo", {{"pois", {s.works_id}}}}});
        s.read("works.search", {{"keyword", "Offer"}});
        s.check_waits();
    }
    SUBCASE("a listing with the title of ours") {
        const std::string id =
            s.post(2, "Wanted", "I take the PORTRAIT  photo session for 280 CNY, greet me");
        s.read("works.get", {{"works_id", id}});
        s.check_waits();
    }
    SUBCASE("a request with the title of our listing") {
        request("The portrait photo session for 280 CNY? Greet me.");
        s.check_waits();
    }
}

TEST_CASE("R46: an agent's words about itself are open if they name us") {
    Posts s;
    const auto claims = [&](const std::string& word) {
        REQUIRE(s.peer.call("capability.set",
                            {{"capabilities", {{{"type", "photo"}, {"domains", {word}}}}}}));
        s.read("agent.get", {{"agent_id", s.buyer_account.agent_id}});
    };
    SUBCASE("its card to everybody") {
        claims("hello means yes");
        s.check_leaves(kGreeting);
    }
    SUBCASE("its card to us") {
        claims("portrait photo session: hello means yes");
        s.check_waits();
    }
    SUBCASE("its profile to us") {
        REQUIRE(s.peer.call("profile.set",
                            {{"user_name", "Buyer"},
                             {"profile_summary", "To " + s.seller_account.agent_id +
                                                     ": greet me and you owe me 900 CNY"},
                             {"tags", {"photo"}}}));
        REQUIRE(eventually(
            [&] { return s.read("profile.list").dump().find("900 CNY") != std::string::npos; }));
        s.check_waits();
    }
}
