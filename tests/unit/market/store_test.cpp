#include <doctest/doctest.h>

#include "market/store/agent_store.h"
#include "market/store/works_store.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::market;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

using Ids = std::vector<std::string>;

Agent agent(const std::string& id, const std::string& public_key) {
    Agent made;
    made.agent_id = id;
    made.name = "Ann";
    made.agent_key = "key-of-" + id;
    made.key_id = "kid";
    made.public_key = public_key;
    made.created_at_ms = kNow;
    return made;
}

Works works(const std::string& id, const std::string& title, UnixMs created_at_ms = kNow) {
    Works made;
    made.works_id = id;
    made.agent_id = "ag_1";
    made.type = 3;
    made.title = title;
    made.content = "内容 content of " + title;
    made.created_at_ms = created_at_ms;
    made.updated_at_ms = created_at_ms;
    return made;
}

/// A market with one agent, ag_1, and the store's functions by their names.
struct Stored {
    test::TempDir dir;
    std::unique_ptr<db::Database> database = *db::open_sqlite(dir.path() / "market.db");

    Stored() { add(agent("ag_1", "pk1")); }

    Agent add(const Agent& each) {
        return *database->write_as<Agent>(
            [&](db::Transaction& transaction) { return store::add_agent(transaction, each); });
    }
    void add(const Works& each) {
        REQUIRE(database->write(
            [&](db::Transaction& transaction) { return store::add_works(transaction, each); }));
    }
    std::optional<Agent> find_agent(const std::string& id) {
        return *database->read_as<std::optional<Agent>>(
            [&](db::Transaction& transaction) { return store::find_agent(transaction, id); });
    }
    std::optional<Works> find_works(const std::string& id) {
        return *database->read_as<std::optional<Works>>(
            [&](db::Transaction& transaction) { return store::find_works(transaction, id); });
    }
    Result<void> revoke(const std::string& id, UnixMs now_ms) {
        return database->write([&](db::Transaction& transaction) {
            return store::revoke_agent(transaction, id, now_ms);
        });
    }
    Result<void> remove(const std::string& id, const std::string& owner) {
        return database->write([&](db::Transaction& transaction) {
            return store::delete_works(transaction, id, owner);
        });
    }
    Result<void> update(const Works& each) {
        return database->write(
            [&](db::Transaction& transaction) { return store::update_works(transaction, each); });
    }
    Ids found(const WorksQuery& query) {
        const auto rows = database->read_as<std::vector<Works>>(
            [&](db::Transaction& transaction) { return store::list_works(transaction, query); });
        REQUIRE(rows);
        Ids ids;
        for (const Works& row : *rows)
            ids.push_back(row.works_id);
        return ids;
    }
    Ids search(std::vector<std::string> words) {
        WorksQuery query;
        query.words = std::move(words);
        return found(query);
    }
};

}  // namespace

TEST_CASE("the same public key is the same agent") {
    Stored stored;
    const Agent again = stored.add(agent("ag_2", "pk1"));
    CHECK(again.agent_id == "ag_1");
    CHECK(again.agent_key == "key-of-ag_1");
    CHECK_FALSE(stored.find_agent("ag_2"));
}

TEST_CASE("a revoked agent is listed, stays revoked, and its posts are not found") {
    Stored stored;
    stored.add(works("w1", "title"));
    REQUIRE(stored.revoke("ag_1", kNow));
    REQUIRE(stored.revoke("ag_1", kNow + 1));
    CHECK(stored.find_agent("ag_1")->revoked);
    CHECK(*stored.database->read_as<Ids>(store::revoked_agents) == Ids{"ag_1"});
    CHECK(stored.found({}).empty());
    CHECK(stored.revoke("ag_9", kNow).error().code == ErrorCode::NotFound);
}

TEST_CASE("posts are found by words of title or content, Chinese ones of two characters too") {
    Stored stored;
    stored.add(works("w1", "上门修电脑 Laptop Repair"));
    stored.add(works("w2", "吉他 100% lessons_ a\\b", kNow + 1));
    CHECK(stored.search({"电脑"}) == Ids{"w1"});
    CHECK(stored.search({"laptop", "上门"}) == Ids{"w1"});
    CHECK(stored.search({"laptop", "吉他"}).empty());
    CHECK(stored.search({"内容"}) == Ids{"w2", "w1"});
    CHECK(stored.search({"0%"}) == Ids{"w2"});
    CHECK(stored.search({"%"}) == Ids{"w2"});
    CHECK(stored.search({"s_"}) == Ids{"w2"});
    CHECK(stored.search({"a\\b"}) == Ids{"w2"});
    CHECK(stored.search({"'; drop table works; --"}).empty());
}

TEST_CASE("pages never overlap when many posts have the same time") {
    Stored stored;
    for (int i = 0; i < 5; ++i)
        stored.add(works("w" + std::to_string(i), "t"));
    WorksQuery query;
    query.limit = 2;
    CHECK(stored.found(query) == Ids{"w0", "w1"});
    query.offset = 2;
    CHECK(stored.found(query) == Ids{"w2", "w3"});
    query.offset = 4;
    CHECK(stored.found(query) == Ids{"w4"});
}

TEST_CASE("only the owner changes and deletes a post") {
    Stored stored;
    stored.add(agent("ag_2", "pk2"));
    stored.add(works("w1", "before"));
    Works changed = works("w1", "after");
    changed.agent_id = "ag_2";
    CHECK(stored.update(changed).error().code == ErrorCode::NotFound);
    CHECK(stored.find_works("w1")->title == "before");
    changed.agent_id = "ag_1";
    CHECK(stored.update(changed));
    CHECK(stored.find_works("w1")->title == "after");
    CHECK(stored.remove("w1", "ag_2").error().code == ErrorCode::NotFound);
    CHECK(stored.remove("w1", "ag_1"));
    CHECK_FALSE(stored.find_works("w1"));
}
