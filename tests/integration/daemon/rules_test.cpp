#include <doctest/doctest.h>

#include <fstream>

#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr const char* kAskAboutPrices = "version = 1\noff = [\"question.listing_states\"]\n";

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

/// The message of the buyer that the seller's a2hd took in last.
std::string last_message(Scene& s) {
    const json arguments{{"peer_id", s.buyer_account.agent_id}};
    const json history = s.seller.call_human("inbox.history", arguments.dump());
    for (const json& item : history["data"]["items"]) {
        if (item["direction"] == "in") return item["message_id"];
    }
    return {};
}

json explained(Scene& s, const std::string& message_id) {
    const json arguments{{"message_id", message_id}};
    return s.seller.call_human("message.explain", arguments.dump());
}

/// `a2h --json` with this command line in the seller's home.
json a2h_says(Scene& s, std::vector<std::string> words) {
    std::vector<std::string> argv = {std::string(A2H_BIN_DIR) + "/a2h", "--json", "--home",
                                     s.seller.home().string()};
    argv.insert(argv.end(), words.begin(), words.end());
    return json::parse(run(argv).out, nullptr, false);
}

bool has_problem(const json& status, const std::string& code) {
    for (const json& problem : status["problems"])
        if (problem["code"] == code) return true;
    return false;
}

}  // namespace

TEST_CASE("a decision is explained by what it went by, and replayed with other rules") {
    Scene s;
    s.publish_listing();
    s.buyer_says("Hello, how much is the portrait photo session?");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    REQUIRE(s.no_work_left(s.seller));

    const json answer = explained(s, last_message(s));
    REQUIRE_MESSAGE(answer["ok"] == true, answer.dump());
    const json& data = answer["data"];
    CHECK(data["decision"] == "answer");
    CHECK(data["rule_id"] == "question.listing_states");
    CHECK(data["peer_id"] == s.buyer_account.agent_id);
    CHECK(data["basis"]["asks"] == json::array({"price"}));
    CHECK(data["basis"]["listings"].size() == 1);
    CHECK(data["basis"]["rounds"] == 0);
    CHECK(data["basis"]["policy"]["rounds_per_day"] == 30);
    CHECK(data["same_rules"] == true);
    CHECK(data["now"]["rule_id"] == "question.listing_states");
    CHECK(data["now"]["looked_at"].size() > 10);

    const json would = a2h_says(s, {"playbook", "explain", "Where is the portrait photo session?",
                                    "--peer", s.buyer_account.agent_id});
    REQUIRE_MESSAGE(would["ok"] == true, would.dump());
    CHECK(would["data"]["reading"]["asks"] == json::array({"location"}));
    CHECK(would["data"]["reading"]["listings"] == data["basis"]["listings"]);

    const auto policy = s.dir.path() / "other.toml";
    write(policy, kAskAboutPrices);
    const json replayed = a2h_says(s, {"replay", "--policy", policy.string()});
    REQUIRE_MESSAGE(replayed["ok"] == true, replayed.dump());
    CHECK(replayed["data"]["messages"] == 1);
    CHECK(replayed["data"]["was"]["answer"] == 1);
    CHECK(replayed["data"]["would"]["ask"] == 1);
    REQUIRE(replayed["data"]["different"] == 1);
    CHECK(replayed["data"]["differences"][0]["was_rule"] == "question.listing_states");
    CHECK(a2h_says(s, {"replay"})["data"]["different"] == 0);
    CHECK(a2h_says(s, {"replay", "--since", "2099-01-01T00:00:00Z"})["data"]["messages"] == 0);
    CHECK(s.seller.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"]
              .empty());
    CHECK(s.replies_to_buyer().size() == 1);
}

TEST_CASE("an explanation that is not found names what can be explained") {
    Scene s;
    const json none = explained(s, "msg_that_never_was");
    CHECK(none["ok"] == false);
    CHECK(none["error"]["code"] == "PLATFORM_410");
    const json forbidden =
        s.seller.call_assistant("message.explain", R"({"message_id":"msg_that_never_was"})");
    CHECK(forbidden["ok"] == false);
}

TEST_CASE("a2hd uses the owner's rules, or the built-in ones while those are invalid") {
    Scene s;
    s.publish_listing();
    const auto file = s.seller.home() / "rules.toml";
    write(file, kAskAboutPrices);
    const json reloaded = a2h_says(s, {"playbook", "reload"});
    REQUIRE_MESSAGE(reloaded["ok"] == true, reloaded.dump());
    s.buyer_says("Hello, how much is the portrait photo session?");
    const json asked = s.open_approval();
    CHECK(asked["peer_id"] == s.buyer_account.agent_id);
    CHECK(s.replies_to_buyer().empty());

    write(file, "version = 1\n[[rule]]\nid = \"mine\"\nactoin = \"silent\"\n");
    const json refused = a2h_says(s, {"playbook", "reload"});
    CHECK(refused["ok"] == false);
    CHECK(refused["error"]["message"].get<std::string>().find("rules.toml:4: ") !=
          std::string::npos);
    CHECK(has_problem(s.seller.status(), "playbook.invalid"));
    s.seller.stop();
    s.seller.start();
    REQUIRE(s.seller.connected());
    CHECK(has_problem(s.seller.status(), "playbook.invalid"));
    s.buyer_says("What is the price of the portrait photo session, please?");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    CHECK(s.replies_to_buyer()[0]["text"].get<std::string>().find("280 CNY") != std::string::npos);
}
