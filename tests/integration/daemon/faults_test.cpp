#include <doctest/doctest.h>

#include <chrono>
#include <fstream>

#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

bool has_problem(Daemon& daemon, std::string_view code) {
    const json status = daemon.status();
    for (const json& problem : status.value("problems", json::array())) {
        if (problem["code"] == code) return true;
    }
    return false;
}

bool healthy(Daemon& daemon) {
    return eventually([&] { return daemon.status().value("problems", json::array({0})).empty(); },
                      std::chrono::seconds(40));
}

}  // namespace

TEST_CASE("while the broker is away nothing is lost, and status says what is wrong") {
    Scene s;
    s.market.stop_broker();
    REQUIRE_MESSAGE(eventually([&] { return has_problem(s.buyer, "mqtt.disconnected"); }),
                    s.buyer.status().dump() << s.buyer.log());
    for (int i = 0; i < 5; ++i)
        s.buyer_says("Is number " + std::to_string(i) + " available?");
    CHECK(eventually([&] { return s.buyer.status()["backlog"]["queued"] == 5; }));
    s.market.start_broker();
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 5; },
                     std::chrono::seconds(40)));
    CHECK(healthy(s.buyer));
    CHECK(s.buyer.status()["last_self_test"]["ok"] == true);
}

TEST_CASE("while the market is away mail still flows, and listings are answered from the copy") {
    Scene s;
    s.publish_listing();
    s.buyer_says("How much is the portrait photo session?");
    REQUIRE(eventually([&] { return !s.replies_to_buyer().empty(); }));
    s.market.stop_market();
    s.buyer_says("And where are you located?");
    CHECK(eventually([&] { return s.replies_to_buyer().size() >= 2; }));
    const json search = s.buyer.call_assistant("works.search", R"({"keyword":"photo"})");
    REQUIRE_MESSAGE(search.contains("error"), search.dump());
    CHECK_FALSE(search["error"]["next"].get<std::string>().empty());
}

TEST_CASE("mail that came while a2hd was away is decided after its start") {
    Scene s;
    s.publish_listing();
    s.seller.stop();
    s.buyer_says("How much is the portrait photo session?");
    REQUIRE(s.no_work_left(s.buyer));
    s.seller.start();
    CHECK(eventually([&] { return s.replies_to_buyer().size() == 1; }, std::chrono::seconds(30)));
}

TEST_CASE("a yes that a crash interrupted is carried out once after the restart") {
    Scene s;
    s.market.stop_broker();
    const json sent = s.buyer.call_assistant(
        "send",
        json{{"target_agent_id", s.seller_account.agent_id}, {"text", "I offer 200 CNY"}}.dump());
    REQUIRE(s.answer(s.buyer, sent["error"]["approval_id"], "approve")["ok"] == true);
    s.buyer.kill();
    s.market.start_broker();
    s.buyer.start();
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 1; },
                       std::chrono::seconds(40)));
    s.buyer.kill();
    s.buyer.start();
    REQUIRE(s.buyer.connected());
    REQUIRE(s.no_work_left(s.buyer));
    CHECK(s.seller.status()["counts"]["received"] == 1);
}

TEST_CASE("status answers while commits fail and says so, and mail arrives after them") {
    const TempDir faults;
    const auto fault = faults.path() / "commits-fail";
    Scene s({.config = {}, .environment = {{"A2H_FAULT_COMMIT_FILE", fault.string()}}});
    std::ofstream(fault) << "x";
    s.buyer_says("Is it available?");
    REQUIRE(eventually([&] { return has_problem(s.seller, "store.failing"); }));
    for (int i = 0; i < 20; ++i)
        CHECK(s.seller.status()["agent_id"] == s.seller_account.agent_id);
    std::filesystem::remove(fault);
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 1; },
                     std::chrono::seconds(40)));
    CHECK(healthy(s.seller));
}

TEST_CASE("a second a2hd on the same home refuses and names the first") {
    Scene s;
    const Ran second = run({A2H_BIN_DIR "/a2hd", "--home", s.seller.home().string()});
    CHECK(second.status == 3);
    CHECK(second.err.find(std::to_string(s.seller.process().pid())) != std::string::npos);
    CHECK(s.seller.status()["agent_id"] == s.seller_account.agent_id);
}

TEST_CASE("SIGTERM ends a2hd cleanly") {
    Scene s;
    const auto status = s.seller.process().stop(std::chrono::seconds(10));
    REQUIRE(status);
    CHECK(*status == 0);
}
