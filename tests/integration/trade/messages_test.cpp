// Structured messages between two daemons, and mail that the broker lost.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "core/base/time_text.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

json send_call(const std::string& target, const json& payload) {
    return {{"target_agent_id", target}, {"extra_payload", payload}};
}

json offer(double amount, UnixMs valid_until_ms) {
    return {{"type", "offer"},
            {"price", {{"currency", "CNY"}, {"amount", amount}}},
            {"valid_until", to_utc_time(valid_until_ms)},
            {"summary", "Two hours, twenty pictures"}};
}

UnixMs in_seconds(int seconds) {
    return SystemClock().now_ms() + seconds * 1000;
}

std::string asked(Scene& s, Daemon& daemon, const json& call) {
    const json result = daemon.call_assistant("send", call.dump());
    REQUIRE_MESSAGE(result.contains("error"), result.dump());
    REQUIRE_MESSAGE(result["error"].contains("approval_id"), result.dump());
    static_cast<void>(s);
    return result["error"]["approval_id"];
}

std::string code_of(Daemon& daemon, const json& call) {
    const json result = daemon.call_assistant("send", call.dump());
    return result["ok"] == true ? "ok" : result["error"]["code"].get<std::string>();
}

/// The last message of `type` that came to `daemon` from `peer`.
json received(Daemon& daemon, const std::string& peer, const std::string& type) {
    json found;
    REQUIRE(eventually([&] {
        const json items =
            daemon.call_assistant("inbox.history", json{{"peer_id", peer}}.dump())["data"]["items"];
        for (const json& item : items) {
            if (item["direction"] == "in" && item["payload"].value("type", "") == type) {
                found = item;
                return true;
            }
        }
        return false;
    }));
    return found;
}

}  // namespace

TEST_CASE("R26, R27: an offer is accepted by its message id, each side with its human's yes") {
    Scene s;
    const std::string seller = s.seller_account.agent_id;
    const std::string buyer = s.buyer_account.agent_id;
    const std::string offered = asked(s, s.seller, send_call(buyer, offer(5000, in_seconds(3600))));
    REQUIRE(s.answer(s.seller, offered, "approve")["ok"] == true);
    const json item = received(s.buyer, seller, "offer");
    const std::string offer_id = item["message_id"];

    const auto accept = [&](const std::string& id) {
        return send_call(seller, {{"type", "accept"}, {"offer_message_id", id}});
    };
    CHECK(code_of(s.buyer, accept("msg_none")) == "PLATFORM_410");
    CHECK(code_of(s.buyer, send_call(seller, {{"type", "accept"}})) == "invalid_argument");
    // An agent cannot accept its own offer.
    CHECK(code_of(s.seller, send_call(buyer, {{"type", "accept"},
                                              {"offer_message_id", offer_id}})) == "PLATFORM_410");
    const std::string accepted = asked(s, s.buyer, accept(offer_id));
    const json rows = s.buyer.call_human("approval.list")["data"]["approvals"];
    for (const json& row : rows) {
        if (row["approval_id"] != accepted) continue;
        CHECK(row["amount_minor"] == 500'000);
        CHECK(row["currency"] == "CNY");
        CHECK(row["question"].get<std::string>().find("5000.00 CNY") != std::string::npos);
    }
    json with_note = accept(offer_id);
    with_note["extra_payload"]["note"] = "Thank you.";
    const std::string again = asked(s, s.buyer, with_note);
    REQUIRE(s.answer(s.buyer, accepted, "approve")["ok"] == true);
    // An offer is accepted once.
    CHECK(s.answer(s.buyer, again, "approve")["ok"] == false);
    CHECK(code_of(s.buyer, with_note) == "conflict");
    CHECK(received(s.seller, buyer, "accept")["payload"]["offer_message_id"] == offer_id);
    // The question about the answer shows what was offered, and so does the list of all questions.
    std::string shown;
    REQUIRE(eventually([&] {
        shown = s.seller.a2h({"approvals"}).out;
        return shown.find("waits for you") != std::string::npos;
    }));
    const auto mine = shown.find("You: Summary: Two hours, twenty pictures");
    CHECK_MESSAGE(mine != std::string::npos, shown);
    CHECK_MESSAGE(shown.find("Price: 5000.00 CNY", mine) != std::string::npos, shown);
    // The deal is made, so nothing offers to agree to it or to refuse it.
    CHECK_MESSAGE(shown.find(buyer + " accepts your offer of 5000.00 CNY") != std::string::npos,
                  shown);
    CHECK_MESSAGE(shown.find("cannot agree") == std::string::npos, shown);
    const std::string all = s.seller.a2h({"approvals", "--all"}).out;
    CHECK_MESSAGE(all.find("Summary: Two hours, twenty pictures") != std::string::npos, all);
    CHECK_MESSAGE(all.find("{\"") == std::string::npos, all);
}

TEST_CASE("R26: an offer or an acceptance takes the place of the own offer that is open") {
    Scene s;
    const std::string seller = s.seller_account.agent_id;
    const std::string buyer = s.buyer_account.agent_id;
    const auto card_of = [&](Daemon& daemon, const std::string& id) {
        const json rows = daemon.call_human("approval.list")["data"]["approvals"];
        for (const json& row : rows)
            if (row["approval_id"] == id) return row["covers"].dump();
        return std::string();
    };
    const std::string first = asked(s, s.seller, send_call(buyer, offer(5000, in_seconds(3600))));
    CHECK(card_of(s.seller, first).find("Replaces the offer") == std::string::npos);
    REQUIRE(s.answer(s.seller, first, "approve")["ok"] == true);
    const std::string first_id = received(s.buyer, seller, "offer")["message_id"];

    const std::string theirs = asked(s, s.buyer, send_call(seller, offer(4000, in_seconds(3600))));
    REQUIRE(s.answer(s.buyer, theirs, "approve")["ok"] == true);
    const std::string theirs_id = received(s.seller, buyer, "offer")["message_id"];

    const json accept{{"type", "accept"}, {"offer_message_id", theirs_id}};
    for (const json& payload : {offer(4500, in_seconds(3600)), accept}) {
        const std::string card = card_of(s.seller, asked(s, s.seller, send_call(buyer, payload)));
        CHECK_MESSAGE(card.find("Replaces the offer") != std::string::npos, card);
        CHECK_MESSAGE(card.find(first_id) != std::string::npos, card);
    }
}

TEST_CASE("R26: an offer and an acceptance leave before the time on their card, or not at all") {
    Scene s;
    const UnixMs until_ms = in_seconds(12);
    const std::string buyer = s.buyer_account.agent_id;
    const std::string offered = asked(s, s.seller, send_call(buyer, offer(5000, until_ms)));
    s.market.kill_broker();
    REQUIRE(eventually([&] { return s.seller.status()["connection"]["connected"] == false; }));
    REQUIRE(s.answer(s.seller, offered, "approve")["ok"] == true);
    std::this_thread::sleep_for(std::chrono::milliseconds(until_ms - SystemClock().now_ms()));
    s.market.start_broker();
    REQUIRE(s.seller.connected());
    CHECK(eventually([&] {
        const json rows = s.seller.call_human("outbox.list")["data"]["items"];
        return std::any_of(rows.begin(), rows.end(),
                           [](const json& row) { return row["state"] == "dead"; });
    }));
    CHECK(s.buyer.status()["counts"]["received"] == 0);
}

TEST_CASE("an offer without a clear price or with a time that is over is refused") {
    Scene s;
    const std::string buyer = s.buyer_account.agent_id;
    const auto code = [&](const json& payload) {
        return code_of(s.seller, send_call(buyer, payload));
    };
    CHECK(code(offer(5000, in_seconds(-1))) == "conflict");
    json bad = offer(19.999, in_seconds(60));
    CHECK(code(bad) == "invalid_argument");
    bad["price"] = {{"currency", "CNY"}, {"amount", 0}};
    CHECK(code(bad) == "invalid_argument");
    bad.erase("price");
    CHECK(code(bad) == "invalid_argument");
    bad = offer(1, in_seconds(60));
    bad["valid_until"] = "soon";
    CHECK(code(bad) == "invalid_argument");
}

TEST_CASE("inquiries leave while no offer is open, and then not even a rejection") {
    Scene s;
    s.publish_listing();
    const std::string works_id =
        s.seller.call_assistant("works.list")["data"]["items"][0]["worksId"];
    const std::string seller = s.seller_account.agent_id;
    const auto inquiry = [&](const char* text) {
        return code_of(s.buyer, send_call(seller, {{"type", "inquiry"}, {"text", text}}));
    };
    CHECK(inquiry("What is it?") == "ok");
    CHECK(inquiry("Would 100 CNY do?") == "PLATFORM_CONFIRMATION_REQUIRED");
    // A message that is read later would close the question about the offer.
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    REQUIRE(s.no_work_left(s.seller));
    const json call = send_call(s.buyer_account.agent_id, offer(5000, in_seconds(3600)));
    s.approve(s.seller, asked(s, s.seller, call));
    const std::string offer_id = received(s.buyer, seller, "offer")["message_id"];
    CHECK(inquiry("Where is it?") == "PLATFORM_CONFIRMATION_REQUIRED");
    const json rejection{{"type", "reject"}, {"offer_message_id", offer_id}};
    json with_note = rejection;
    with_note["note"] = "Thank you.";
    CHECK(code_of(s.buyer, send_call(seller, with_note)) == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(code_of(s.buyer,
                  send_call(seller, {{"type", "reject"}, {"offer_message_id", "msg_none"}})) ==
          "invalid_argument");
    json with_listing = rejection;
    with_listing["worksId"] = works_id;
    CHECK(code_of(s.buyer, send_call(seller, with_listing)) == "PLATFORM_CONFIRMATION_REQUIRED");
    // The offer may say what a rejection means.
    CHECK(code_of(s.buyer, send_call(seller, rejection)) == "PLATFORM_CONFIRMATION_REQUIRED");
    // The owner's messages since then do not reject the offer.
    const json words{{"target_agent_id", seller}, {"text", "I will think about it until Monday."}};
    s.approve(s.buyer, asked(s, s.buyer, words));
    CHECK(code_of(s.buyer, send_call(seller, rejection)) == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(code_of(s.buyer, send_call(seller, {{"type", "reject"}})) ==
          "PLATFORM_CONFIRMATION_REQUIRED");
}

TEST_CASE("an attachment gets its name from the address and its type from the name") {
    Scene s;
    s.publish_listing();
    const std::string works_id =
        s.seller.call_assistant("works.list")["data"]["items"][0]["worksId"];
    const std::string seller = s.seller_account.agent_id;
    const auto send = [&](json call) {
        call["target_agent_id"] = seller;
        const std::string id = asked(s, s.buyer, call);
        return json::parse(s.stored_approval(s.buyer, id).action_json)["request"]["payload"];
    };
    CHECK(send({{"attachment_url", "https://x/files/a.PDF?sig=1"}})["attachment"] ==
          json{{"url", "https://x/files/a.PDF?sig=1"},
               {"source", "external"},
               {"name", "a.PDF"},
               {"mime_type", "application/pdf"}});
    CHECK(send({{"attachment_url", "https://x"}})["attachment"] ==
          json{{"url", "https://x"}, {"source", "external"}});
    const json named = send({{"attachment_url", "https://x/1"},
                             {"attachment_name", "plan.png"},
                             {"works_id", works_id}});
    CHECK(named["attachment"]["mime_type"] == "image/png");
    CHECK(named["worksId"] == works_id);
    CHECK(code_of(s.buyer, send_call(seller, {{"image", "https://x/q.png"}})) ==
          "invalid_argument");
    CHECK(code_of(s.buyer, send_call(seller, {{"payment_qr", "file:///etc/passwd"}})) ==
          "invalid_argument");
}

TEST_CASE("mail that the broker lost is taken from the market's history") {
    Scene s;
    auto market = s.market.client(s.seller_account);
    const auto recorded = [&] {
        const auto history = market.fetch_history(s.buyer_account.agent_id, 1, 50);
        return history ? history->size() : 0;
    };
    // The market's recorder connects when it can; it has no messages from before.
    int said = 0;
    REQUIRE(eventually([&] {
        s.buyer_says("Is it still available? " + std::to_string(++said));
        return recorded() > 0;
    }));
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == said; }));
    REQUIRE(s.no_work_left(s.seller));
    s.seller.stop();
    const std::size_t before = recorded();
    s.buyer_says("Hello, are you there?");
    REQUIRE(eventually([&] { return recorded() > before; }));
    // The broker forgets everything it kept.
    s.market.kill_broker();
    for (const auto& entry : std::filesystem::directory_iterator(s.market.dir())) {
        if (entry.path().extension() == ".db" && entry.path().stem() != "market") {
            std::filesystem::remove(entry.path());
        }
    }
    s.market.start_broker();
    s.seller.start();
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == said + 1; },
                     std::chrono::seconds(30)));
    CHECK(s.seller.status()["counts"]["conflicts"] == 0);
}
