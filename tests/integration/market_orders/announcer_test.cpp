// The relay's own part: events that wait to be published, and which of two processes publishes
// them.

#include "market/relay/announcer.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "market/relay/own_agent.h"
#include "market/relay/relay_lease.h"
#include "market/store/agent_store.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;

namespace {

/// A market database of its own with an agent to talk to.
struct Queue {
    test::TempDir dir;
    SystemClock clock;
    std::unique_ptr<market::db::Database> database =
        *market::db::open_sqlite(dir.path() / "market.db");
    market::OwnAgent own = *market::open_own_agent(*database, clock);

    Queue() {
        for (const char* id : {"ag_1", "ag_2"}) {
            market::Agent agent;
            agent.agent_id = id;
            agent.public_key = id;
            REQUIRE(database->write_as<market::Agent>([&](market::db::Transaction& transaction) {
                return market::store::add_agent(transaction, agent);
            }));
        }
    }
    void announce(const std::string& target, int number) {
        REQUIRE(database->write([&](market::db::Transaction& transaction) {
            return market::store::announce(transaction, target, json{{"n", number}}.dump(),
                                           clock.now_ms());
        }));
    }
    std::int64_t waiting() { return *database->read_as<std::int64_t>(market::store::count_events); }
};

}  // namespace

TEST_CASE("an event goes again after a failure and is deleted when it was acknowledged") {
    Queue queue;
    struct Published {
        int number;
        std::string message_id;
        market::Announcer::Done done;
    };
    std::vector<Published> published;
    market::Announcer announcer(
        *queue.database, queue.clock, queue.own,
        [&](const std::string&, const std::string& payload, market::Announcer::Done done) {
            const json envelope = json::parse(payload);
            published.push_back(
                {envelope["payload"]["n"], envelope["message_id"], std::move(done)});
        },
        [] {});
    queue.announce("ag_1", 1);
    queue.announce("ag_1", 2);
    queue.announce("ag_2", 3);
    REQUIRE(announcer.round(false));
    CHECK(published.empty());
    REQUIRE(announcer.round(true));
    // One event for a recipient at a time.
    REQUIRE(published.size() == 2);
    CHECK(published[0].number == 1);
    CHECK(published[1].number == 3);
    published[0].done(fail(ErrorCode::Unavailable, "lost"));
    published[1].done({});
    REQUIRE(announcer.round(true));
    CHECK(queue.waiting() == 2);
    REQUIRE(published.size() == 3);
    CHECK(published[2].number == 1);
    CHECK(published[2].message_id == published[0].message_id);
    published[2].done({});
    REQUIRE(announcer.round(true));
    REQUIRE(published.size() == 4);
    CHECK(published[3].number == 2);
    published[3].done({});
    REQUIRE(announcer.round(true));
    CHECK(queue.waiting() == 0);
    CHECK(published.size() == 4);
    CHECK(announcer.sent() == 3);
}

TEST_CASE("an event that no envelope can hold does not stop the others") {
    Queue queue;
    REQUIRE(queue.database->write([&](market::db::Transaction& transaction) {
        return market::store::announce(transaction, "ag_1", "no object", 1);
    }));
    queue.announce("ag_1", 2);
    int published = 0;
    market::Announcer announcer(
        *queue.database, queue.clock, queue.own,
        [&](const std::string&, const std::string&, const market::Announcer::Done& done) {
            ++published;
            done({});
        },
        [] {});
    for (int i = 0; i < 3; ++i)
        REQUIRE(announcer.round(true));
    CHECK(published == 1);
    CHECK(queue.waiting() == 0);
}

TEST_CASE("only one of two processes with one folder publishes to the broker") {
    Queue queue;
    auto first = *market::RelayLease::open(*queue.database, queue.clock, queue.dir.path());
    auto second = *market::RelayLease::open(*queue.database, queue.clock, queue.dir.path());
    CHECK(first.hold());
    CHECK_FALSE(second.hold());
    CHECK(first.hold());
    first.release();
    CHECK(second.hold());
    CHECK_FALSE(first.hold());
}
