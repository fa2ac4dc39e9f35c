// The value that the watchdog asks the dispatcher for: since when the broker connection has owed a
// result.
#include <doctest/doctest.h>

#include <future>

#include "tests/support/process.h"
#include "tests/unit/agents/home_scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

std::optional<std::chrono::steady_clock::time_point> unanswered(HomeScene& scene) {
    std::optional<std::chrono::steady_clock::time_point> since;
    scene.on_loop([&] { since = scene.dispatcher->unanswered_since(); });
    return since;
}

}  // namespace

TEST_CASE("a message is unanswered from the hand-over to the connection until its result") {
    const TempDir dir;
    // The connection's worker waits for credentials, so no result comes before the test permits it.
    std::promise<void> let_go;
    const auto waiting = let_go.get_future().share();
    HomeScene scene(dir.path());
    Agent& agent = *scene.agents.at("ag_root");
    mqtt::Options options;
    options.server_uri = "mqtt://127.0.0.1:1";
    agent.connection = std::make_unique<mqtt::Connection>(
        options, scene.clock,
        [waiting]() -> Result<mqtt::Credentials> {
            waiting.wait();
            return fail(ErrorCode::PermissionDenied, "none today");
        },
        [](std::string_view, std::string_view) { return Result<void>(); },
        [](const mqtt::State&) {});
    scene.on_loop([&] {
        agent.connected = true;
        agent.connection->start();
    });
    CHECK(!unanswered(scene));

    const auto before = std::chrono::steady_clock::now();
    REQUIRE(scene.send("ag_root", "ag_far", "chat.request", {{"text", "hello"}}));
    const auto after = std::chrono::steady_clock::now();
    const auto since = unanswered(scene);
    REQUIRE(since);
    CHECK((*since >= before && *since <= after));
    // A later one to somebody else changes nothing of that.
    REQUIRE(scene.send("ag_root", "ag_farther", "chat.request", {{"text", "hello"}}));
    CHECK(unanswered(scene) == since);

    let_go.set_value();
    CHECK(eventually([&] { return !unanswered(scene); }));
}
