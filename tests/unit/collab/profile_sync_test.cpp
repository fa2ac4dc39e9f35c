#include "daemon/collab/profile_sync.h"

#include <doctest/doctest.h>

#include <future>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/store/open_matter_store.h"
#include "core/store/profile_store.h"
#include "daemon/collab/profile_file.h"
#include "tests/support/fake_platform.h"
#include "tests/support/identity.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr UnixMs kSyncedAt = 1'760'000'000'000;
const std::string kProfiles = "GET /v1/profiles";

json item(const std::string& agent_id, UnixMs updated_at_ms) {
    return {{"agent_id", agent_id},
            {"user_name", "Name"},
            {"tags", {"tea"}},
            {"is_active", true},
            {"updated_at_ms", updated_at_ms}};
}

/// Every profile of somebody called "To us" speaks to this home.
struct WordsToUs final : collab::ProfileWords {
    Finder finder(const Agent&) const override {
        return [](const json& profiles) {
            std::vector<store::SeenOffer> found;
            for (const json& each : profiles) {
                if (each["user_name"] != "To us") continue;
                found.push_back({each["agent_id"], "agent_id", each["agent_id"]});
            }
            return found;
        };
    }
};

/// A sync on a real database with a loop of its own, and a market with scripted answers.
struct SyncScene {
    test::TempDir dir;
    test::FakePlatform platform{kSyncedAt};
    ManualClock clock{kSyncedAt};
    Loop loop;
    std::unique_ptr<store::Writer> writer = std::make_unique<store::Writer>(
        store::Database::open(dir.path() / "a2hd.db", store::Database::Mode::ReadWrite).value());
    std::unique_ptr<store::Database> reader =
        store::Database::open(dir.path() / "a2hd.db", store::Database::Mode::ReadOnly).value();
    Workers workers{1};
    kernel::Kernel kernel{clock, loop, *writer, *reader, workers};
    Agent agent{test::identity_of(platform.account().agent_id), 0U};
    WordsToUs words;
    collab::ProfileSync sync{kernel, words};
    std::thread thread;

    SyncScene() {
        agent.identity.account = platform.account();
        agent.platform = std::make_unique<platform::Client>(platform.http(), platform.clock(),
                                                            platform.account());
        thread = std::thread([this] { loop.run(); });
    }
    ~SyncScene() {
        loop.stop();
        thread.join();
    }

    /// Refreshes `times` at once, waits for all, and answers how many market profiles there are.
    std::int64_t known_after_refresh(int times = 1) {
        std::promise<std::int64_t> known;
        loop.post([&, left = std::make_shared<int>(times)] {
            for (int i = 0; i < times; ++i) {
                sync.refresh(agent, [&, left] {
                    if (--*left == 0) known.set_value(*store::count_profiles(*reader, "market"));
                });
            }
        });
        return known.get_future().get();
    }
};

}  // namespace

TEST_CASE("A market without profiles is no error, and the caller continues") {
    SyncScene scene;
    scene.platform.refuse(kProfiles, 404, "404");
    CHECK(scene.known_after_refresh() == 0);
    scene.platform.refuse(kProfiles, 500, "500");
    CHECK(scene.known_after_refresh() == 0);
    scene.agent.is_registered = false;
    CHECK(scene.known_after_refresh() == 0);
    CHECK(scene.platform.count(kProfiles) >= 2);
}

TEST_CASE("A poll asks for changes since a minute before the last known change") {
    SyncScene scene;
    scene.platform.answer(kProfiles, {{"items", {item("ag_a", 100'000)}}, {"more", false}});
    CHECK(scene.known_after_refresh() == 1);
    scene.platform.answer(kProfiles, {{"items", {item("ag_b", 200'000)}}, {"more", false}});
    CHECK(scene.known_after_refresh() == 2);
    const auto seen = scene.platform.seen();
    CHECK(seen.front().call == kProfiles + "?page_size=100&updated_after=0");
    CHECK(seen.back().call == kProfiles + "?page_size=100&updated_after=40000");
}

TEST_CASE("A profile with an invalid time is left out, and the next poll asks as before") {
    SyncScene scene;
    for (const UnixMs no_time : {std::numeric_limits<UnixMs>::min(), UnixMs{-1}, kTimeMaxMs + 1}) {
        scene.platform.answer(kProfiles, {{"items", {item("ag_a", no_time)}}, {"more", false}});
        CHECK(scene.known_after_refresh() == 0);
        CHECK(scene.platform.seen().back().call == kProfiles + "?page_size=100&updated_after=0");
    }
}

TEST_CASE("R46: words of a profile to this home are recorded before the refresh is done") {
    SyncScene scene;
    json speaks = item("ag_a", 100'000);
    speaks["user_name"] = "To us";
    scene.platform.answer(kProfiles, {{"items", {speaks, item("ag_b", 100'001)}}, {"more", false}});
    CHECK(scene.known_after_refresh() == 2);
    const auto heard = [&](const char* id) {
        return store::agents_that_heard(*scene.reader, id).value();
    };
    CHECK(heard("ag_a") == std::vector{scene.agent.identity.account.agent_id});
    CHECK(heard("ag_b").empty());
}

TEST_CASE("The last free places are kept for new profiles, not changed ones") {
    SyncScene scene;
    {
        const auto db =
            store::Database::open(scene.dir.path() / "a2hd.db", store::Database::Mode::ReadWrite)
                .value();
        std::vector<store::KeyedProfile> many(collab::kProfilesMax - 1);
        for (std::size_t i = 0; i < many.size(); ++i) {
            many[i].profile.agent_id = "ag_" + std::to_string(i);
            many[i].profile.source = "market";
        }
        REQUIRE(db->begin());
        REQUIRE(store::save_profiles(*db, many));
        REQUIRE(db->commit());
    }
    const json items{item("ag_0", 1), item("ag_new", 2), item("ag_too_many", 3)};
    scene.platform.answer(kProfiles, {{"items", items}, {"more", false}});
    CHECK(scene.known_after_refresh() == collab::kProfilesMax);
    CHECK(store::get_profile(*scene.reader, "ag_new").value());
}

TEST_CASE("Simultaneous requests share one answer") {
    SyncScene scene;
    scene.platform.answer(kProfiles, {{"items", {item("ag_a", 1)}}, {"more", false}});
    CHECK(scene.known_after_refresh(3) == 1);
    CHECK(scene.platform.count(kProfiles) == 1);
}

TEST_CASE("Pages without progress and invalid profiles are refused") {
    SyncScene scene;
    scene.platform.answer(kProfiles, {{"items", {item("ag_a", 5)}}, {"more", true}});
    CHECK(scene.known_after_refresh() == 0);
    CHECK(scene.platform.count(kProfiles) == 2);
    scene.platform.answer(kProfiles, {{"items", {{{"agent_id", "ag_x"}}}}, {"more", false}});
    CHECK(scene.known_after_refresh() == 0);
    json nameless = item("ag_b", 6);
    nameless.erase("user_name");
    scene.platform.answer(kProfiles, {{"items", {nameless, item("ag_c", 7)}}, {"more", false}});
    CHECK(scene.known_after_refresh() == 1);
}
