#include <doctest/doctest.h>

#include <algorithm>

#include <cstdio>
#include <fstream>
#include <future>
#include <iterator>
#include <vector>

#include "core/http/client.h"
#include "core/i18n/messages.h"
#include "core/wire/approval_secret.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/limits.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// Encodes a form field as a browser does.
std::string form_encoded(const std::string& text) {
    std::string encoded;
    for (const char c : text) {
        char hex[4];
        std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(c) & 0xFFU);
        encoded += hex;
    }
    return encoded;
}

}  // namespace

TEST_CASE("a price is answered from the listing, haggling asks, thanks stay unanswered") {
    Scene s;
    s.publish_listing();

    s.buyer_says("Hello, how much is the portrait photo session?");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    CHECK(s.replies_to_buyer()[0]["text"].get<std::string>().find("280 CNY") != std::string::npos);
    // A first key is looked up after the commit.
    CHECK(eventually([&] { return s.replies_to_buyer()[0]["provenance"] == "verified"; }));

    s.buyer_says("Would you take 250 CNY?");
    const json asked = s.open_approval();
    REQUIRE_MESSAGE(asked.contains("amount_minor"), asked.dump());
    CHECK(asked["amount_minor"] == 25'000);
    CHECK(asked["currency"] == "CNY");
    CHECK(asked["context"].get<std::string>().find("280 CNY") != std::string::npos);
    // Meanwhile the buyer knows that the human is asked.
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 2; }));
    CHECK(s.replies_to_buyer()[0]["text"] ==
          i18n::text(i18n::Language::English, "decide.reply.holding"));

    const json answered = s.answer(s.seller, asked["approval_id"], "approve");
    REQUIRE_MESSAGE(answered["ok"] == true, answered.dump());
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 3; }));
    CHECK(s.replies_to_buyer()[0]["text"] == asked["reply_text"]);
    CHECK(s.approval(asked["approval_id"])["outcome"] == "executed");

    s.buyer_says("Thank you, goodbye!");
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 3; }));
    REQUIRE(s.no_work_left(s.seller));
    CHECK(s.replies_to_buyer().size() == 3);
    CHECK(s.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"]
              .empty());
}

TEST_CASE("a message of the owner leaves after a reply that is already being sent") {
    Scene s;
    s.publish_listing();
    // While the question is open, the assistant's texts wait for a yes (R46).
    const auto own = [&](const std::string& text) {
        const json sent = s.seller.call_assistant(
            "send", json{{"target_agent_id", s.buyer_account.agent_id}, {"text", text}}.dump());
        if (sent["ok"] == true) return;
        REQUIRE(sent["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
        // The next question of the buyer may have closed this one by now.
        s.answer(s.seller, sent["error"]["approval_id"], "approve");
    };
    for (int i = 0; i < 15; ++i) {
        s.buyer_says("Hello, how much is the portrait photo session? " + std::to_string(i));
        own("The portrait photo session costs 280 CNY. " + std::to_string(i));
    }
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 15; }));
    CHECK(s.no_work_left(s.seller));
}

TEST_CASE("R18: the same call again is answered with its approval and asks nobody twice") {
    Scene s;
    const std::string call =
        json{{"target_agent_id", s.seller_account.agent_id}, {"text", "I offer 100 CNY"}}.dump();
    const json first = s.buyer.call_assistant("send", call);
    const json second = s.buyer.call_assistant("send", call);
    REQUIRE(first["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(second["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(first["error"]["approval_id"] == second["error"]["approval_id"]);
    CHECK(s.seller.status()["counts"]["received"] == 0);

    const std::string id = first["error"]["approval_id"];
    REQUIRE(s.answer(s.buyer, id, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    const json third = s.buyer.call_assistant("send", call);
    REQUIRE_MESSAGE(third["ok"] == true, third.dump());
    CHECK(third["data"]["approval_id"] == id);
    REQUIRE(s.no_work_left(s.buyer));
    CHECK(s.seller.status()["counts"]["received"] == 1);
}

TEST_CASE("R18: the same call eight times at once asks one question") {
    Scene s;
    const std::string call =
        json{{"target_agent_id", s.seller_account.agent_id}, {"text", "I offer 100 CNY"}}.dump();
    std::vector<std::future<json>> calls;
    for (int i = 0; i < 8; ++i) {
        calls.push_back(
            std::async(std::launch::async, [&] { return s.buyer.call_assistant("send", call); }));
    }
    for (auto& result : calls) {
        CHECK(result.get()["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    }
    CHECK(s.buyer.call_human("approval.list")["data"]["approvals"].size() == 1);
}

TEST_CASE("an assistant alone cannot get a yes; with the human's code it can") {
    Scene s;
    const json call{{"target_agent_id", s.seller_account.agent_id}, {"text", "Deal at 90 CNY"}};
    const std::string id = s.buyer.call_assistant("send", call.dump())["error"]["approval_id"];
    const auto respond = [&](const char* decision, const std::string& code) {
        json arguments{{"approval_id", id}, {"decision", decision}};
        if (!code.empty()) arguments["code"] = code;
        return s.buyer.call_assistant("approval.response", arguments.dump());
    };
    CHECK(respond("approve", "")["ok"] == false);
    CHECK(s.answer(s.buyer, id, "approve", "000000")["ok"] == false);
    CHECK(s.buyer.call_assistant(
              "approval.answer",
              json{{"approval_id", id}, {"decision", "approve"}, {"pin", Daemon::kPin}}
                  .dump())["ok"] == false);
    CHECK(s.seller.status()["counts"]["received"] == 0);

    const Approval approval = s.stored_approval(s.buyer, id);
    const std::string code = wire::derive_code(Daemon::kLinkKey, {id, approval.digest, kOwner});
    CHECK(respond("approve", code)["ok"] == false);  // no channel has told it to anybody
    s.deliver(s.buyer, id);
    // As a Chinese input method writes it.
    std::string typed = " ";
    for (const char digit : code)
        typed += std::string("\xef\xbc") + static_cast<char>(0x90 + (digit - '0')) + " ";
    const json approved = respond("approve", typed);
    CHECK_MESSAGE(approved["ok"] == true, approved.dump());
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
}

TEST_CASE("a plain yes that an assistant relays needs the code, whatever its word") {
    Scene s;
    const json call{{"target_agent_id", s.seller_account.agent_id}, {"text", "Deal at 90 CNY"}};
    const std::string id = s.buyer.call_assistant("send", call.dump())["error"]["approval_id"];
    for (const char* words : {"approve", "yes", "ok", "好", "可以"}) {
        const json answered = s.buyer.call_assistant(
            "approval.response", json{{"approval_id", id}, {"decision", words}}.dump());
        CHECK_MESSAGE(answered["ok"] == false, (words + answered.dump()));
        CHECK(s.stored_approval(s.buyer, id).status == ApprovalStatus::Pending);
    }
}

TEST_CASE("three wrong codes void the code") {
    Scene s;
    const json call{{"target_agent_id", s.seller_account.agent_id}, {"text", "Deal at 90 CNY"}};
    const std::string id = s.buyer.call_assistant("send", call.dump())["error"]["approval_id"];
    const std::string right =
        wire::derive_code(Daemon::kLinkKey, {id, s.stored_approval(s.buyer, id).digest, kOwner});
    const std::string wrong = right == "123456" ? "123457" : "123456";
    s.deliver(s.buyer, id);
    for (const std::string& code : {wrong, wrong, wrong, right}) {
        const json answered = s.buyer.call_assistant(
            "approval.response",
            json{{"approval_id", id}, {"decision", "approve"}, {"code", code}}.dump());
        CHECK(answered["ok"] == false);
    }
    CHECK(s.stored_approval(s.buyer, id).status == ApprovalStatus::Pending);
}

TEST_CASE("a guessing assistant has ten wrong codes and twenty open questions at most") {
    Scene s;
    const auto ask = [&](int amount) {
        const json call{{"target_agent_id", s.seller_account.agent_id},
                        {"text", "Deal at " + std::to_string(amount) + " CNY"}};
        return s.buyer.call_assistant("send", call.dump())["error"];
    };
    const auto guess = [&](const std::string& id, const std::string& code) {
        return s.buyer.call_assistant(
            "approval.response",
            json{{"approval_id", id}, {"decision", "approve"}, {"code", code}}.dump());
    };
    std::vector<std::string> ids;
    for (int i = 0; i < consent::kOpenOfAssistantMax; ++i) {
        ids.push_back(ask(i + 1)["approval_id"]);
        s.deliver(s.buyer, ids.back());
    }
    const json full = ask(99);
    CHECK(full["code"] == "resource_exhausted");
    CHECK(full["next"].get<std::string>().find("ask them to answer some") != std::string::npos);
    CHECK(full["next"].get<std::string>().find("Waiting alone frees nothing") != std::string::npos);

    const std::string& last = ids.back();
    const std::string right = wire::derive_code(
        Daemon::kLinkKey, {last, s.stored_approval(s.buyer, last).digest, kOwner});
    int wrong = 0;
    for (const std::string& id : ids) {
        const std::string not_it = wire::derive_code(
            Daemon::kLinkKey, {id, s.stored_approval(s.buyer, id).digest, "nobody"});
        for (int i = 0; i < 2 && id != last; ++i)
            wrong += guess(id, not_it)["error"]["message"].get<std::string>().find("wrong code") !=
                             std::string::npos
                         ? 1
                         : 0;
    }
    CHECK(wrong == consent::kWrongCodesMax - 1);  // the tenth says that all are locked
    CHECK(guess(last, right)["ok"] == false);
    CHECK(s.seller.status()["counts"]["received"] == 0);
    const json answered = s.answer(s.buyer, last, "approve");  // the PIN opens them again
    CHECK_MESSAGE(answered["ok"] == true, answered.dump());
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
}

TEST_CASE("two questions in a row get one holding reply, the next one after the answer another") {
    Scene s;
    s.publish_listing();
    const std::string holding = i18n::text(i18n::Language::English, "decide.reply.holding");
    const auto told_to_wait = [&] {
        int count = 0;
        for (const json& reply : s.replies_to_buyer())
            count += reply["text"] == holding ? 1 : 0;
        return count;
    };
    const auto open = [&] {
        return s.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
    };
    s.buyer_says("Do you also shoot weddings?");
    REQUIRE(eventually([&] { return told_to_wait() == 1; }));
    s.buyer_says("Could you bring a second photographer?");
    REQUIRE(eventually([&] {
        return open().size() == 1 &&
               open()[0].dump().find("second photographer") != std::string::npos;
    }));
    REQUIRE(s.no_work_left(s.seller));
    CHECK(told_to_wait() == 1);
    CHECK(s.replies_to_buyer().size() == 1);

    REQUIRE(s.answer(s.seller, open()[0]["approval_id"], "reject")["ok"] == true);
    s.buyer_says("你们可以开发票吗？");
    CHECK(eventually([&] {
        return s.replies_to_buyer()[0]["text"] ==
               i18n::text(i18n::Language::Chinese, "decide.reply.holding");
    }));
}

TEST_CASE("the page approves with the link's token and with nothing else") {
    Scene s;
    s.publish_listing();
    s.buyer_says("Would you take 250 CNY?");
    const std::string id = s.open_approval()["approval_id"];
    const Approval approval = s.stored_approval(s.seller, id);
    const std::string page = s.seller.status()["web"]["url"].get<std::string>() + "/a/" + id;
    const std::string token =
        wire::derive_link_token(Daemon::kLinkKey, {id, approval.digest, kOwner});
    http::Client http({});

    CHECK(http.send({.url = page + "?t=0123456789abcdef0123456789abcdef"})->status == 404);
    const auto shown = http.send({.url = page + "?t=" + token}).value();
    CHECK(shown.status == 200);
    CHECK(shown.body.find("250.00 CNY") != std::string::npos);
    const auto post = [&](const std::string& form) {
        return http.send({.method = "POST",
                          .url = page + "/answer",
                          .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                          .body = form});
    };
    CHECK(post("t=wrong&choice=approve&digest=" + approval.digest)->status == 404);
    CHECK(s.stored_approval(s.seller, id).status == ApprovalStatus::Pending);
    const auto posted = post("t=" + token + "&choice=approve&digest=" + approval.digest +
                             "&reply_text=" + form_encoded(approval.reply_text))
                            .value();
    CHECK_MESSAGE(posted.status < 400, posted.body);
    CHECK(s.stored_approval(s.seller, id).status == ApprovalStatus::Approved);
    CHECK(eventually([&] { return s.replies_to_buyer().size() == 2; }));
    CHECK(s.replies_to_buyer()[0]["text"] == approval.reply_text);
}

TEST_CASE("the key of a first message is looked up at the market and pinned") {
    Scene s;
    s.buyer_says("Is it still available?");
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    REQUIRE(s.no_work_left(s.seller));
    CHECK(eventually([&] {
        const json history = s.seller.call_assistant(
            "inbox.history", json{{"peer_id", s.buyer_account.agent_id}}.dump());
        const json& items = history["data"]["items"];
        return std::any_of(items.begin(), items.end(), [](const json& item) {
            return item["direction"] == "in" && item["provenance"] == "verified";
        });
    }));
}

TEST_CASE("no secret of an approval is in an answer, the log or the database") {
    Scene s;
    const json call{{"target_agent_id", s.seller_account.agent_id}, {"text", "Deal at 90 CNY"}};
    const std::string id = s.buyer.call_assistant("send", call.dump())["error"]["approval_id"];
    const Approval approval = s.stored_approval(s.buyer, id);
    const std::string code = wire::derive_code(Daemon::kLinkKey, {id, approval.digest, kOwner});
    const std::string token =
        wire::derive_link_token(Daemon::kLinkKey, {id, approval.digest, kOwner});
    std::string seen = s.buyer.call_human("approval.list").dump() + s.buyer.status().dump() +
                       s.buyer.call_human("events.list").dump() + s.buyer.log();
    s.buyer.stop();
    for (const char* file : {"a2hd.db", "a2hd.db-wal"}) {
        std::ifstream in(s.buyer.home() / file, std::ios::binary);
        seen += std::string(std::istreambuf_iterator<char>(in), {});
    }
    REQUIRE(seen.find(id) != std::string::npos);
    // Six digits alone may occur by chance in a time or a hash; beside the approval's id they may
    // not.
    CHECK(seen.find(token) == std::string::npos);
    CHECK(seen.find("\"" + code + "\"") == std::string::npos);
}
