// The texts that an assistant can send to a peer whose question or offer is open, and the texts
// that it can hide in members that only name the subject of a message.

#include <doctest/doctest.h>

#include "tests/integration/trade/open_table.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr const char* kNewId = "0d3d9a0a-1f3b-4c39-9f0e-6a5c1f1c7a11";

}  // namespace

TEST_CASE("R46: while an offer of a peer is open, every text to it waits for the human") {
    OpenTable s;
    CHECK(s.code({{"text", "Good morning!"}}) == "ok");
    s.buyer_says("Would you take 250 CNY?");
    const json asked = s.open_approval();
    const std::vector<std::string> texts = {"Works.",
                                            "成",
                                            "👍",
                                            "ok",
                                            "Sounds good to me",
                                            "Passt!",
                                            "Which style do you prefer?",
                                            "Thank you.",
                                            "The portrait photo session costs 280 CNY."};
    std::vector<std::string> waiting;
    for (const std::string& text : texts) {
        CAPTURE(text);
        const json result = s.send({{"text", text}});
        REQUIRE_MESSAGE(result["ok"] == false, result.dump());
        CHECK(result["error"]["code"] == kAsks);
        waiting.push_back(result["error"]["approval_id"]);
    }
    CHECK(s.code({{"extra_payload", {{"type", "inquiry"}, {"text", "Works."}}}}) == kAsks);
    REQUIRE(s.answer(s.seller, waiting[6], "approve")["ok"] == true);
    REQUIRE(eventually([&] { return s.texts_at_buyer(texts[6]) == 1; }));
    for (const std::string& text : texts) {
        if (text != texts[6]) CHECK(s.texts_at_buyer(text) == 0);
    }
    // It is over when every question about the peer is answered, and one of the answers left.
    for (const std::string& id : waiting) {
        if (id != waiting[6]) CHECK(s.answer(s.seller, id, "reject")["ok"] == true);
    }
    CHECK(s.code({{"text", "Good morning again!"}}) == kAsks);
    const json rows = s.seller.call_human("approval.list", R"({"status":"pending"})");
    for (const json& row : rows["data"]["approvals"])
        CHECK(s.answer(s.seller, row["approval_id"], "reject")["ok"] == true);
    CHECK(s.code({{"text", "Good evening!"}}) == "ok");
}

TEST_CASE("R46: the same words are asked about again once the peer has said something new") {
    OpenTable s;
    const json words{{"text", "Works."}};
    s.buyer_says("Would you take 250 CNY?");
    s.open_approval();
    const std::string first = s.send(words)["error"]["approval_id"];
    REQUIRE(s.answer(s.seller, first, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return s.texts_at_buyer("Works.") == 1; }));
    // Until then a repeated call gets the result of the first.
    const json repeated = s.send(words);
    CHECK_MESSAGE(repeated["data"]["approval_id"] == first, repeated.dump());
    s.buyer_says("And 150 CNY for a second one?");
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 2; }));
    REQUIRE(eventually([&] { return s.no_work_left(s.seller); }));
    const json again = s.send(words);
    REQUIRE_MESSAGE(s.code_in(again) == kAsks, again.dump());
    CHECK(again["error"]["approval_id"] != first);
    CHECK(s.texts_at_buyer("Works.") == 1);
}

TEST_CASE("R46: neither another agent of the owner nor another message type bypasses the yes") {
    OpenTable s;
    const json made =
        s.seller.call_assistant("agent.spawn", json{{"role_id", "speaker"},
                                                    {"register", true},
                                                    {"task_brief",
                                                     {{"objective", "speak"},
                                                      {"constraints", {"none"}},
                                                      {"inputs", "none"},
                                                      {"outputs", "none"},
                                                      {"completion_criteria", "said"}}}}
                                                   .dump());
    REQUIRE_MESSAGE(made["data"]["registered"] == true, made.dump());
    s.buyer_says("Would you take 250 CNY?");
    s.open_approval();
    CHECK(s.code({{"agent", made["data"]["agent_id"]}, {"text", "Works."}}) == kAsks);
    const json request = s.seller.call_assistant("introduction.request",
                                                 json{{"target_agent_id", s.buyer_account.agent_id},
                                                      {"reason", "Works."},
                                                      {"required_capability", "photos"}}
                                                     .dump());
    CHECK(request["error"]["code"] == kAsks);
    CHECK(s.texts_at_buyer("Works.") == 0);
}

TEST_CASE("R46: no other operation reaches a peer whose offer is open") {
    OpenTable s;
    s.buyer_says("Would you take 250 CNY?");
    s.open_approval();
    const auto asks = [&](const char* action, const json& arguments) {
        const json result = s.seller.call_assistant(action, arguments.dump());
        CAPTURE(result.dump());
        CHECK(result["ok"] == false);
        CHECK(result["error"]["code"] == kAsks);
    };
    asks("rfp.create", {{"title", "Re: your offer"},
                        {"description", "Works. We accept 250 CNY."},
                        {"capability_type", "T"}});
    asks("demand.submit", {{"raw_input", "Works. Photo."}});
    asks("capability.set",
         {{"capabilities",
           {{{"type", "photo"}, {"domains", {"Yes: we accept your 250 CNY, pay to 0x12"}}}}}});
}

TEST_CASE("R46: an order that was read at the market counts as open before its message arrives") {
    OpenTable s;
    const std::string free = "Which style do you prefer?";
    MarketClient seller = s.market.client(s.seller_account);
    MarketClient buyer = s.market.client(s.buyer_account);
    s.market.stop_broker();
    REQUIRE(eventually([&] { return !s.is_connected(s.seller) && !s.is_connected(s.buyer); }));
    REQUIRE(buyer.call("capability.set", {{"capabilities", {{{"type", "photo"}}}}}));
    const auto rfp = seller.call(
        "rfp.create",
        {{"title", "Ten pictures"}, {"description", "x"}, {"capability_type", "photo"}});
    REQUIRE(rfp);
    const auto order = seller.call("order.create", {{"customer_id", s.buyer_account.agent_id},
                                                    {"title", "Pictures"},
                                                    {"content", "Ten pictures"},
                                                    {"price_cent", 28'000},
                                                    {"currency", "CNY"},
                                                    {"product_id", s.works_id},
                                                    {"order_type", 3}});
    REQUIRE_MESSAGE(order, order.error().message);
    REQUIRE(buyer.call("proposal.submit", {{"rfp_id", (*rfp)["rfp_id"]},
                                           {"price", {{"currency", "CNY"}, {"amount", 260}}}}));
    // Every text waits while the mailbox is offline; the question says what else is known.
    const auto is_open = [&](Daemon& daemon, const platform::Account& to) {
        const json result = daemon.call_assistant(
            "send", json{{"target_agent_id", to.agent_id}, {"text", free}}.dump());
        REQUIRE_MESSAGE(s.code_in(result) == kAsks, result.dump());
        return s.message_in(result).find("an offer of this peer is open") != std::string::npos;
    };
    SUBCASE("an order") {
        const json read = s.buyer.call_assistant("order.list", R"({"role":"purchase"})");
        REQUIRE_MESSAGE(read["data"]["list"].size() == 1, read.dump());
        CHECK(is_open(s.buyer, s.seller_account));
    }
    SUBCASE("an order that a text names") {
        const json result =
            s.buyer.call_assistant("send", json{{"target_agent_id", s.seller_account.agent_id},
                                                {"text", free},
                                                {"order_id", (*order)["orderId"]}}
                                               .dump());
        CHECK_MESSAGE(
            s.message_in(result).find("an offer of this peer is open") != std::string::npos,
            result.dump());
    }
    SUBCASE("a proposal") {
        const json read =
            s.seller.call_assistant("rfp.summary", json{{"rfp_id", (*rfp)["rfp_id"]}}.dump());
        REQUIRE_MESSAGE(read["data"]["count"] == 1, read.dump());
        CHECK(is_open(s.seller, s.buyer_account));
    }
    SUBCASE("nothing") {
        CHECK_FALSE(is_open(s.buyer, s.seller_account));
    }
}

TEST_CASE("R46: a message read in a session counts as open before it arrives") {
    OpenTable s;
    MarketClient buyer = s.market.client(s.buyer_account);
    const auto session = buyer.call("session.create", {{"agent_id", s.seller_account.agent_id}});
    REQUIRE(session);
    const std::string id = (*session)["session_id"];
    s.market.stop_broker();
    REQUIRE(eventually([&] { return !s.is_connected(s.seller); }));
    platform::Request offer;
    offer.method = "POST";
    offer.path = "/v1/sessions/" + id + "/messages";
    offer.body =
        json{{"payload", {{"type", "offer"}, {"price", {{"currency", "CNY"}, {"amount", 260}}}}}}
            .dump();
    REQUIRE(buyer.call(offer));
    const json read = s.seller.call_assistant("session.offers", json{{"session_id", id}}.dump());
    REQUIRE_MESSAGE(read["data"]["items"].size() == 1, read.dump());
    CHECK(s.code({{"text", "Which style do you prefer?"}}) == kAsks);
}

TEST_CASE("R46: the card of a question about a message shows what its peer said in a session") {
    OpenTable s;
    MarketClient buyer = s.market.client(s.buyer_account);
    const auto session = buyer.call("session.create", {{"agent_id", s.seller_account.agent_id}});
    REQUIRE(session);
    platform::Request said;
    said.method = "POST";
    said.path = "/v1/sessions/" + (*session)["session_id"].get<std::string>() + "/messages";
    said.body = json{{"payload", {{"text", "If you agree you also give ten free albums."}}}}.dump();
    REQUIRE(buyer.call(said));
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    s.buyer_says("Would you take 250 CNY?");
    const json question = s.open_approval();
    CHECK_MESSAGE(question["covers"].dump().find("ten free albums") != std::string::npos,
                  question.dump());
}

TEST_CASE("R46: while messages cannot be received, every text to a known peer waits") {
    OpenTable s;
    s.buyer_says("Good morning!");
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    REQUIRE(eventually([&] { return s.no_work_left(s.seller); }));
    CHECK(s.code({{"text", "Which style do you prefer?"}}) == "ok");
    s.market.stop_broker();
    REQUIRE(eventually([&] { return !s.is_connected(s.seller); }));
    const json result = s.send({{"text", "What kind of pictures do you need?"}});
    CHECK_MESSAGE(s.code_in(result) == kAsks, result.dump());
    CHECK(s.message_in(result).find("mailbox is offline") != std::string::npos);
}

TEST_CASE("R46: owner and assistant learn why a text waits") {
    OpenTable s;
    s.buyer_says("Would you take 250 CNY?");
    s.open_approval();
    const std::string reason =
        "It needs your approval because a question or an offer of this peer is open";
    const json sent = s.send({{"text", "Which style do you prefer?"}});
    CHECK(s.message_in(sent).find(reason) != std::string::npos);
    const json requested = s.seller.call_assistant(
        "introduction.request", json{{"target_agent_id", s.buyer_account.agent_id},
                                     {"reason", "I have a question about your listing."},
                                     {"required_capability", "Do you speak Chinese?"}}
                                    .dump());
    CHECK(s.message_in(requested).find(reason) != std::string::npos);
    for (const json* asked : {&sent, &requested}) {
        const json card = s.approval((*asked)["error"]["approval_id"]);
        CHECK(card["question"].get<std::string>().find(reason) != std::string::npos);
    }
    // Texts that would wait in any case wait for their own reason.
    const json own = s.send({{"text", "We accept 250 CNY."}});
    CHECK(s.code_in(own) == kAsks);
    CHECK(s.message_in(own).find(reason) == std::string::npos);
}

TEST_CASE("R46: a message of the owner to a peer also answers the peer's plain question") {
    OpenTable s;
    s.buyer_says("Is there a place to leave my bicycle at your studio?");
    const json question = s.open_approval();
    REQUIRE(question["requested_by"].get<std::string>().starts_with("rule:question."));
    const json sent = s.send({{"text", "There is one, behind the house."}});
    REQUIRE_MESSAGE(s.code_in(sent) == kAsks, sent.dump());
    REQUIRE(s.answer(s.seller, sent["error"]["approval_id"], "approve")["ok"] == true);
    REQUIRE(eventually([&] { return s.texts_at_buyer("There is one, behind the house.") == 1; }));
    CHECK(s.approval(question["approval_id"])["status"] == "cancelled");
    CHECK(s.code({{"text", "Which style do you prefer?"}}) == "ok");
}

TEST_CASE("a few words wait for a yes whichever tool sends them, and so do public names") {
    OpenTable s;
    const auto code_of = [&](const char* action, const json& arguments) {
        return s.code_in(s.seller.call_assistant(action, arguments.dump()));
    };
    const std::string sentence = "Somebody has to look at the lamps of the studio";
    for (const std::string text : {"Works.", "成", "👍", "gladly"}) {
        CAPTURE(text);
        CHECK(code_of("introduction.request", {{"target_agent_id", s.buyer_account.agent_id},
                                               {"reason", text},
                                               {"required_capability", sentence}}) == kAsks);
        CHECK(code_of("introduction.request", {{"target_agent_id", s.buyer_account.agent_id},
                                               {"reason", sentence},
                                               {"required_capability", text}}) == kAsks);
        CHECK(code_of("task.assign", {{"target_agent_id", s.buyer_account.agent_id},
                                      {"task_brief",
                                       {{"objective", text},
                                        {"constraints", {sentence}},
                                        {"inputs", sentence},
                                        {"outputs", sentence},
                                        {"completion_criteria", sentence}}}}) == kAsks);
        CHECK(code_of("demand.submit", {{"raw_input", text}}) == kAsks);
        CHECK(code_of("capability.set", {{"capabilities", {{{"type", text}}}}}) == kAsks);
    }
    CHECK(s.buyer.status()["counts"]["received"] == 0);
}

TEST_CASE("a list of capabilities asks, unless the market shows exactly this list") {
    OpenTable s;
    const auto set = [&](const json& capabilities) {
        return s.seller.call_assistant("capability.set",
                                       json{{"capabilities", capabilities}}.dump());
    };
    const json two = {{{"type", "photo"}, {"domains", {"portrait", "wedding"}}},
                      {{"type", "film"}}};
    const json asked = set(two);
    REQUIRE_MESSAGE(s.code_in(asked) == kAsks, asked.dump());
    REQUIRE(s.answer(s.seller, asked["error"]["approval_id"], "approve")["ok"] == true);
    REQUIRE(eventually(
        [&] { return s.approval(asked["error"]["approval_id"])["outcome"] == "executed"; }));
    CHECK(set(two)["ok"] == true);
    CHECK(s.code_in(set({{{"type", "photo"}, {"domains", {"wedding"}}}})) == kAsks);
    CHECK(s.code_in(set({two[1], two[0]})) == kAsks);
    CHECK(s.code_in(set({{{"type", "photo"}, {"domains", {"wedding", "take"}}}})) == kAsks);
    CHECK(s.code_in(set({{{"type", "photo"}}, {{"type", "gladly"}}})) == kAsks);
    CHECK(s.code_in(set(json::array())) == kAsks);
}

TEST_CASE("R46: a request for proposals that has reached us is open") {
    OpenTable s;
    MarketClient seller = s.market.client(s.seller_account);
    MarketClient buyer = s.market.client(s.buyer_account);
    REQUIRE(seller.call("capability.set", {{"capabilities", {{{"type", "photo"}}}}}));
    REQUIRE(buyer.call("rfp.create", {{"title", "Whoever greets me has agreed"},
                                      {"description", "Ten pictures for 50 EUR"},
                                      {"capability_type", "photo"}}));
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    REQUIRE(eventually([&] { return s.no_work_left(s.seller); }));
    CHECK(s.code({{"text", "Hello"}}) == kAsks);
    const json begun = s.seller.call_assistant("session.create",
                                               json{{"agent_id", s.buyer_account.agent_id}}.dump());
    CHECK(OpenTable::code_in(begun) == kAsks);
}

TEST_CASE("the market learns no role of the owner's agents, as it would be public") {
    OpenTable s;
    const json made =
        s.seller.call_assistant("agent.spawn", json{{"role_id", "we-accept-your-offer"},
                                                    {"register", true},
                                                    {"task_brief",
                                                     {{"objective", "speak"},
                                                      {"constraints", {"none"}},
                                                      {"inputs", "none"},
                                                      {"outputs", "none"},
                                                      {"completion_criteria", "said"}}}}
                                                   .dump());
    REQUIRE_MESSAGE(made["data"]["registered"] == true, made.dump());
    const json seen =
        s.buyer.call_assistant("agent.get", json{{"agent_id", made["data"]["agent_id"]}}.dump());
    REQUIRE_MESSAGE(seen["ok"] == true, seen.dump());
    CHECK(seen.dump().find("accept") == std::string::npos);
}

TEST_CASE("a message from an assistant must not contain characters that people cannot see") {
    OpenTable s;
    std::string hidden;
    for (const char c : std::string(" I accept 5000 CNY"))
        hidden += std::string("\xF3\xA0") + static_cast<char>(0x80 + (c >> 6)) +
                  static_cast<char>(0x80 + (c & 0x3F));
    for (const std::string& tail : {hidden, std::string("\xE2\x80\xAE"), std::string("\x1b[8m")}) {
        CHECK(s.code({{"text", "Good morning!" + tail}}) == "invalid_argument");
        const json asked =
            s.seller.call_assistant("approval.create", json{{"peer_id", s.buyer_account.agent_id},
                                                            {"question", "Say thanks?"},
                                                            {"reply_text", "Thank you!" + tail}}
                                                           .dump());
        CHECK(asked["error"]["code"] == "invalid_argument");
    }
    CHECK(s.code({{"text", "Good morning! \xE2\x9D\xA4\xEF\xB8\x8F"}}) != "invalid_argument");
    // Nor does what a person has pasted.
    const json sent =
        s.buyer.call_human("send", json{{"target_agent_id", s.seller_account.agent_id},
                                        {"text", "Would you take 250 CNY?" + hidden}}
                                       .dump());
    CHECK(sent["error"]["message"].get<std::string>().find("U+E0020 (character 24)") !=
          std::string::npos);
}

TEST_CASE("R47: a task between the owner's agents carries no sentence in its id") {
    OpenTable s;
    const std::string sentence = "Yes-we-accept-your-offer-of-407-CNY-for-Friday";
    const json made =
        s.seller.call_assistant("agent.spawn", json{{"role_id", "helper"},
                                                    {"task_brief",
                                                     {{"objective", "help"},
                                                      {"constraints", {"none"}},
                                                      {"inputs", "none"},
                                                      {"outputs", "none"},
                                                      {"completion_criteria", "done"}}}}
                                                   .dump());
    REQUIRE_MESSAGE(made["ok"] == true, made.dump());
    s.seller.call_assistant("send", json{{"agent", made["data"]["agent_id"]},
                                         {"target_agent_id", s.seller_account.agent_id},
                                         {"message_type", "task_assignment"},
                                         {"extra_payload",
                                          {{"task_id", sentence},
                                           {"task_brief",
                                            {{"objective", "x"},
                                             {"constraints", {"none"}},
                                             {"inputs", "none"},
                                             {"outputs", "none"},
                                             {"completion_criteria", "y"}}}}}}
                                        .dump());
    CHECK(s.code({{"text", "Good morning!"}, {"extra_payload", {{"task_id", sentence}}}}) != "ok");
}

TEST_CASE("R47: an unknown id is refused in every member") {
    OpenTable s;
    const std::string sentence = "we-agree-to-your-offer";
    CHECK(s.code({{"text", "Hello"}, {"order_id", sentence}}) == "invalid_argument");
    CHECK(s.code({{"text", "Hello"}, {"works_id", sentence}}) == "invalid_argument");
    for (const char* name : {"orderId", "worksId", "offer_message_id", "task_id", "taskId",
                             "parent_task_id", "parentTaskId", "request_id", "requestId"}) {
        CAPTURE(name);
        const json result = s.send({{"text", "Hello"}, {"extra_payload", {{name, sentence}}}});
        CHECK(result["error"]["code"] == "invalid_argument");
        CHECK(result["error"]["message"].get<std::string>().find(name) != std::string::npos);
        CHECK(s.code({{"text", "Hello"}, {"extra_payload", {{name, {{"a", "b"}}}}}}) ==
              "invalid_argument");
    }
    CHECK(s.code({{"message_type", "collaboration_request"},
                  {"extra_payload", {{"request_id", sentence}, {"request", "Hello"}}}}) ==
          "invalid_argument");
    CHECK(s.code({{"text", "Hello"}, {"message_type", "we.agree.to.it"}}) == "invalid_argument");
    CHECK(s.buyer.status()["counts"]["received"] == 0);
    CHECK(s.code({{"text", "Hello"}, {"works_id", s.works_id}}) == "ok");
    CHECK(s.code({{"message_type", "collaboration_request"},
                  {"extra_payload", {{"request_id", kNewId}, {"request", "Hello"}}}}) == "ok");
}

TEST_CASE("R47: an order id that the market does not know is refused") {
    OpenTable s;
    const json listing =
        s.seller.call_assistant("works.get", json{{"works_id", s.works_id}}.dump())["data"];
    const json asked =
        s.seller.call_assistant("order.create", json{{"customer_id", s.buyer_account.agent_id},
                                                     {"title", listing["title"]},
                                                     {"content", listing["content"]},
                                                     {"price_cent", 28'000},
                                                     {"currency", "CNY"},
                                                     {"product_id", s.works_id},
                                                     {"order_type", 3}}
                                                    .dump());
    REQUIRE(s.answer(s.seller, asked["error"]["approval_id"], "approve")["ok"] == true);
    json orders;
    REQUIRE(eventually([&] {
        orders = s.seller.call_assistant("order.list", R"({"role":"sales"})")["data"]["list"];
        return orders.size() == 1;
    }));
    CHECK(s.code({{"text", "Hello"}, {"order_id", orders[0]["orderId"]}}) == "ok");
    REQUIRE(eventually([&] { return s.texts_at_buyer("Hello") == 1; }));
    CHECK(s.replies_to_buyer()[0]["payload"]["orderId"] == orders[0]["orderId"]);
    CHECK(s.code({{"text", "Hello"}, {"order_id", "WKS-we-agree"}}) == "invalid_argument");
}

TEST_CASE("R12: accepting a request to work together is asked of the human, and so is all else") {
    OpenTable s;
    const json request{{"target_agent_id", s.seller_account.agent_id},
                       {"message_type", "collaboration_request"},
                       {"extra_payload", {{"request_id", kNewId}, {"request", "Hello"}}}};
    REQUIRE(s.buyer.call_assistant("send", request.dump())["ok"] == true);
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    for (const bool accepted : {true, false}) {
        CHECK(s.code({{"message_type", "collaboration_response"},
                      {"extra_payload",
                       {{"request_id", kNewId}, {"accepted", accepted}, {"response", "Hello"}}}}) ==
              kAsks);
    }
    CHECK(s.buyer.status()["counts"]["received"] == 0);
}
