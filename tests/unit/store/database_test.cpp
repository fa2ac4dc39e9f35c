#include "core/store/database.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "core/store/inbox_store.h"
#include "core/store/migrate.h"
#include "core/store/setting_store.h"
#include "tests/support/told_progress.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::sample_message;
using a2h::test::StoreFixture;
using store::Database;

namespace {

std::vector<store::Migration> with_next(std::string_view sql) {
    auto migrations = store::embedded_migrations();
    migrations.push_back({migrations.back().version + 1, "next", std::string(sql)});
    return migrations;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();
    return content.str();
}

std::string ask(const std::filesystem::path& path, const char* sql) {
    SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
    return database.execAndGet(sql).getString();
}

Result<void> migrate(const std::filesystem::path& path,
                     const std::vector<store::Migration>& migrations,
                     Progress& progress = no_progress()) {
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
    return store::migrate(database, path, migrations, progress);
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "The database and its helpers are for the owner's eyes only") {
    REQUIRE(store::put_setting(db(), "", "a", "b").has_value());
    for (const char* suffix : {"", "-wal", "-shm"}) {
        struct stat status {};
        REQUIRE(::stat((path().string() + suffix).c_str(), &status) == 0);
        CHECK((status.st_mode & 0777) == 0600);
    }
}

TEST_CASE_FIXTURE(StoreFixture, "The first migration leaves its row and no backup") {
    CHECK(ask(path(), "select name from schema_migration") == "0001_initial");
    CHECK(ask(path(), "pragma journal_mode") == "wal");
    CHECK_FALSE(std::filesystem::exists(path().string() + ".before-1"));
}

TEST_CASE_FIXTURE(StoreFixture, "Opening again finds everything and changes nothing") {
    REQUIRE(store::put_setting(db(), "", "a", "b").has_value());
    take().reset();
    const auto again = open();
    CHECK(**store::get_setting(*again, "", "a") == "b");
    CHECK(ask(path(), "select count(*) from schema_migration") ==
          std::to_string(Database::schema_version_newest()));
}

TEST_CASE_FIXTURE(StoreFixture, "A checked backup is written before the schema changes") {
    REQUIRE(store::put_setting(db(), "", "a", "b").has_value());
    take().reset();
    REQUIRE(migrate(path(), with_next("create table extra (id integer primary key) strict"))
                .has_value());
    const int newest = Database::schema_version_newest();
    const std::filesystem::path backup = path().string() + ".before-" + std::to_string(newest + 1);
    REQUIRE(std::filesystem::exists(backup));
    CHECK(ask(backup, "pragma integrity_check") == "ok");
    CHECK(ask(backup, "select max(version) from schema_migration") == std::to_string(newest));
    CHECK(ask(backup, "select value from setting") == "b");
    CHECK(ask(path(), "select max(version) from schema_migration") == std::to_string(newest + 1));
    CHECK_FALSE(std::filesystem::exists(backup.string() + ".partial"));
}

TEST_CASE_FIXTURE(StoreFixture, "The progress of a migration is reported while it is waited for") {
    take().reset();
    test::ToldProgress progress;
    const auto migrations = with_next("create table extra (id integer primary key) strict");
    REQUIRE(migrate(path(), migrations, progress));
    const int newest = Database::schema_version_newest();
    CHECK(progress.told == std::vector{"progress.migrate " + std::to_string(newest) + "/" +
                                       std::to_string(newest + 1)});
}

TEST_CASE_FIXTURE(StoreFixture, "The migration marks tasks and introductions of unproved senders") {
    const std::filesystem::path older = path().string() + ".older";
    auto migrations = store::embedded_migrations();
    const auto newest = std::exchange(migrations, {migrations.begin(), migrations.begin() + 18});
    SQLite::Database database(older.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    REQUIRE(store::migrate(database, older, migrations, no_progress()));
    for (const char* sql :
         {"insert into inbox (agent_id, sender_id, message_id, message_type, trace_id, "
          "payload_hash, provenance, source, sent_at_ms, received_at_ms, payload_json, "
          "envelope_json) values ('me', 'far', 'm1', 't', '', '', 'verified', 'peer', 1, 1, "
          "'{}', '{}'), ('me', 'far', 'm2', 't', '', '', 'unverified', 'peer', 1, 1, '{}', '{}')",
          "insert into assignment (agent_id, task_id, peer_id, side, parent_task_id, mandate_id, "
          "state, created_at_ms, updated_at_ms, brief_json) values "
          "('me', 't1', 'far', 'taken', '', '', 'offered', 1, 1, '{}'), "
          "('me', 't2', 'far', 'taken', '', '', 'offered', 1, 1, '{}')",
          "insert into assignment_entry (agent_id, task_id, kind, message_id, at_ms, "
          "detail_json) values ('me', 't1', 'assigned', 'm1', 1, '{}'), "
          "('me', 't2', 'assigned', 'm2', 1, '{}')",
          "insert into introduction (agent_id, peer_id, side, id, state, reason, "
          "required_capability, at_ms) values ('me', 'far', 'asked', 'm1', 'open', '', '', 1), "
          "('me', 'far', 'asked', 'm2', 'open', '', '', 1)"}) {
        database.exec(sql);
    }
    REQUIRE(store::migrate(database, older, newest, no_progress()));
    const auto all = [&](const char* table, const char* id) {
        return ask(older, (std::string("select group_concat(") + id +
                           " || is_authentic, ' ') from " + table)
                              .c_str());
    };
    CHECK(all("assignment", "task_id") == "t11 t20");
    CHECK(all("assignment_entry", "peer_id || task_id") == "fart11 fart20");
    CHECK(all("introduction", "id") == "m11 m20");
}

TEST_CASE_FIXTURE(StoreFixture, "Older questions are about what the built-in rules ask for") {
    const std::filesystem::path older = path().string() + ".older";
    auto migrations = store::embedded_migrations();
    const auto newest = std::exchange(migrations, {migrations.begin(), migrations.begin() + 28});
    SQLite::Database database(older.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    REQUIRE(store::migrate(database, older, migrations, no_progress()));
    database.exec("pragma foreign_keys = off");
    for (const char* rule :
         {"offer.made", "offer.haggling", "deal.wanted", "question.open", "own.bids", "fallback"}) {
        const std::string id = "'" + std::string(rule) + "'";
        database.exec(
            "insert into approval (id, agent_id, peer_id, action, action_json, digest, "
            "question, context, options_json, reply_text, reject_text, currency, "
            "provenance, requested_by, status, outcome, outcome_detail, answer_text, "
            "answered_by, code_failures, created_at_ms, answer_by_ms, act_by_ms, "
            "answered_at_ms, updated_at_ms) values (" +
            id +
            ", 'me', 'p', 'reply.send', '{}', 'd', 'q', '', '[]', '', '', '', '', "
            "'rule:' || " +
            id + ", 'pending', 'none', '', '', '', 0, 1, 1, 1, 0, 1)");
        database.exec(
            "insert into stage_case (job_id, agent_id, peer_id, task_uuid, kind, stage, "
            "slice, retry_count, max_attempts, version, context_reads, trace_id, "
            "deadline_ms, outcome, created_at_ms, updated_at_ms, decision_json, "
            "event_json, blocks_json, results_json, reasons_json) values ((select "
            "coalesce(max(job_id), 0) + 1 from stage_case), 'me', 'p', 'u', 'k', 's', 0, "
            "0, 1, 1, 0, 't', 0, '', 1, 1, json_object('rule_id', " +
            id + "), '{}', '', '', '')");
    }
    REQUIRE(store::migrate(database, older, newest, no_progress()));
    const std::string about = "terms other terms facts other other";
    CHECK(ask(older, "select group_concat(about, ' ') from approval") == about);
    CHECK(ask(older, "select group_concat(decision_json ->> 'about', ' ') from stage_case") ==
          about);
}

TEST_CASE_FIXTURE(StoreFixture, "Jobs, bargains and negotiations keep their rows under new names") {
    const std::filesystem::path older = path().string() + ".older";
    auto migrations = store::embedded_migrations();
    const auto newest = std::exchange(migrations, {migrations.begin(), migrations.begin() + 20});
    SQLite::Database database(older.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    REQUIRE(store::migrate(database, older, migrations, no_progress()));
    for (const char* sql :
         {"insert into inbox (id, agent_id, sender_id, message_id, message_type, trace_id, "
          "payload_hash, provenance, source, sent_at_ms, received_at_ms, payload_json, "
          "envelope_json) values (7, 'me', 'peer', 'm1', 't', '', '', 'verified', 'peer', 1, 1, "
          "'{}', '{}')",
          "insert into task (inbox_id, agent_id, peer_id, state, created_at_ms, updated_at_ms) "
          "values (7, 'me', 'peer', 'pending', 1, 1)",
          "insert into mandate (id, agent_id, action, terms_json, given_by, surface, given_at_ms) "
          "values ('mnd', 'me', 'negotiation', '{}', 'human', 'terminal', 1)",
          "insert into negotiation values (3, 'me', 'peer', 'w', 'mnd', 'open', 'en', '', 5, 1, 9)",
          "insert into negotiation_move values (3, 1, 1, 'offer', 5, 'm2', 1)",
          "insert into channel (channel_id, demand_id, agent_id, parent_channel_id, user_id, "
          "raw_input, understanding_json, state, revision, round, deadline_ms, on_timeout, "
          "shows_terms, response_seconds, feedback_seconds, outcome, reason, gaps_json, "
          "compromise_json, created_at_ms, updated_at_ms) values ('c', 'd', 'me', '', '', '', '', "
          "'collecting', 1, 0, 0, 'default', 0, 1, 1, 'none', '', '', '', 1, 1)",
          "insert into proposal values ('c', 1, '{}')",
          "insert into deed values ('c', 'order', 'peer', '', 1)"}) {
        database.exec(sql);
    }
    REQUIRE(store::migrate(database, older, newest, no_progress()));
    CHECK(ask(older, "select inbox_id || state from job") == "7pending");
    CHECK(ask(older, "select id || state from bargain") == "3open");
    CHECK(ask(older, "select bargain_id || kind from bargain_move") == "3offer");
    CHECK(ask(older, "select negotiation_id || state from negotiation") == "ccollecting");
    CHECK(ask(older, "select negotiation_id || version from proposal") == "c1");
    CHECK(ask(older, "select negotiation_id || realisation from deed") == "corder");
    database.exec("pragma foreign_keys = on");
    CHECK(ask(older, "select action from mandate") == "bargain");
    CHECK_THROWS(database.exec("delete from negotiation"));
    CHECK_THROWS(database.exec("delete from bargain"));
    CHECK(ask(older, "select count(*) from pragma_foreign_key_check") == "0");
}

TEST_CASE_FIXTURE(StoreFixture, "A migration that fails half-way changes nothing") {
    take().reset();
    const auto result =
        migrate(path(), with_next("create table extra (id integer) strict; create nonsense"));
    CHECK_FALSE(result.has_value());
    CHECK(ask(path(), "select max(version) from schema_migration") ==
          std::to_string(Database::schema_version_newest()));
    CHECK(ask(path(), "select count(*) from sqlite_schema where name = 'extra'") == "0");
}

TEST_CASE_FIXTURE(StoreFixture, "A newer schema is refused in plain words and left alone") {
    take().reset();
    REQUIRE(migrate(path(), with_next("create table extra (id integer) strict")).has_value());
    const std::string before = read_file(path());
    for (const auto mode : {Database::Mode::ReadWrite, Database::Mode::ReadOnly}) {
        const auto opened = Database::open(path(), mode);
        REQUIRE_FALSE(opened.has_value());
        CHECK(opened.error().code == ErrorCode::Unsupported);
    }
    const auto opened = Database::open(path(), Database::Mode::ReadWrite);
    CHECK(opened.error().message.find("newer version") != std::string::npos);
    CHECK(read_file(path()) == before);
}

TEST_CASE_FIXTURE(StoreFixture, "A file that is no database is Corrupt, and so is a foreign one") {
    const auto garbage = folder() / "garbage.db";
    std::ofstream(garbage) << std::string(8'192, 'x');
    CHECK(Database::open(garbage, Database::Mode::ReadWrite).error().code == ErrorCode::Corrupt);
    const auto foreign = folder() / "foreign.db";
    SQLite::Database(foreign.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("create table other (id integer)");
    CHECK(Database::open(foreign, Database::Mode::ReadWrite).error().code == ErrorCode::Corrupt);
    CHECK(read_file(garbage) == std::string(8'192, 'x'));
}

TEST_CASE_FIXTURE(StoreFixture, "A database that cannot be opened is Unavailable") {
    for (const auto mode : {Database::Mode::ReadWrite, Database::Mode::ReadOnly}) {
        const auto opened = Database::open(folder() / "missing" / "agent.db", mode);
        REQUIRE_FALSE(opened.has_value());
        CHECK(opened.error().code == ErrorCode::Unavailable);
    }
}

TEST_CASE_FIXTURE(StoreFixture, "A reader sees each commit at once and cannot write") {
    const auto reader = open(Database::Mode::ReadOnly);
    REQUIRE(db().begin());
    REQUIRE(store::insert_inbox(db(), sample_message("msg_1")).has_value());
    CHECK(store::inbox_counts(*reader, "ag_me")->accepted == 0);
    REQUIRE(db().commit());
    CHECK(store::inbox_counts(*reader, "ag_me")->accepted == 1);
    CHECK(store::put_setting(*reader, "", "a", "b").error().code == ErrorCode::Unavailable);
}

TEST_CASE_FIXTURE(StoreFixture, "A reader that has read keeps no snapshot open") {
    const auto reader = open(Database::Mode::ReadOnly);
    REQUIRE(store::insert_inbox(db(), sample_message("msg_0")).has_value());
    REQUIRE(store::history(*reader, "ag_me", "ag_peer", 1, 1)->size() == 1);
    REQUIRE(store::get_inbox(*reader, 1)->has_value());
    db().checkpoint();
    REQUIRE(store::put_setting(db(), "", "a", "b").has_value());
    // The log starts again from its beginning only if no reader uses it.
    CHECK(db().wal_pages() < 5);
}

TEST_CASE_FIXTURE(StoreFixture, "A savepoint undoes only its own work") {
    REQUIRE(db().begin());
    CHECK(db().savepoint([&] { return store::put_setting(db(), "", "kept", "1"); }).has_value());
    const auto failed = db().savepoint([&]() -> Result<void> {
        A2H_TRY(store::put_setting(db(), "", "undone", "1"));
        return fail(ErrorCode::NotFound, "its own rule");
    });
    CHECK(failed.error().code == ErrorCode::NotFound);
    REQUIRE(db().commit());
    CHECK(store::get_setting(db(), "", "kept")->has_value());
    CHECK_FALSE(store::get_setting(db(), "", "undone")->has_value());
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A locked database is Unavailable, and works when it is free again") {
    SQLite::Database other(path().string(), SQLite::OPEN_READWRITE);
    other.exec("begin immediate");
    CHECK(db().begin().error().code == ErrorCode::Unavailable);
    other.exec("rollback");
    CHECK(db().begin().has_value());
    CHECK(store::put_setting(db(), "", "a", "b").has_value());
    CHECK(db().commit().has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "A name that no enumeration has is Corrupt, not a guess") {
    const auto inserted = store::insert_inbox(db(), sample_message("msg_1"));
    SQLite::Database(path().string(), SQLite::OPEN_READWRITE)
        .exec("update inbox set provenance = 'certain'");
    const auto found = store::get_inbox(db(), inserted->inbox_id);
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().code == ErrorCode::Corrupt);
    CHECK(store::history(db(), "ag_me", "ag_peer", 1, 1).error().code == ErrorCode::Corrupt);
}

TEST_CASE_FIXTURE(StoreFixture, "Audit rows can be neither changed nor deleted") {
    SQLite::Database other(path().string(), SQLite::OPEN_READWRITE);
    other.exec(
        "insert into audit (what, detail_json, previous_hash, hash, created_at_ms) "
        "values ('asked', '{}', '', 'h', 1)");
    CHECK_THROWS_AS(other.exec("update audit set what = 'answered'"), SQLite::Exception);
    CHECK_THROWS_AS(other.exec("delete from audit"), SQLite::Exception);
}
