#include "core/store/health.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "core/store/migrate.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// Maps kind and name to the SQL text, without white space and quotes, which SQLite changes when it
/// rewrites tables.
using Schema = std::map<std::string, std::string>;

constexpr const char* kReadSchema =
    "select type || ' ' || name, coalesce(sql, '') from sqlite_schema "
    "where name not like 'sqlite_%'";

std::string bare(const std::string& sql) {
    std::string text;
    for (const char c : sql) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '"') text += c;
    }
    return text;
}

/// The schema that the embedded migrations create in an empty database.
Result<Schema> schema_made_anew() {
    try {
        SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        A2H_TRY(migrate(fresh, {}, embedded_migrations()));
        Schema schema;
        SQLite::Statement rows(fresh, kReadSchema);
        while (rows.executeStep())
            schema[rows.getColumn(0).getString()] = bare(rows.getColumn(1).getString());
        return schema;
    } catch (const SQLite::Exception& exception) {
        return fail(sqlite_error(nullptr, exception.getErrorCode(), "making a schema to compare"));
    }
}

}  // namespace

Result<std::vector<std::string>> integrity_problems(Database& db, bool full, int limit) {
    static constexpr const char* kQuick = "pragma quick_check";
    static constexpr const char* kWhole = "pragma integrity_check";
    static constexpr const char* kReferences =
        "select \"table\" || ' ' || coalesce(rowid, '') || ' → ' || parent "
        "from pragma_foreign_key_check limit ?";
    const auto text_of = sql::kFirstText;
    auto lines = db.statement(full ? kWhole : kQuick).all(text_of);
    if (!lines) return lines;
    std::erase(*lines, "ok");
    if (full && lines->empty()) lines = db.statement(kReferences).all(text_of, limit);
    if (lines && lines->size() > static_cast<std::size_t>(limit)) {
        lines->resize(static_cast<std::size_t>(limit));
    }
    return lines;
}

Result<std::vector<std::string>> schema_differences(Database& db) {
    A2H_ASSIGN_OR_RETURN(const auto expected, schema_made_anew());
    Schema found;
    A2H_TRY(db.statement(kReadSchema).all([&](Row& row) {
        found[row.text(0)] = bare(row.text(1));
        return 0;
    }));
    std::vector<std::string> differences;
    for (const auto& [name, sql] : expected) {
        const auto there = found.find(name);
        if (there == found.end() || there->second != sql) differences.push_back(name);
    }
    return differences;
}

Result<Backlog> backlog_of(Database& db, std::string_view agent_id) {
    static constexpr const char* kPending =
        "select count(*), coalesce(min(created_at_ms), 0) from job "
        "where agent_id = ? and state = 'pending'";
    static constexpr const char* kQueued =
        "select count(*), coalesce(min(created_at_ms), 0) from outbox "
        "where agent_id = ? and state = 'queued'";
    static constexpr const char* kDead =
        "select count(*), coalesce(max(updated_at_ms), 0) from outbox "
        "where agent_id = ? and state = 'dead' and state <> 'queued'";
    Backlog backlog;
    const auto count = [&](const char* sql, std::int64_t& number, UnixMs& time_ms) -> Result<void> {
        const auto row = db.statement(sql).first(
            [&](Row& one) {
                number = one.integer(0);
                time_ms = one.integer(1);
                return 0;
            },
            agent_id);
        return row ? Result<void>() : fail(row.error());
    };
    A2H_TRY(count(kPending, backlog.undecided, backlog.oldest_undecided_ms));
    A2H_TRY(count(kQueued, backlog.queued, backlog.oldest_queued_ms));
    A2H_TRY(count(kDead, backlog.dead, backlog.newest_dead_ms));
    return backlog;
}

Result<bool> is_unused(Database& db) {
    static constexpr const char* kAny =
        "select exists (select 1 from own_agent) or exists (select 1 from setting) "
        "or exists (select 1 from event) or exists (select 1 from inbox)";
    A2H_ASSIGN_OR_RETURN(const auto any, db.statement(kAny).number());
    return any == 0;
}

Result<std::vector<LastDelivery>> last_deliveries(Database& db) {
    // In SQLite the other columns come from the row with the maximum.
    static constexpr const char* kNewest =
        "select channel, state, outcome, max(updated_at_ms) from notification "
        "where attempts > 0 group by channel order by channel";
    return db.statement(kNewest).all([](Row& row) {
        return LastDelivery{row.text(0), row.text(1), row.text(2), row.integer(3)};
    });
}

Result<void> empty_log(Database& db) {
    static constexpr const char* kTruncate = "pragma wal_checkpoint(truncate)";
    A2H_ASSIGN_OR_RETURN(const auto busy, db.statement(kTruncate).number());
    if (busy == 0) return {};
    return fail(ErrorCode::Unavailable, "somebody is reading or writing the database");
}

Result<void> reindex(Database& db) {
    static constexpr const char* kReindex = "reindex";
    return db.statement(kReindex).run();
}

}  // namespace a2h::store
