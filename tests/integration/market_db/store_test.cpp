#include <doctest/doctest.h>

#include "market/store/agent_profile_store.h"
#include "market/store/agent_store.h"
#include "market/store/works_search.h"
#include "tests/integration/market_db/place.h"
#include "tests/support/told_progress.h"

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
    test::Place place{test::each_dialect()};
    std::unique_ptr<db::Database> database = place.open();

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
        const auto look_up = query.phrases.empty() ? store::list_works : store::search_works;
        const auto rows = database->read_as<std::vector<Works>>(
            [&](db::Transaction& transaction) { return look_up(transaction, query); });
        REQUIRE(rows);
        Ids ids;
        for (const Works& row : *rows)
            ids.push_back(row.works_id);
        return ids;
    }
    Ids search(std::string_view text) {
        WorksQuery query;
        query.phrases = search::query_phrases(text);
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
    stored.add(works("w2", "吉他 100% lessons", kNow + 1));
    CHECK(stored.search("电脑") == Ids{"w1"});
    CHECK(stored.search("脑") == Ids{"w1"});
    CHECK(stored.search("修电脑") == Ids{"w1"});
    CHECK(stored.search("修脑").empty());
    CHECK(stored.search("LAPTOP 上门") == Ids{"w1"});
    CHECK(stored.search("laptop 吉他").empty());
    CHECK(stored.search("内容") == Ids{"w2", "w1"});
    CHECK(stored.search("100") == Ids{"w2"});
    CHECK(stored.search("'; drop table works; --").empty());
    CHECK(stored.search("\" OR title : \"").empty());
}

TEST_CASE("posts with all words in the title come first, the freshest first within") {
    Stored stored;
    stored.add(works("w1", "tea"));
    Works mentions = works("w2", "cups", kNow + 1);
    mentions.content = "for tea";
    stored.add(mentions);
    stored.add(works("w3", "green tea", kNow + 2));
    CHECK(stored.search("tea") == Ids{"w3", "w1", "w2"});
    WorksQuery page;
    page.phrases = search::query_phrases("tea");
    page.limit = 1;
    for (const auto& id : Ids{"w3", "w1", "w2"}) {
        CHECK(stored.found(page) == Ids{id});
        ++page.offset;
    }
    CHECK(stored.found(page).empty());
    page.offset = store::kSearchDepthMax;
    CHECK(stored.found(page).empty());
}

TEST_CASE("a changed post is the freshest, and found by its new words only") {
    Stored stored;
    stored.add(works("w1", "green tea"));
    stored.add(works("w2", "black tea", kNow + 1));
    Works changed = works("w1", "white tea");
    REQUIRE(stored.update(changed));
    CHECK(stored.search("tea") == Ids{"w1", "w2"});
    CHECK(stored.search("green").empty());
    CHECK(stored.search("white") == Ids{"w1"});
    REQUIRE(stored.remove("w1", "ag_1"));
    CHECK(stored.search("white").empty());
}

TEST_CASE("a search keeps to an owner and a kind, and leaves out revoked agents") {
    Stored stored;
    stored.add(agent("ag_2", "pk2"));
    stored.add(works("w1", "tea"));
    Works wanted = works("w2", "tea");
    wanted.agent_id = "ag_2";
    wanted.type = 2;
    stored.add(wanted);
    WorksQuery query;
    query.phrases = search::query_phrases("tea");
    query.type = 3;
    CHECK(stored.found(query) == Ids{"w1"});
    query.type = std::nullopt;
    query.agent_id = "ag_2";
    CHECK(stored.found(query) == Ids{"w2"});
    query.agent_id = "AG_2";
    CHECK(stored.found(query).empty());
    REQUIRE(stored.revoke("ag_1", kNow));
    CHECK(stored.search("tea") == Ids{"w2"});
}

TEST_CASE("posts from before the index are put into it") {
    Stored stored;
    stored.add(works("w1", "tea"));
    REQUIRE(stored.database->write([](db::Transaction& transaction) -> Result<void> {
        A2H_TRY(store::unindex_works(transaction, works("w1", "tea")));
        const auto changed = transaction.execute("update works set freshness = 0", {});
        return changed ? Result<void>() : fail(changed.error());
    }));
    CHECK(stored.search("tea").empty());
    test::ToldProgress progress;
    REQUIRE(store::index_missing_works(*stored.database, progress));
    CHECK(progress.told.front() == "progress.index 0/1");
    CHECK(progress.told.back() == "end");
    CHECK(stored.search("tea") == Ids{"w1"});
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

TEST_CASE("reading profiles after the last row misses no change of the same moment") {
    Stored stored;
    stored.add(agent("ag_2", "pk2"));
    const auto save = [&](const std::string& id, UnixMs now_ms) {
        AgentProfile profile;
        profile.agent_id = id;
        REQUIRE(stored.database->write([&](db::Transaction& transaction) {
            return store::save_agent_profile(transaction, profile, now_ms);
        }));
    };
    const auto behind = [&](const AgentProfile& last) {
        return *stored.database->read_as<std::vector<AgentProfile>>(
            [&](db::Transaction& transaction) {
                return store::list_agent_profiles(
                    transaction,
                    {.updated_after_ms = last.updated_at_ms, .after_id = last.agent_id});
            });
    };
    save("ag_2", kNow);
    auto read = behind({});
    REQUIRE(read.size() == 1);
    CHECK(read[0].updated_at_ms == kNow);
    save("ag_1", kNow);  // a smaller id at the same moment
    read = behind(read[0]);
    REQUIRE(read.size() == 1);
    CHECK(read[0].agent_id == "ag_1");
    save("ag_1", kNow - 5'000);  // the clock was set back
    read = behind(read[0]);
    REQUIRE(read.size() == 1);
    CHECK(read[0].agent_id == "ag_1");
    REQUIRE(stored.database->write([&](db::Transaction& transaction) {
        return store::touch_agent_profile(transaction, "ag_2", kNow);
    }));
    read = behind(read[0]);
    REQUIRE(read.size() == 1);
    CHECK(read[0].agent_id == "ag_2");
    CHECK(behind(read[0]).empty());
    save("ag_1", kNow + 60'000);
    CHECK(behind(read[0])[0].updated_at_ms == kNow + 60'000);
}
