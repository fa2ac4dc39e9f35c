#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/setting_store.h"
#include "core/store/writer.h"
#include "tests/support/process.h"
#include "tests/unit/store/quota_vfs.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::QuotaVfs;
using a2h::test::sample_message;
using a2h::test::StoreFixture;
using store::Database;
using store::Writer;

namespace {

Writer::Work receive(const std::string& message_id, const std::string& peer = "ag_peer") {
    return [message_id, peer](Database& db) -> Result<void> {
        InboxMessage message = sample_message(message_id, peer);
        message.envelope_json = std::string(3'000, 'e');
        const auto inserted = store::insert_inbox(db, message);
        return inserted ? Result<void>{} : fail(inserted.error());
    };
}

/// The database of each test is opened through the quota: it must be there first.
class QuotaFixture : private QuotaVfs, public StoreFixture {
  public:
    QuotaVfs& disk() { return *this; }
};

std::set<std::string> stored_ids(Database& db, const std::string& peer = "ag_peer") {
    std::set<std::string> ids;
    for (int page = 1;; ++page) {
        const auto found = store::history(db, "ag_me", peer, page, 100);
        REQUIRE(found.has_value());
        for (const auto& entry : *found)
            REQUIRE(ids.insert(entry.message_id).second);
        if (found->size() < 100) return ids;
    }
}

/// Receives without end and writes each message's number to `out` once it is reported as stored.
[[noreturn]] void receive_until_killed(const std::filesystem::path& path, const std::string& peer,
                                       int out) {
    Writer writer(std::move(*Database::open(path, Database::Mode::ReadWrite)));
    for (int number = 0;; ++number) {
        const bool urgent = number % 10 == 0;
        std::promise<void> told;
        writer.submit(urgent ? Writer::Priority::Urgent : Writer::Priority::Grouped,
                      receive(std::to_string(number), peer),
                      [number, out, urgent, &told](const Result<void>& result) {
                          const bool written =
                              ::write(out, &number, sizeof number) == sizeof number;
                          if (!result || !written) ::_exit(1);
                          if (urgent) told.set_value();
                      });
        if (urgent) told.get_future().get();
    }
}

/// One child, killed after `alive`; everything that it reported was stored.
std::set<std::string> run_and_kill(const std::filesystem::path& path, const std::string& peer,
                                   std::chrono::microseconds alive) {
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) receive_until_killed(path, peer, pipe[1]);
    ::close(pipe[1]);
    std::this_thread::sleep_for(alive);
    ::kill(child, SIGKILL);
    std::set<std::string> told;
    for (int number = 0; ::read(pipe[0], &number, sizeof number) == sizeof number;)
        told.insert(std::to_string(number));
    ::close(pipe[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    return told;
}

}  // namespace

TEST_CASE_FIXTURE(QuotaFixture, "A commit is flushed before it is reported") {
    Writer writer(take());
    for (int i = 0; i < 10; ++i) {
        const std::int64_t before = disk().flushes();
        REQUIRE(writer.submit_urgent(receive(std::to_string(i))).get().has_value());
        CHECK(disk().flushes() > before);
    }
}

TEST_CASE_FIXTURE(QuotaFixture, "A full disk is ResourceExhausted until there is space again") {
    Writer writer(take());
    REQUIRE(writer.submit_urgent(receive("before")).get().has_value());
    disk().set_free_bytes(50'000);
    std::set<std::string> told{"before"};
    Result<void> result;
    for (int i = 0; i < 100 && result; ++i) {
        const std::string id = "m" + std::to_string(i);
        result = writer.submit_urgent(receive(id)).get();
        if (result) told.insert(id);
    }
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::ResourceExhausted);
    CHECK(writer.last_failure().find("full") != std::string::npos);
    CHECK(stored_ids(*open(Database::Mode::ReadOnly)) == told);

    disk().set_free_bytes(-1);
    CHECK(writer.submit_urgent(receive("after")).get().has_value());
    CHECK(writer.last_failure().empty());
    told.insert("after");
    CHECK(stored_ids(*open(Database::Mode::ReadOnly)) == told);
}

TEST_CASE_FIXTURE(QuotaFixture,
                  "On a full disk every job of a group fails with that error, and none is stored") {
    disk().set_free_bytes(100'000);
    std::set<std::string> told;
    std::atomic<int> failed = 0;
    {
        Writer writer(take());
        for (int i = 0; i < 500; ++i) {
            const std::string id = std::to_string(i);
            writer.submit(Writer::Priority::Grouped, receive(id),
                          [&told, &failed, id](const Result<void>& result) {
                              if (result) told.insert(id);
                              if (!result) ++failed;
                          });
        }
    }
    CHECK(failed > 0);
    CHECK(told.size() + static_cast<std::size_t>(failed.load()) == 500);
    CHECK(stored_ids(*open(Database::Mode::ReadOnly)) == told);
}

TEST_CASE_FIXTURE(QuotaFixture, "A device that cannot flush is Unavailable until it can") {
    Writer writer(take());
    REQUIRE(writer.submit_urgent(receive("before")).get().has_value());
    disk().set_flush_fails(true);
    const auto result = writer.submit_urgent(receive("unflushed")).get();
    CHECK(result.error().code == ErrorCode::Unavailable);
    disk().set_flush_fails(false);
    CHECK(writer.submit_urgent(receive("after")).get().has_value());
    CHECK(stored_ids(*open(Database::Mode::ReadOnly)) == std::set<std::string>{"before", "after"});
}

TEST_CASE("A database that cannot be created for lack of space says so") {
    QuotaVfs disk;
    disk.set_free_bytes(10'000);
    const test::TempDir dir;
    const auto opened = Database::open(dir.path() / "agent.db", Database::Mode::ReadWrite);
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().code == ErrorCode::ResourceExhausted);
    disk.set_free_bytes(-1);
    CHECK(Database::open(dir.path() / "agent.db", Database::Mode::ReadWrite).has_value());
}

TEST_CASE_FIXTURE(
    StoreFixture,
    "After SIGKILL at 60 moments everything that was reported as stored is there, once") {
    constexpr int kKills = 60;
    take().reset();
    std::mt19937 random(20'251'009);
    std::uniform_int_distribution<int> alive_us(2'000, 60'000);
    std::size_t told_in_all = 0;
    std::size_t stored_in_all = 0;
    for (int kill = 0; kill < kKills; ++kill) {
        const std::string peer = "ag_kill" + std::to_string(kill);
        const auto told = run_and_kill(
            path(), peer, test::kSlowdown * std::chrono::microseconds(alive_us(random)));
        const auto db = open();
        const auto stored = stored_ids(*db, peer);
        REQUIRE(std::includes(stored.begin(), stored.end(), told.begin(), told.end()));
        told_in_all += told.size();
        stored_in_all += stored.size();
        CHECK(*store::count_pending_jobs(*db, "ag_me") == static_cast<std::int64_t>(stored_in_all));
        CHECK(store::inbox_counts(*db, "ag_me")->accepted ==
              static_cast<std::int64_t>(stored_in_all));
    }
    MESSAGE(told_in_all, " told and ", stored_in_all, " stored in ", kKills, " lives");
    CHECK(told_in_all > 0);
    SQLite::Database check(path().string(), SQLite::OPEN_READONLY);
    CHECK(check.execAndGet("pragma integrity_check").getString() == "ok");
    CHECK_FALSE(SQLite::Statement(check, "pragma foreign_key_check").executeStep());
}
