#include "core/store/writer.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "core/store/inbox_store.h"
#include "core/store/setting_store.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_message;
using a2h::test::StoreFixture;
using store::Database;
using store::Writer;

namespace {

Writer::Work put(std::string key, std::string value = "1") {
    return [key = std::move(key), value = std::move(value)](Database& db) {
        return store::put_setting(db, "", key, value);
    };
}

bool has(Database& db, const std::string& key) {
    const auto found = store::get_setting(db, "", key);
    REQUIRE(found.has_value());
    return found->has_value();
}

/// Stands in a commit until it is opened, so that a test decides what waits behind it.
class Gate {
  public:
    Result<void> pass() {
        std::unique_lock lock(mutex_);
        ++entered_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
        return {};
    }
    void wait_until_entered() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return entered_ > 0; });
    }
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int entered_ = 0;
    bool open_ = false;
};

/// Collects results in the order in which they are reported.
class Results {
  public:
    Writer::Done as(std::string name) {
        return [this, name = std::move(name)](const Result<void>& result) {
            const std::lock_guard lock(mutex_);
            told_ += name + (result ? " " : "! ");
        };
    }
    std::string told() const {
        const std::lock_guard lock(mutex_);
        return told_;
    }

  private:
    mutable std::mutex mutex_;
    std::string told_;
};

}  // namespace

TEST_CASE_FIXTURE(StoreFixture,
                  "A write that is reported as done can be read by another connection") {
    Writer writer(take());
    const auto reader = open(Database::Mode::ReadOnly);
    for (int i = 0; i < 20; ++i) {
        const std::string key = "k" + std::to_string(i);
        CHECK(writer.submit_urgent(put(key)).get().has_value());
        CHECK(has(*reader, key));
    }
    CHECK(writer.last_commit_us() > 0);
    CHECK(writer.last_failure().empty());
}

TEST_CASE_FIXTURE(StoreFixture, "Nothing is reported before the commit") {
    Gate gate;
    Results results;
    const auto reader = open(Database::Mode::ReadOnly);
    {
        Writer writer(take());
        writer.set_commit_gate([&] { return gate.pass(); });
        writer.submit(Writer::Priority::Urgent, put("a"), results.as("a"));
        gate.wait_until_entered();
        CHECK(results.told().empty());
        CHECK_FALSE(has(*reader, "a"));
        gate.open();
    }
    CHECK(results.told() == "a ");
    CHECK(has(*reader, "a"));
}

TEST_CASE_FIXTURE(
    StoreFixture,
    "The callback runs after a group, stored or not, and before any result is reported") {
    std::atomic<int> groups = 0;
    std::atomic<int> commits = 0;
    Writer writer(take(), [&](const Writer::GroupEnd& end) {
        ++groups;
        CHECK_FALSE(end.failed);
        if (end.took) ++commits;
    });
    const auto groups_when_told = [&](Writer::Work work) {
        std::promise<int> told;
        auto seen = told.get_future();
        writer.submit(Writer::Priority::Urgent, std::move(work),
                      [&](const Result<void>&) { told.set_value(groups); });
        return seen.get();
    };
    CHECK(groups_when_told(put("a")) == 1);
    CHECK(groups_when_told(
              [](Database&) -> Result<void> { return fail(ErrorCode::Conflict, "no"); }) == 2);
    CHECK(commits == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "A commit that the disk refused is reported as refused") {
    std::promise<Writer::GroupEnd> ended;
    Writer writer(take(), [&](const Writer::GroupEnd& end) { ended.set_value(end); });
    writer.set_commit_gate([] { return fail(ErrorCode::ResourceExhausted, "full"); });
    CHECK(!writer.submit_urgent(put("a")).get());
    const Writer::GroupEnd end = ended.get_future().get();
    CHECK(end.failed);
    CHECK_FALSE(end.took);
}

TEST_CASE_FIXTURE(StoreFixture, "Waiting jobs are one commit, urgent jobs first") {
    Gate gate;
    Results results;
    std::atomic<int> commits = 0;
    {
        Writer writer(take());
        writer.set_commit_gate([&] {
            ++commits;
            return gate.pass();
        });
        writer.submit(Writer::Priority::Urgent, put("first"), results.as("first"));
        gate.wait_until_entered();
        writer.submit(Writer::Priority::Background, put("b1"), results.as("b1"));
        writer.submit(Writer::Priority::Grouped, put("g1"), results.as("g1"));
        writer.submit(Writer::Priority::Urgent, put("u1"), results.as("u1"));
        writer.submit(Writer::Priority::Grouped, put("g2"), results.as("g2"));
        writer.submit(Writer::Priority::Urgent, put("u2"), results.as("u2"));
        CHECK(writer.backlog() == 5);
        gate.open();
    }
    CHECK(results.told() == "first u1 u2 g1 g2 b1 ");
    CHECK(commits == 2);
}

TEST_CASE_FIXTURE(StoreFixture, "A background job is written without company too") {
    std::promise<Result<void>> told;
    Writer writer(take());
    writer.submit(Writer::Priority::Background, put("alone"),
                  [&](Result<void> result) { told.set_value(std::move(result)); });
    CHECK(told.get_future().get().has_value());
    CHECK(has(*open(Database::Mode::ReadOnly), "alone"));
}

TEST_CASE_FIXTURE(StoreFixture, "A job that fails undoes itself and nothing else of its group") {
    Gate gate;
    Results results;
    {
        Writer writer(take());
        writer.set_commit_gate([&] { return gate.pass(); });
        writer.submit(Writer::Priority::Urgent, put("first"), results.as("first"));
        gate.wait_until_entered();
        writer.submit(Writer::Priority::Urgent, put("before"), results.as("before"));
        writer.submit(
            Writer::Priority::Urgent,
            [](Database& db) -> Result<void> {
                A2H_TRY(store::put_setting(db, "", "undone", "1"));
                return fail(ErrorCode::Conflict, "somebody was first");
            },
            results.as("failed"));
        writer.submit(Writer::Priority::Urgent, put("after"), results.as("after"));
        gate.open();
    }
    CHECK(results.told() == "first before failed! after ");
    const auto reader = open(Database::Mode::ReadOnly);
    CHECK(has(*reader, "before"));
    CHECK_FALSE(has(*reader, "undone"));
    CHECK(has(*reader, "after"));
}

TEST_CASE_FIXTURE(StoreFixture, "A job alone that breaks a rule is no failure of the disk") {
    Writer writer(take());
    const auto result = writer
                            .submit_urgent([](Database& db) -> Result<void> {
                                A2H_TRY(store::put_setting(db, "", "undone", "1"));
                                return fail(ErrorCode::Conflict, "somebody was first");
                            })
                            .get();
    CHECK(result.error().code == ErrorCode::Conflict);
    CHECK(writer.last_failure().empty());
    const auto reader = open(Database::Mode::ReadOnly);
    CHECK_FALSE(has(*reader, "undone"));
}

TEST_CASE_FIXTURE(StoreFixture, "A failing commit fails its jobs, and the next one works") {
    Writer writer(take());
    writer.set_commit_gate(
        []() -> Result<void> { return fail(ErrorCode::ResourceExhausted, "disk full"); });
    const auto failed = writer.submit_urgent(put("lost")).get();
    CHECK(failed.error().code == ErrorCode::ResourceExhausted);
    CHECK(writer.last_failure() == "disk full");
    writer.set_commit_gate({});
    CHECK(writer.submit_urgent(put("kept")).get().has_value());
    CHECK(writer.last_failure().empty());
    const auto reader = open(Database::Mode::ReadOnly);
    CHECK_FALSE(has(*reader, "lost"));
    CHECK(has(*reader, "kept"));
}

TEST_CASE_FIXTURE(StoreFixture, "A full queue answers at once") {
    Gate gate;
    Writer writer(take());
    writer.set_commit_gate([&] { return gate.pass(); });
    auto first = writer.submit_urgent(put("first"));
    gate.wait_until_entered();
    for (std::size_t i = 0; i < Writer::kQueueJobsMax; ++i)
        writer.submit(Writer::Priority::Grouped, [](Database&) { return Result<void>{}; }, {});
    CHECK(writer.submit_urgent(put("one more")).get().error().code == ErrorCode::ResourceExhausted);
    gate.open();
    CHECK(first.get().has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "Ending the writer finishes what was queued") {
    Results results;
    {
        Writer writer(take());
        for (int i = 0; i < 2'000; ++i)
            writer.submit(Writer::Priority::Grouped, put("k" + std::to_string(i)), {});
        writer.submit(Writer::Priority::Grouped, put("last"), results.as("last"));
    }
    CHECK(results.told() == "last ");
    CHECK(has(*open(Database::Mode::ReadOnly), "last"));
}

TEST_CASE_FIXTURE(StoreFixture, "Many threads write without losing or doubling anything") {
    constexpr int kThreads = 8;
    constexpr int kEach = 200;
    {
        Writer writer(take());
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([&writer, t] {
                for (int i = 0; i < kEach; ++i) {
                    const auto work = [t, i](Database& db) -> Result<void> {
                        const auto inserted = store::insert_inbox(
                            db, sample_message(std::to_string(t) + "." + std::to_string(i)));
                        return inserted ? Result<void>{} : fail(inserted.error());
                    };
                    if (i % 3 == 0) {
                        if (!writer.submit_urgent(work).get()) std::abort();
                    } else {
                        writer.submit(Writer::Priority::Grouped, work, {});
                    }
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
    }
    CHECK(store::inbox_counts(*open(Database::Mode::ReadOnly), "ag_me")->accepted ==
          kThreads * kEach);
}

TEST_CASE_FIXTURE(StoreFixture, "The log does not grow with the number of commits") {
    {
        Writer writer(take());
        const std::string value(20'000, 'v');
        for (int i = 0; i < 2'000; ++i)
            REQUIRE(writer.submit_urgent(put("same", value)).get().has_value());
        CHECK(std::filesystem::file_size(path().string() + "-wal") < 20u << 20u);
    }
}
