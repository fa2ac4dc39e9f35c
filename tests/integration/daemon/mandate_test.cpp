#include <doctest/doctest.h>
#include <algorithm>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/clock.h"
#include "core/base/time_text.h"
#include "core/wire/audit_file.h"
#include "tests/integration/daemon/scene.h"
#include "tests/support/told_number.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

json terms(std::string_view pin = Daemon::kPin) {
    return {{"action", "reply.send"},
            {"currency", "CNY"},
            {"amount_from_minor", 26'731},
            {"sum_per_week_minor", 61'907},
            {"pin", pin}};
}

std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("an offer within a mandate is accepted without asking, and what lies outside asks") {
    Scene s;
    s.publish_listing();
    std::string told;  // all that an assistant and a peer get to see
    const json given = s.seller.call_human("mandate.give", terms().dump());
    REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    const std::string id = given["data"]["mandate_id"];

    s.buyer_says("Would you take 270 CNY?");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    told += s.replies_to_buyer().dump();
    CHECK(s.replies_to_buyer()[0]["text"].get<std::string>().find("270.00 CNY") !=
          std::string::npos);
    const json all = s.seller.call_assistant("approval.list")["data"]["approvals"];
    told += all.dump();
    CHECK(all[0]["answered_by"] == "mandate:" + id);
    CHECK(all[0]["surface"] == "mandate");
    CHECK(all[0]["outcome"] == "executed");

    // Below the floor, above the week's sum, with a condition: a human decides.
    for (const char* text : {"Would you take 250 CNY?", "Would you take 350 CNY?",
                             "Would you take 270 CNY for two sessions?"}) {
        CAPTURE(text);
        s.buyer_says(text);
        const json asked = s.open_approval();
        told += asked.dump() + s.seller.call_assistant("approval.list").dump();
        REQUIRE(s.answer(s.seller, asked["approval_id"], "reject")["ok"] == true);
    }
    const json listed = s.seller.call_human("mandate.list");
    told += listed.dump();
    REQUIRE(listed["data"]["mandates"].size() == 1);
    CHECK(listed["data"]["mandates"][0]["used_this_week"] == 1);
    CHECK(listed["data"]["uses"][0]["approval_id"] == all[0]["approval_id"]);
    const json amounts =
        s.seller.call_human("mandate.list", json{{"pin", Daemon::kPin}}.dump())["data"];
    CHECK(amounts["mandates"][0]["amount_from_minor"] == 26'731);
    CHECK(amounts["mandates"][0]["sum_this_week_minor"] == 27'000);

    REQUIRE(s.seller.call_human("mandate.revoke_all")["data"]["revoked"] == 1);
    s.buyer_says("Would you take 271 CNY?");
    told += s.open_approval().dump();

    told +=
        s.buyer.call_assistant("inbox.history", json{{"peer_id", s.seller_account.agent_id}}.dump())
            .dump() +
        s.seller.call_assistant("approval.changes").dump() + s.seller.status().dump() +
        s.seller.call_human("events.list").dump() + s.seller.call_human("audit.export").dump() +
        s.seller.log() + s.buyer.log();
    for (const char* secret : {"26731", "267.31", "61907", "619.07"}) {
        CAPTURE(secret);
        CHECK_FALSE(tells_number(told, secret));
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(s.buyer.home())) {
        if (entry.is_regular_file()) CHECK_FALSE(tells_number(content_of(entry), "26731"));
    }
}

TEST_CASE("R52: a mandate agrees to no price while other words of the peer wait") {
    Scene s;
    s.publish_listing();
    REQUIRE(s.seller.call_human("mandate.give", terms().dump())["ok"] == true);
    s.buyer_says("I want TWO sessions with raw files, and you come to Beijing. My price follows.");
    s.open_approval();
    s.buyer_says("Would you take 270 CNY?");
    REQUIRE(eventually([&] {
        const json open =
            s.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
        return std::any_of(open.begin(), open.end(), [](const json& approval) {
            return approval.value("amount_minor", 0) == 27'000;
        });
    }));
    CHECK(s.replies_to_buyer().dump().find("270.00 CNY") == std::string::npos);
    CHECK(s.seller.call_human("mandate.list")["data"]["mandates"][0]["used_this_week"] == 0);
}

TEST_CASE("R52: a mandate agrees to no price before the mail behind the offer has been read") {
    Scene s;
    s.publish_listing();
    REQUIRE(s.seller.call_human("mandate.give", terms().dump())["ok"] == true);
    const auto hears = [&](std::initializer_list<const char*> texts) {
        s.seller.stop();
        for (const char* text : texts)
            s.buyer_says(text);
        REQUIRE(s.no_work_left(s.buyer));
        s.seller.start();
    };
    const std::string of_buyer = json{{"peer_id", s.buyer_account.agent_id}}.dump();
    SUBCASE("nothing is behind it") {
        hears({"Would you take 270 CNY?"});
        CHECK(eventually(
            [&] { return s.replies_to_buyer().dump().find("270.00 CNY") != std::string::npos; }));
    }
    SUBCASE("the offer is withdrawn") {
        hears({"Would you take 270 CNY?", "I withdraw my offer."});
        REQUIRE(eventually([&] {
            return s.seller.call_assistant("inbox.history", of_buyer)["data"]["items"].size() >= 2;
        }));
        REQUIRE(s.no_work_left(s.seller));
        CHECK(s.replies_to_buyer().dump().find("270.00 CNY") == std::string::npos);
        CHECK(s.seller.call_human("mandate.list")["data"]["mandates"][0]["used_this_week"] == 0);
    }
    SUBCASE("a condition is added") {
        hears({"Would you take 270 CNY?", "That is for three sessions, and you bring the food."});
        s.open_approval();
        CHECK(s.replies_to_buyer().dump().find("270.00 CNY") == std::string::npos);
        CHECK(s.seller.call_human("mandate.list")["data"]["mandates"][0]["used_this_week"] == 0);
    }
}

TEST_CASE("R52: no mandate agrees after a yes to a question that a rule of the owner asked") {
    Scene s;
    s.publish_listing();
    // Nothing about the rule but its topic says that it is about an offer.
    std::ofstream(s.seller.home() / "rules.toml")
        << "version = 1\n[[rule]]\nid = \"own.bids\"\nwhen = { amount = \"exact\" }\n"
           "action = \"ask\"\nask = \"offer\"\nwhy = { en = \"A bid.\", zh = \"报价。\" }\n";
    const json reloaded = s.seller.call_human("playbook.reload");
    REQUIRE_MESSAGE(reloaded["ok"] == true, reloaded.dump());
    REQUIRE(s.seller.call_human("mandate.give", terms().dump())["ok"] == true);
    s.buyer_says("Would you take 250 CNY?");
    const json asked = s.open_approval();
    CHECK(asked["requested_by"] == "rule:own.bids");
    s.approve(s.seller, asked["approval_id"]);
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    s.buyer_says("Would you take 270 CNY?");
    CHECK(s.open_approval()["question"].get<std::string>().find("second agreement") !=
          std::string::npos);
    CHECK(s.replies_to_buyer().dump().find("270.00 CNY") == std::string::npos);
    CHECK(s.seller.call_human("mandate.list")["data"]["mandates"][0]["used_this_week"] == 0);
}

TEST_CASE("R48: a mandate agrees to no price for something that its owner seeks") {
    Scene s;
    const json wanted{
        {"type", 2},         {"title", "Piano wanted"}, {"content", "An upright piano."},
        {"currency", "CNY"}, {"price_type", "FIXED"},   {"fixed_price", 90'000}};
    const json asked = s.seller.call_assistant("works.publish", wanted.dump());
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    const std::string id = asked["error"]["approval_id"];
    s.approve(s.seller, id);
    REQUIRE(eventually([&] { return s.approval(id)["outcome"] == "executed"; }));
    for (const char* action : {"reply.send", "message.offer", "message.accept"}) {
        json given = terms();
        given.update({{"action", action}, {"amount_to_minor", 600'000}});
        REQUIRE(s.seller.call_human("mandate.give", given.dump())["ok"] == true);
    }
    const json made = json::parse(s.approval(id)["outcome_detail"].get<std::string>());
    s.buyer_sends({{"text", "Would you take 5000 CNY?"}, {"works_id", made["worksId"]}});
    const json open = s.open_approval();
    CHECK_MESSAGE(open["status"] == "pending", open.dump());
    const json payload{{"type", "offer"}, {"price", {{"amount", 5000}, {"currency", "CNY"}}}};
    const json offered =
        s.seller.call_assistant("send", json{{"target_agent_id", s.buyer_account.agent_id},
                                             {"works_id", made["worksId"]},
                                             {"extra_payload", payload}}
                                            .dump());
    CHECK_MESSAGE(offered["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED", offered.dump());
    CHECK(s.seller.call_human("mandate.list")["data"]["uses"].empty());
}

TEST_CASE("R48: a mandate needs the limit that protects its owner") {
    Scene s;
    const auto is_given = [&](const char* action, bool has_lowest, bool has_highest) {
        json wanted{
            {"action", action}, {"currency", "CNY"}, {"count_per_day", 9}, {"pin", Daemon::kPin}};
        if (has_lowest) wanted["amount_from_minor"] = 20'000;
        if (has_highest) wanted["amount_to_minor"] = 30'000;
        return s.seller.call_human("mandate.give", wanted.dump())["ok"] == true;
    };
    for (const char* sells : {"reply.send", "order.create"}) {
        CHECK_FALSE(is_given(sells, false, true));
        CHECK(is_given(sells, true, false));
    }
    for (const char* buys : {"order.confirm", "proposal.accept"}) {
        CHECK_FALSE(is_given(buys, true, false));
        CHECK(is_given(buys, false, true));
    }
    for (const char* either : {"message.offer", "message.accept"}) {
        CHECK_FALSE(is_given(either, true, false));
        CHECK_FALSE(is_given(either, false, true));
        CHECK(is_given(either, true, true));
    }
}

TEST_CASE("a call that a mandate covers is answered with what was done") {
    Scene s;
    const std::string until = to_utc_time(SystemClock().now_ms() + 24LL * 3'600'000);
    const auto offer = [&](int amount, std::string_view summary) {
        json payload{{"type", "offer"},
                     {"price", {{"amount", amount}, {"currency", "CNY"}}},
                     {"valid_until", until}};
        if (!summary.empty()) payload["summary"] = summary;
        const json call{{"target_agent_id", s.seller_account.agent_id}, {"extra_payload", payload}};
        return s.buyer.call_assistant("send", call.dump());
    };
    json wanted = terms();
    wanted["action"] = "message.offer";
    wanted["amount_to_minor"] = 30'000;
    REQUIRE(s.buyer.call_human("mandate.give", wanted.dump())["ok"] == true);
    const json done = offer(280, "");
    REQUIRE_MESSAGE(done["ok"] == true, done.dump());
    CHECK(done["data"]["outcome"] == "executed");
    CHECK(done["data"]["mandate_id"].get<std::string>().starts_with("mdt_"));
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    // The same call again is that one, not a second offer.
    CHECK(offer(280, "")["data"]["approval_id"] == done["data"]["approval_id"]);
    for (const auto& [amount, summary] :
         {std::pair(3'000, ""), std::pair(290, "I will also pay 3000 CNY in cash")}) {
        CAPTURE(summary);
        const json asked = offer(amount, summary);
        CHECK(asked["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    }
    REQUIRE(s.no_work_left(s.buyer));
    CHECK(s.seller.status()["counts"]["received"] == 1);
}

TEST_CASE(
    "only the PIN gives a mandate, and five wrong ones lock it, but revoking stays possible") {
    Scene s;
    REQUIRE(s.seller.call_human("mandate.give", terms().dump())["ok"] == true);
    CHECK(s.seller.call_assistant("mandate.give", terms().dump())["ok"] == false);
    CHECK(s.seller.call_assistant("mandate.list")["ok"] == false);
    for (int i = 0; i < 5; ++i)
        CHECK(s.seller.call_human("mandate.give", terms("314159").dump())["ok"] == false);
    CHECK(s.seller.call_human("mandate.give", terms().dump())["ok"] == false);
    CHECK(s.seller.call_human("mandate.list", json{{"pin", Daemon::kPin}}.dump())["ok"] == false);
    CHECK(s.seller.call_human("mandate.list")["data"]["mandates"].size() == 1);
    CHECK(s.seller.call_human("mandate.revoke_all")["data"]["revoked"] == 1);

    // All of it is in the audit, which checks.
    const json exported = s.seller.call_human("audit.export")["data"];
    wire::AuditCheck check;
    for (const json& line : exported["lines"])
        REQUIRE(check.take(line.get<std::string>()).has_value());
    CHECK(exported.dump().find("mandate.revoked") != std::string::npos);
    CHECK(exported.dump().find("pin.locked") != std::string::npos);
}

TEST_CASE("five questions are answered together with one PIN, and one wrong PIN is one guess") {
    Scene s;
    json answers = json::array();
    for (int i = 0; i < 5; ++i) {
        const json asked = s.buyer.call_assistant(
            "send", json{{"target_agent_id", s.seller_account.agent_id},
                         {"text", "I offer " + std::to_string(100 + i) + " CNY"}}
                        .dump());
        answers.push_back({{"approval_id", asked["error"]["approval_id"]}});
    }
    json listed = s.buyer.call_human("approval.list", R"({"limit":2})")["data"];
    CHECK(listed["more"] == true);
    std::size_t seen = 0;
    while (true) {
        for (const json& approval : listed["approvals"]) {
            for (json& answer : answers) {
                if (answer["approval_id"] != approval["approval_id"]) continue;
                answer["digest"] = approval["digest"];
                ++seen;
            }
        }
        if (!listed.contains("next_before")) break;
        listed = s.buyer.call_human(
            "approval.list", json{{"limit", 2}, {"before", listed["next_before"]}}.dump())["data"];
    }
    REQUIRE(seen == 5);
    const auto answer = [&](const json& which, std::string_view pin) {
        return s.buyer.call_human(
            "approval.answer_many",
            json{{"answers", which}, {"decision", "approve"}, {"pin", pin}}.dump());
    };
    CHECK(answer(json::array(), Daemon::kPin)["ok"] == false);
    for (int i = 0; i < 4; ++i)
        CHECK(answer(answers, "000000")["ok"] == false);
    json stale = answers;
    stale[0]["digest"] = std::string(64, '0');
    const json done = answer(stale, Daemon::kPin);
    REQUIRE_MESSAGE(done["ok"] == true, done.dump());
    CHECK(done["data"]["answered"] == 4);
    CHECK(done["data"]["results"][0]["ok"] == false);
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 4; }));
    const json stats = s.buyer.call_human("approval.stats")["data"];
    CHECK(stats["approved"] == 4);
    CHECK(stats["open"] == 1);
    CHECK(stats["yes_percent"] == 100);
}
