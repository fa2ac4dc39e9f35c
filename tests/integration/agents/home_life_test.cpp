// One real a2hd with many agents, which is killed several times.

#include <doctest/doctest.h>

#include <csignal>
#include <map>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/store/assignment_store.h"
#include "core/store/inbox_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/outbox_store.h"
#include "tests/integration/agents/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// An a2hd with one agent of the owner's own, at a real market.
struct OneHome {
    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account root = market.register_agent("root");
    Daemon daemon{dir.path() / "home", {root}, market.mqtt_url()};

    json spawn(const std::string& parent = "") {
        json arguments{{"role_id", "researcher"}, {"task_brief", brief("Count the words")}};
        if (!parent.empty()) arguments["agent"] = parent;
        return daemon.call_assistant("agent.spawn", arguments.dump());
    }
    json send(const std::string& from, const std::string& to, int number) {
        return daemon.call_assistant("send", json{{"agent", from},
                                                  {"target_agent_id", to},
                                                  {"text", "Note " + std::to_string(number)}}
                                                 .dump());
    }
    std::unique_ptr<store::Database> database() const {
        return store::Database::open(daemon.home() / "a2hd.db", store::Database::Mode::ReadOnly)
            .value();
    }
    /// Kills a2hd after a while; a call in progress then sees the connection end.
    std::jthread kill_after(std::chrono::milliseconds delay) {
        return std::jthread([this, delay] {
            std::this_thread::sleep_for(delay);
            daemon.process().signal(SIGKILL);
        });
    }
    void start_again() {
        daemon.kill();
        daemon.start();
    }
    std::size_t undecided(const std::string& agent_id) {
        return daemon.status(agent_id)["backlog"]["undecided"].get<std::size_t>();
    }
};

bool was_answered(const json& result) {
    return !result.contains("transport");
}

/// Message ids in a mailbox; none may be there twice.
std::set<std::string> ids_in(store::Database& db, const std::string& agent_id,
                             const std::string& peer_id) {
    std::set<std::string> ids;
    for (int page = 1;; ++page) {
        const auto entries = store::history(db, agent_id, peer_id, page, 100);
        REQUIRE(entries);
        for (const HistoryEntry& entry : *entries) {
            if (entry.incoming) CHECK(ids.insert(entry.message_id).second);
        }
        if (entries->size() < 100) return ids;
    }
}

}  // namespace

TEST_CASE_FIXTURE(OneHome, "Fifty agents outlive a restart, each with its task and mailbox") {
    std::set<std::string> ids;
    for (int i = 0; i < 50; ++i) {
        const json made = spawn(i % 3 == 2 ? *ids.begin() : "");
        REQUIRE_MESSAGE(made["ok"] == true, made.dump());
        ids.insert(made["data"]["agent_id"]);
    }
    CHECK(ids.size() == 50);
    daemon.stop();
    daemon.start();
    const json listed = daemon.call_human("agent.list", R"({"limit":100})")["data"];
    CHECK(listed["total"] == 51);
    for (const std::string& id : ids) {
        const json read = daemon.call_assistant("agent.read", json{{"agent", id}}.dump())["data"];
        REQUIRE(read["briefs"].size() == 1);
        CHECK(read["briefs"][0]["text"].get<std::string>().find("Count the words") !=
              std::string::npos);
    }
    CHECK(daemon.status()["agents"].size() == 1);
}

TEST_CASE_FIXTURE(OneHome, "Killed while agents are made, none is lost, doubled or half there") {
    std::set<std::string> told;
    for (int life = 0; life < 12; ++life) {
        auto killer = kill_after(std::chrono::milliseconds(20 + 35 * life));
        for (bool alive = true; alive;) {
            const json made = spawn();
            alive = was_answered(made);
            if (alive && made["ok"] == true) told.insert(made["data"]["agent_id"]);
        }
        killer.join();
        start_again();
    }
    const auto db = database();
    std::set<std::string> stored;
    const auto agents = store::list_local_agents(*db);
    for (const LocalAgent& agent : *agents) {
        stored.insert(agent.agent_id);
        CHECK(ids_in(*db, agent.agent_id, root.agent_id).size() == 1);
        const auto live = store::live_assignments(*db, agent.agent_id);
        REQUIRE(live->size() == 1);
        CHECK(store::get_assignment(*db, root.agent_id, live->at(0).task_id)->has_value());
    }
    CHECK(told.size() > 12);
    for (const std::string& id : told)
        CHECK(stored.contains(id));
    CHECK(stored.size() <= told.size() + 12);
    MESSAGE(told.size() << " told and " << stored.size() << " stored in 12 lives");
}

TEST_CASE_FIXTURE(OneHome, "Killed while agents talk, every message arrives, and once") {
    const std::string one = spawn()["data"]["agent_id"];
    const std::string other = spawn()["data"]["agent_id"];
    std::set<std::string> told;
    int number = 0;
    for (int life = 0; life < 12; ++life) {
        auto killer = kill_after(std::chrono::milliseconds(20 + 35 * life));
        for (bool alive = true; alive;) {
            const json sent = send(one, other, ++number);
            alive = was_answered(sent);
            if (!alive) continue;
            REQUIRE_MESSAGE(sent["ok"] == true, sent.dump());
            told.insert(sent["data"]["message_id"]);
        }
        killer.join();
        start_again();
    }
    REQUIRE(eventually([&] { return undecided(other) == 0; }));
    REQUIRE(eventually([&] { return daemon.status(one)["backlog"]["queued"] == 0; }));
    const auto db = database();
    const auto arrived = ids_in(*db, other, one);
    for (const std::string& id : told)
        CHECK(arrived.contains(id));
    const auto sent = store::list_outbox(*db, one, OutboxState::Delivered, 100'000);
    CHECK(sent->size() == arrived.size());
    CHECK(told.size() > 12);
    CHECK(daemon.call_human("approval.list", json{{"agent", other}}.dump())["data"]["approvals"]
              .empty());
    MESSAGE(told.size() << " told and " << arrived.size() << " arrived in 12 lives");
}
