// The same behaviour of both databases behind the interface of market/db.

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <fstream>
#include <thread>

#include "market/db/database.h"
#include "market/db/migrations.h"
#include "tests/integration/market_db/place.h"

using namespace a2h;
using namespace a2h::market;
using db::Transaction;
using db::Value;
using test::each_dialect;
using test::Place;

namespace {

constexpr std::string_view kInsert =
    "insert into agent (agent_id, name, agent_key, key_id, public_key, require_nonce,"
    " created_at_ms, revoked_at_ms) values ($1, $2, 'k', 'kid', $1, $3, $3, $4)";

Result<void> insert(Transaction& transaction, const std::string& id, std::int64_t number = 0,
                    const Value& revoked = nullptr) {
    const auto added = transaction.execute(kInsert, {id, "name of " + id, number, revoked});
    return added ? Result<void>() : fail(added.error());
}

std::int64_t count(db::Database& database) {
    const auto counted =
        database.read_as<std::int64_t>([](Transaction& transaction) -> Result<std::int64_t> {
            A2H_ASSIGN_OR_RETURN(const auto row,
                                 transaction.query_one("select count(*) from agent", {}));
            return row->integer(0);
        });
    REQUIRE(counted);
    return *counted;
}

/// Adds one to a number that it has read before.
Result<void> increment(Transaction& transaction) {
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one("select created_at_ms from agent where agent_id = $1", {"a"}));
    const auto changed = transaction.execute(
        "update agent set created_at_ms = $1 where agent_id = $2", {row->integer(0) + 1, "a"});
    return changed ? Result<void>() : fail(changed.error());
}

}  // namespace

TEST_CASE("both databases return a written value with its type") {
    const Place place(each_dialect());
    const auto database = place.open();
    REQUIRE(database->write([](Transaction& transaction) -> Result<void> {
        A2H_TRY(insert(transaction, "a'; --", INT64_MIN));
        return insert(transaction, "汉字\n😀", INT64_MAX, std::int64_t{7});
    }));
    const auto rows = database->read_as<std::vector<db::Row>>([](Transaction& transaction) {
        return transaction.query(
            "select agent_id, require_nonce, revoked_at_ms, revoked_at_ms is null, count(*) over "
            "(),"
            " cast($2 as bigint) from agent where require_nonce <> $1 order by require_nonce",
            {std::int64_t{5}, nullptr});
    });
    REQUIRE_MESSAGE(rows.has_value(), rows.error().message);
    REQUIRE(rows->size() == 2);
    CHECK((*rows)[0].text(0) == "a'; --");
    CHECK((*rows)[0].integer(1) == INT64_MIN);
    CHECK((*rows)[0].is_null(2));
    CHECK((*rows)[0].integer(3) == 1);
    CHECK((*rows)[0].integer(4) == 2);
    CHECK((*rows)[0].is_null(5));
    CHECK((*rows)[1].text(0) == "汉字\n😀");
    CHECK((*rows)[1].integer(1) == INT64_MAX);
    CHECK((*rows)[1].integer(2) == 7);
}

TEST_CASE("an error of the work undoes all of it and comes back") {
    const Place place(each_dialect());
    const auto database = place.open();
    const auto result = database->write([](Transaction& transaction) -> Result<void> {
        A2H_TRY(insert(transaction, "a"));
        return fail(ErrorCode::PermissionDenied, "no");
    });
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::PermissionDenied);
    CHECK(count(*database) == 0);
}

TEST_CASE("work that throws is an error and undone") {
    const Place place(each_dialect());
    const auto database = place.open();
    const auto result = database->write([](Transaction& transaction) -> Result<void> {
        A2H_TRY(insert(transaction, "a"));
        throw std::runtime_error("thrown");
    });
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::Internal);
    CHECK(count(*database) == 0);
    CHECK(database->write([](Transaction& transaction) { return insert(transaction, "b"); }));
}

TEST_CASE("a broken key is a Conflict and ends the transaction") {
    const Place place(each_dialect());
    const auto database = place.open();
    REQUIRE(database->write([](Transaction& transaction) { return insert(transaction, "a"); }));
    const auto twice = database->write([](Transaction& transaction) -> Result<void> {
        const auto first = insert(transaction, "a");
        CHECK(first.error().code == ErrorCode::Conflict);
        // Even work that ignores the error cannot go on.
        CHECK(insert(transaction, "b").error().code == ErrorCode::Conflict);
        return {};
    });
    REQUIRE_FALSE(twice);
    CHECK(twice.error().code == ErrorCode::Conflict);
    const auto orphan = database->write([](Transaction& transaction) -> Result<void> {
        const auto added = transaction.execute(
            "insert into works (works_id, agent_id, type, title, content, pictures_json,"
            " extend_info_json, parent_works_id, created_at_ms, updated_at_ms)"
            " values ('w', 'nobody', 3, '', '', '', '', '', 0, 0)",
            {});
        return added ? Result<void>() : fail(added.error());
    });
    REQUIRE_FALSE(orphan);
    CHECK(orphan.error().code == ErrorCode::Conflict);
    CHECK(count(*database) == 1);
}

TEST_CASE(
    "text that is not UTF-8 or holds a NUL is an InvalidArgument, a wrong statement Internal") {
    const Place place(each_dialect());
    const auto database = place.open();
    for (const std::string& id : {std::string("a\0b", 3), std::string("\xff")}) {
        const auto result =
            database->write([&](Transaction& transaction) { return insert(transaction, id); });
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::InvalidArgument);
    }
    const auto wrong = database->read([](Transaction& transaction) -> Result<void> {
        const auto rows = transaction.query("select nothing from nowhere", {});
        return rows ? Result<void>() : fail(rows.error());
    });
    CHECK(wrong.error().code == ErrorCode::Internal);
}

TEST_CASE("reading changes nothing") {
    const Place place(each_dialect());
    const auto database = place.open();
    CHECK_FALSE(database->read([](Transaction& transaction) { return insert(transaction, "a"); }));
    CHECK(count(*database) == 0);
}

TEST_CASE("a reader sees one state, whatever is written meanwhile") {
    const Place place(each_dialect());
    const auto database = place.open();
    const auto seen =
        database->read_as<std::int64_t>([&](Transaction& transaction) -> Result<std::int64_t> {
            A2H_TRY(transaction.query("select count(*) from agent", {}));
            std::thread([&] {
                CHECK(database->write([](Transaction& other) { return insert(other, "a"); }));
            }).join();
            A2H_ASSIGN_OR_RETURN(const auto row,
                                 transaction.query_one("select count(*) from agent", {}));
            return row->integer(0);
        });
    CHECK(*seen == 0);
    CHECK(count(*database) == 1);
}

TEST_CASE("a read sees at once what any opening of the database has committed") {
    const Place place(each_dialect());
    const auto one = place.open();
    const auto other = place.open();
    for (std::int64_t written = 1; written <= 50; ++written) {
        db::Database& writer = written % 2 == 0 ? *one : *other;
        REQUIRE(writer.write([&](Transaction& transaction) {
            return insert(transaction, "agent " + std::to_string(written));
        }));
        CHECK(count(*one) == written);
        CHECK(count(*other) == written);
    }
}

TEST_CASE("an idle reader does not make SQLite's write-ahead log grow") {
    const Place place(db::Dialect::Sqlite);
    const auto database = place.open();
    CHECK(count(*database) == 0);
    const std::string text(100'000, 'x');
    for (int i = 0; i < 200; ++i) {
        REQUIRE(database->write([&](Transaction& transaction) {
            return insert(transaction, std::to_string(i) + text);
        }));
        if (i == 100) CHECK(count(*database) == 101);
    }
    const auto log = std::filesystem::file_size(place.file().string() + "-wal");
    CHECK(log < 10'000'000);  // of 40 MB that were written
}

TEST_CASE("no increment is lost between many threads and two openings of one database") {
    const Place place(each_dialect());
    const std::array databases{place.open(), place.open()};
    REQUIRE(databases[0]->write([](Transaction& transaction) { return insert(transaction, "a"); }));
    constexpr int kThreads = 8;
    constexpr int kRounds = 25;
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < kRounds; ++round) {
                if (databases[static_cast<std::size_t>(i % 2)]->write(increment)) ++done;
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    const auto row =
        databases[0]->read_as<std::int64_t>([](Transaction& transaction) -> Result<std::int64_t> {
            A2H_ASSIGN_OR_RETURN(const auto found,
                                 transaction.query_one("select created_at_ms from agent", {}));
            return found->integer(0);
        });
    CHECK(*row == done);
    // Two processes may meet more often than a write is repeated.
    CHECK(done > kThreads * kRounds * 3 / 4);
}

TEST_CASE("an error of one write leaves those of its group alone") {
    const Place place(each_dialect());
    const auto database = place.open();
    std::atomic<int> refused{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 10; ++round) {
                const auto id = std::to_string(i) + "." + std::to_string(round);
                const auto result = database->write([&](Transaction& transaction) -> Result<void> {
                    A2H_TRY(insert(transaction, id));
                    if (round % 2 == 1) return fail(ErrorCode::Conflict, "odd");
                    return {};
                });
                if (!result) ++refused;
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(refused == 40);
    CHECK(count(*database) == 40);
    const auto stats = database->stats();
    CHECK(stats.commits <= stats.transactions);
    CHECK(stats.waiting == 0);
}

TEST_CASE("more texts of statements than are kept do no harm") {
    const Place place(each_dialect());
    const auto database = place.open();
    for (std::int64_t i = 0; i < 300; ++i) {
        const auto row =
            database->read_as<std::int64_t>([&](Transaction& transaction) -> Result<std::int64_t> {
                A2H_ASSIGN_OR_RETURN(
                    const auto found,
                    transaction.query_one("select cast($1 as bigint) + " + std::to_string(i),
                                          {std::int64_t{1000}}));
                return found->integer(0);
            });
        REQUIRE_MESSAGE(row.has_value(), row.error().message);
        REQUIRE(*row == 1000 + i);
    }
}

TEST_CASE("programs that start at once on an empty database all find it complete") {
    const Place place(each_dialect());
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            const auto database = place.try_open();
            if (database) ++good;
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(good == 4);
    CHECK(count(*place.open()) == 0);
}

TEST_CASE("a newer program's database is refused and stays as it is") {
    const Place place(each_dialect());
    place.open();
    place.plain_sql("insert into schema_migration values (9999, 'from the future', 0)");
    const auto refused = place.try_open();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Unsupported);
}

TEST_CASE("a file of SQLite is copied before its schema changes") {
    const Place place(db::Dialect::Sqlite);
    const auto all = db::migrations(db::Dialect::Sqlite);
    std::string first = db::create_migration_table(db::Dialect::Sqlite) + ";" + all[0].sql +
                        "insert into schema_migration values (1, 'first', 0);"
                        "insert into agent values ('a', 'n', 'k', 'i', 'p', 0, 0, null);";
    place.plain_sql(first);
    CHECK(count(*place.open()) == 1);
    CHECK(std::filesystem::exists(place.file().string() + ".before-2") == (all.size() > 1));
}

TEST_CASE("a foreign database is Corrupt, and a path where none can be created Unavailable") {
    const Place place(db::Dialect::Sqlite);
    std::ofstream(place.file()) << std::string(5000, 'x');
    CHECK(place.try_open().error().code == ErrorCode::Corrupt);
    const Place other(db::Dialect::Sqlite);
    other.plain_sql("create table somebody_elses (x)");
    CHECK(other.try_open().error().code == ErrorCode::Corrupt);
    CHECK(db::open_sqlite(other.file() / "none").error().code == ErrorCode::Unavailable);
    CHECK(db::open_postgresql("postgresql://a2h@/x?host=/nowhere").error().code ==
          ErrorCode::Unavailable);
}

TEST_CASE("PostgreSQL that went away and came back is used again, and the error names no secret") {
    const Place place(db::Dialect::Postgresql);
    const auto database = place.open();
    const auto add = [&](const std::string& id) {
        return database->write([&](Transaction& transaction) { return insert(transaction, id); });
    };
    REQUIRE(add("a"));
    test::shared_postgres().kill();
    const auto away = add("b");
    REQUIRE_FALSE(away);
    CHECK(away.error().code == ErrorCode::Unavailable);
    test::shared_postgres().start();
    CHECK(add("b"));
    CHECK(count(*database) == 2);
}
