#include <doctest/doctest.h>

#include <atomic>

#include "tests/unit/mcp/host.h"

using a2h::test::Host;
using nlohmann::json;

namespace {

/// A host whose daemon counts its changes, and whose status shows how often it was called.
struct CountingScene {
    std::atomic<std::uint64_t> changes = 1;
    std::atomic<bool> is_known = true;
    Host host{[this]() -> std::optional<std::uint64_t> {
        if (!is_known) return std::nullopt;
        return changes.load();
    }};

    CountingScene() {
        host.on["status"] = [](const json&) { return json{{"agent_id", "ag_me"}}; };
        host.on["inbox.history"] = [](const json& params) {
            return json{{"peer_id", params.at("peer_id")}, {"items", json::array()}};
        };
        host.on["approval.list"] = [](const json&) {
            return json{{"approvals", json::array()}, {"more", false}};
        };
        host.initialize("2025-11-25");
    }
    json call(const char* tool, const json& arguments = json::object()) {
        return host.ask("tools/call", {{"name", tool}, {"arguments", arguments}});
    }
};

}  // namespace

TEST_CASE("the status is asked for once while nothing changes") {
    CountingScene scene;
    const json first = scene.call("a2h_status");
    const json second = scene.call("a2h_status");
    CHECK(first["result"] == second["result"]);
    CHECK(first["id"] != second["id"]);
    CHECK(scene.host.count_of("status") == 1);
}

TEST_CASE("a change discards the remembered results") {
    CountingScene scene;
    scene.call("a2h_status");
    ++scene.changes;
    scene.call("a2h_status");
    CHECK(scene.host.count_of("status") == 2);
}

TEST_CASE("a change during the call makes its result outdated at once") {
    CountingScene scene;
    scene.host.on["status"] = [&scene](const json&) {
        ++scene.changes;
        return json{{"agent_id", "ag_me"}};
    };
    scene.call("a2h_status");
    scene.call("a2h_status");
    CHECK(scene.host.count_of("status") == 2);
}

TEST_CASE("whether a2hd is there is asked again when its changes are not known") {
    CountingScene scene;
    scene.call("a2h_status");
    scene.is_known = false;
    scene.call("a2h_status");
    CHECK(scene.host.count_of("status") == 2);
}

TEST_CASE("other arguments are a separate entry") {
    CountingScene scene;
    scene.call("a2h_inbox_history", {{"peer_id", "ag_bob"}});
    const json other = scene.call("a2h_inbox_history", {{"peer_id", "ag_eve"}});
    CHECK(other["result"]["structuredContent"]["data"]["peer_id"] == "ag_eve");
    CHECK(scene.host.count_of("inbox.history") == 2);
}

TEST_CASE("another revision gets a result of its own") {
    CountingScene scene;
    const json legacy = scene.call("a2h_status");
    const json modern = scene.host.ask("tools/call", Host::modern({{"name", "a2h_status"}}));
    CHECK(!legacy["result"].contains("resultType"));
    CHECK(modern["result"]["resultType"] == "complete");
}

TEST_CASE("failures are not remembered") {
    CountingScene scene;
    scene.host.refusals["status"] = "unavailable";
    CHECK(scene.call("a2h_status")["result"]["isError"] == true);
    scene.host.refusals.clear();
    CHECK(!scene.call("a2h_status")["result"].value("isError", false));
}

TEST_CASE("results that depend on the time are never remembered") {
    CountingScene scene;
    scene.call("a2h_approval_list");
    scene.call("a2h_approval_list");
    CHECK(scene.host.count_of("approval.list") == 2);
}
