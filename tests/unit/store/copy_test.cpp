#include "core/store/copy.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "core/store/inbox_store.h"
#include "core/store/outbox_store.h"
#include "core/store/writer.h"
#include "tests/support/permit.h"
#include "tests/unit/store/quota_vfs.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using namespace a2h::test;

namespace {

void store_messages(store::Database& db, int first, int count) {
    REQUIRE(db.begin());
    for (int i = first; i < first + count; ++i)
        REQUIRE(store::insert_inbox(db, sample_message("m" + std::to_string(i))));
    REQUIRE(db.commit());
}

Result<store::CopyReport> copy_of(const StoreFixture& fixture, const std::string& name,
                                  std::stop_token stop = {}) {
    return store::copy_database(fixture.path(), fixture.folder() / name, no_progress(), stop);
}

}  // namespace

TEST_CASE("a copy holds every row and is a database of its own") {
    StoreFixture fixture;
    store_messages(fixture.db(), 0, 300);
    const auto copied = copy_of(fixture, "copy.db");
    REQUIRE_MESSAGE(copied.has_value(), (copied ? "" : copied.error().message));
    CHECK(copied->schema == store::Database::schema_version_newest());
    CHECK(copied->rows.at("inbox") == 300);
    CHECK(copied->rows.at("job") == 300);
    CHECK(copied->rows.at("audit") == 0);

    const auto opened =
        store::Database::open(fixture.folder() / "copy.db", store::Database::Mode::ReadWrite);
    REQUIRE(opened);
    CHECK(store::inbox_counts(**opened, "ag_me")->accepted == 300);
    CHECK(store::inbox_counts(**opened, "ag_me")->refused == 0);
}

TEST_CASE("a copy made while others write is one moment of the database") {
    StoreFixture fixture;
    store_messages(fixture.db(), 0, 2'000);
    store::Writer writer(fixture.take());
    std::atomic<bool> done = false;
    std::atomic<int> written = 0;
    std::thread peer([&] {
        for (int i = 10'000; !done; ++i) {
            writer
                .submit_urgent([i](store::Database& db) -> Result<void> {
                    A2H_TRY(store::insert_inbox(db, sample_message("w" + std::to_string(i))));
                    const auto queued =
                        test::insert_outbox(db, sample_reply("r" + std::to_string(i)));
                    return queued ? Result<void>() : fail(queued.error());
                })
                .wait();
            ++written;
        }
    });
    const auto copied = copy_of(fixture, "copy.db");
    const int written_meanwhile = written;
    done = true;
    peer.join();
    REQUIRE_MESSAGE(copied.has_value(), (copied ? "" : copied.error().message));
    // Both rows of one commit are there, or none.
    CHECK(copied->rows.at("inbox") == 2'000 + copied->rows.at("outbox"));
    CHECK(copied->rows.at("outbox") <= written_meanwhile);
}

TEST_CASE("a copy that is stopped says so") {
    StoreFixture fixture;
    store_messages(fixture.db(), 0, 2'000);
    std::stop_source stop;
    stop.request_stop();
    const auto copied = copy_of(fixture, "copy.db", stop.get_token());
    REQUIRE(!copied);
    CHECK(copied.error().code == ErrorCode::Timeout);
}

TEST_CASE("a disk that fills up while copying is reported as such") {
    QuotaVfs disk;
    StoreFixture fixture;
    store_messages(fixture.db(), 0, 2'000);
    disk.set_free_bytes(64 * 1024);
    const auto copied = copy_of(fixture, "copy.db");
    disk.set_free_bytes(-1);
    REQUIRE(!copied);
    CHECK(copied.error().code == ErrorCode::ResourceExhausted);
}

TEST_CASE("an incomplete or foreign database is not accepted") {
    const TempDir dir;
    const auto file = dir.path() / "some.db";
    CHECK(store::check_database(file, no_progress()).error().code == ErrorCode::Unavailable);

    std::ofstream(file).close();
    CHECK(store::check_database(file, no_progress()).error().code == ErrorCode::Corrupt);
    std::ofstream(file) << std::string(8'192, 'x');
    CHECK(store::check_database(file, no_progress()).error().code == ErrorCode::Corrupt);
}

TEST_CASE("damaged, inconsistent and newer copies are distinguished") {
    StoreFixture fixture;
    store_messages(fixture.db(), 0, 500);
    const auto file = fixture.folder() / "copy.db";
    REQUIRE(copy_of(fixture, "copy.db"));
    {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        database.exec("pragma foreign_keys = off; delete from inbox where id = 7");
    }
    const auto loose = store::check_database(file, no_progress());
    REQUIRE(!loose);
    CHECK(loose.error().message.find("a row of job") != std::string::npos);

    REQUIRE(copy_of(fixture, "copy.db"));
    {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        database.exec("insert into schema_migration values (9999, 'later', 0)");
    }
    CHECK(store::check_database(file, no_progress()).error().code == ErrorCode::Unsupported);

    REQUIRE(copy_of(fixture, "copy.db"));
    {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 2));
        bytes << std::string(3'000, '\xff');
    }
    CHECK(store::check_database(file, no_progress()).error().code == ErrorCode::Corrupt);
}
