// Profiles of agents that can be invited: published at the market, imported, listed, removed.

#include <doctest/doctest.h>

#include <fstream>

#include "core/store/outbox_store.h"
#include "tests/integration/daemon/scene.h"
#include "tests/support/market_http.h"
#include "tests/support/permit.h"
#include "tests/support/queued_message.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

json listed(Daemon& daemon, const json& arguments = json::object()) {
    const json answer = daemon.call_assistant("profile.list", arguments.dump());
    REQUIRE_MESSAGE(answer["ok"] == true, answer.dump());
    return answer["data"];
}

json imported_profile(const std::string& agent_id) {
    return {{"agent_id", agent_id},
            {"user_name", "Imported"},
            {"tags", {"摄影"}},
            {"capabilities", {{"拍摄", "人像"}}}};
}

std::vector<std::string> ids_of(const json& data) {
    std::vector<std::string> ids;
    for (const json& item : data["items"])
        ids.push_back(item["agent_id"]);
    return ids;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("a profile that one publishes is known to the other, with its capabilities as tags") {
    Scene scene;
    CHECK(listed(scene.buyer)["total"] == 0);
    const json published = scene.seller.call_owner(
        "profile.set",
        json{{"profile_summary", "我有一间茶室"}, {"tags", {"场地提供"}}, {"location", "北京"}}
            .dump());
    REQUIRE_MESSAGE(published["ok"] == true, published.dump());
    CHECK(published["data"]["tags"] == json{"场地提供"});
    const json asked = scene.seller.call_assistant(
        "capability.set",
        json{{"capabilities", {{{"type", "Hosting"}, {"domains", {"tea"}}}}}}.dump());
    const std::string id = asked["error"]["approval_id"];
    REQUIRE(scene.answer(scene.seller, id, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return scene.approval(id)["outcome"] == "executed"; }));
    const json known = listed(scene.buyer);
    REQUIRE(known["total"] == 1);
    const json& profile = known["items"][0];
    CHECK(profile["agent_id"] == scene.seller_account.agent_id);
    CHECK(profile["source"] == "market");
    CHECK(profile["user_name"] == "seller");
    CHECK(profile["location"] == "北京");
    CHECK(profile["tags"] == json{"场地提供", "Hosting", "tea"});
    CHECK(listed(scene.buyer, {{"tag", "hosting"}})["items"].size() == 1);
    CHECK(listed(scene.buyer, {{"source", "import"}})["items"].empty());

    scene.seller.call_owner("profile.set", R"({"is_active":false})");
    CHECK(listed(scene.buyer)["items"][0]["is_active"] == false);
    CHECK(listed(scene.buyer, {{"tag", "hosting"}})["items"].empty());
}

TEST_CASE("an imported profile has priority over the market's until it is removed") {
    Scene scene;
    const std::string seller = scene.seller_account.agent_id;
    scene.seller.call_owner("profile.set", R"({"tags":["茶"]})");
    CHECK(listed(scene.buyer)["items"][0]["tags"] == json{"茶"});
    const json arguments{{"profiles", {imported_profile(seller), imported_profile("ag_bob")}}};
    const json imported = scene.buyer.call_assistant("profile.import", arguments.dump());
    REQUIRE_MESSAGE(imported["ok"] == true, imported.dump());
    CHECK(imported["data"]["imported"] == 2);
    scene.seller.call_owner("profile.set", R"({"tags":["咖啡"]})");
    const json both = listed(scene.buyer);
    CHECK(both["total"] == 2);
    for (const json& item : both["items"])
        CHECK(item["tags"] == json{"摄影"});
    CHECK(listed(scene.buyer, {{"limit", 1}})["more"] == true);
    CHECK(
        listed(scene.buyer, {{"limit", 1}, {"after", both["items"][0]["agent_id"]}})["items"][0] ==
        both["items"][1]);

    const json removed = scene.buyer.call_owner("profile.reset");
    CHECK(removed["data"]["removed"] == 2);
    const json after = listed(scene.buyer);
    CHECK(ids_of(after) == Ids{seller});
    CHECK(after["items"][0]["tags"] == json{"咖啡"});
}

TEST_CASE("an import with a mistake imports nothing and says where it is") {
    Scene scene;
    json wrong = imported_profile("ag_eve");
    wrong["tags"] = "摄影";
    const json arguments{{"profiles", {imported_profile("ag_bob"), wrong}}};
    const json refused = scene.buyer.call_assistant("profile.import", arguments.dump());
    CHECK(refused["ok"] == false);
    CHECK(refused["error"]["message"].get<std::string>().find(
              "entry 2: tags must be a list of texts") != std::string::npos);
    CHECK(listed(scene.buyer)["total"] == 0);
}

TEST_CASE("an assistant neither publishes a profile nor removes the imported ones") {
    Scene scene;
    for (const char* action : {"profile.set", "profile.reset", "profile.generate"})
        CHECK(scene.buyer.call_assistant(action)["ok"] == false);
}

TEST_CASE("a trial with made-up people leaves the mailbox online") {
    Scene scene;
    const json made = scene.buyer.call_human("profile.generate", R"({"count":50,"seed":1})");
    REQUIRE_MESSAGE(made["ok"] == true, made.dump());
    const json people{{"profiles", made["data"]["profiles"]}};
    REQUIRE(scene.buyer.call_human("profile.import", people.dump())["ok"] == true);
    const json submitted = scene.buyer.call_owner(
        "demand.submit", R"({"raw_input":"想在北京办一场聚会，需要摄影和场地提供"})");
    REQUIRE_MESSAGE(submitted["ok"] == true, submitted.dump());
    REQUIRE(scene.no_work_left(scene.buyer));
    // Mail goes out and in as before, over the same connection.
    scene.publish_listing();
    scene.buyer_says("Hello, how much is the portrait photo session?");
    CHECK(eventually([&] { return scene.replies_to_buyer().size() == 1; }));
    const json connection = scene.buyer.status()["connection"];
    CHECK_MESSAGE(connection["reconnects"] == 0, connection.dump());
    CHECK(connection["taken_over"] == false);
}

TEST_CASE("a message queued for no mailbox is dropped, and every mailbox stays online") {
    Scene scene;
    REQUIRE(scene.buyer.connected());
    scene.buyer.stop();
    {
        const auto db =
            store::Database::open(scene.buyer.home() / "a2hd.db", store::Database::Mode::ReadWrite);
        REQUIRE(db.has_value());
        const OutboxMessage message = queued_message(scene.buyer_account.agent_id, "user_agent_bob",
                                                     "chat.request", R"({"text":"hello"})", "test");
        REQUIRE(test::insert_outbox(**db, message).has_value());
    }
    scene.buyer.start();
    REQUIRE(scene.buyer.connected());
    REQUIRE(scene.no_work_left(scene.buyer));
    CHECK(scene.buyer.status()["backlog"]["dead"] == 1);
    CHECK(scene.buyer.status()["connection"]["reconnects"] == 0);
}

TEST_CASE("without the market the profiles known here are still listed") {
    Scene scene;
    scene.seller.call_owner("profile.set", R"({"tags":["茶"]})");
    CHECK(listed(scene.buyer)["total"] == 1);
    scene.market.stop_market();
    CHECK(listed(scene.buyer)["total"] == 1);
}

TEST_CASE("the command line makes profiles, imports, lists and removes them") {
    Scene scene;
    const auto a2h = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(),
                         {A2H_BIN_DIR "/a2h", "--home", scene.buyer.home().string()});
        const Ran ran = run(arguments, {{"LC_ALL", "C.UTF-8"}}, std::string(Daemon::kPin) + "\n");
        CAPTURE(ran.err);
        CHECK(ran.status == 0);
        return ran.out;
    };
    const std::string file = (scene.dir.path() / "people.json").string();
    CHECK(a2h({"profiles", "list"}) == "There are no agents that could be asked.\n");
    CHECK(a2h({"profiles", "generate", "--count", "900", "--out", file}) ==
          "900 profiles written to " + file + "\n");
    CHECK(a2h({"profiles", "import", file}) == "Profiles imported: 900\n");
    const std::string list = a2h({"profiles", "list"});
    CHECK(list.find("There are 900; to see more: ") != std::string::npos);
    CHECK(list.find("ag_trial") != std::string::npos);
    CHECK(a2h({"profiles", "reset", "--pin-stdin"}) == "Profiles removed: 900\n");

    std::ofstream(file) << R"({"tags":["茶"],"agent_id":"ag_other"})";
    CHECK(a2h({"profiles", "set", file, "--pin-stdin"}) == "Published. Tags: 茶\n");
    CHECK(ids_of(listed(scene.seller)) == Ids{scene.buyer_account.agent_id});
}
