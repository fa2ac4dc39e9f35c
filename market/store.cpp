#include "market/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <charconv>
#include <mutex>

#include "core/i18n/normalize.h"
#include "embedded/market_migrations.h"
#include "market/sqlite.h"

namespace a2h::market {
namespace {

constexpr const char* kCreateMigrationTable =
    "create table if not exists schema_migration (version integer primary key, name text not null,"
    " applied_at_ms integer not null) strict";

constexpr const char* kSelectAgent =
    "select agent_id, name, agent_key, key_id, public_key, require_nonce, created_at_ms,"
    " revoked_at_ms is not null from agent where ";

constexpr const char* kSelectWorks =
    "select w.works_id, w.agent_id, a.name, w.type, w.title, w.content, w.pictures_json,"
    " w.extend_info_json, w.parent_works_id, w.created_at_ms, w.updated_at_ms"
    " from works w join agent a on a.agent_id = w.agent_id where ";

Agent read_agent(SQLite::Statement& row) {
    return {.agent_id = row.getColumn(0).getString(),
            .name = row.getColumn(1).getString(),
            .agent_key = row.getColumn(2).getString(),
            .key_id = row.getColumn(3).getString(),
            .public_key = row.getColumn(4).getString(),
            .require_nonce = row.getColumn(5).getInt() != 0,
            .created_at_ms = row.getColumn(6).getInt64(),
            .revoked = row.getColumn(7).getInt() != 0};
}

Works read_works(SQLite::Statement& row) {
    return {.works_id = row.getColumn(0).getString(),
            .agent_id = row.getColumn(1).getString(),
            .nickname = row.getColumn(2).getString(),
            .type = row.getColumn(3).getInt(),
            .title = row.getColumn(4).getString(),
            .content = row.getColumn(5).getString(),
            .pictures_json = row.getColumn(6).getString(),
            .extend_info_json = row.getColumn(7).getString(),
            .parent_works_id = row.getColumn(8).getString(),
            .created_at_ms = row.getColumn(9).getInt64(),
            .updated_at_ms = row.getColumn(10).getInt64()};
}

std::string search_text(const Works& works) {
    return i18n::fold(works.title) + "\n" + i18n::fold(works.content);
}

std::optional<Agent> find(SQLite::Database& db, const char* condition, std::string_view value) {
    SQLite::Statement query(db, std::string(kSelectAgent) + condition);
    query.bind(1, std::string(value));
    if (!query.executeStep()) return std::nullopt;
    return read_agent(query);
}

std::optional<Works> find_one_works(SQLite::Database& db, std::string_view works_id) {
    SQLite::Statement query(db, std::string(kSelectWorks) + "w.works_id = ?");
    query.bind(1, std::string(works_id));
    if (!query.executeStep()) return std::nullopt;
    return read_works(query);
}

Unexpected no_such_post() {
    return fail(ErrorCode::NotFound, "there is no such post of yours");
}

/// Version of `0001_initial.sql` is 1.
int version_of(std::string_view file_name) {
    int version = 0;
    std::from_chars(file_name.data(), file_name.data() + file_name.size(), version);
    return version;
}

Result<void> migrate(SQLite::Database& db) {
    db.exec(kCreateMigrationTable);
    const int present = db.execAndGet("select coalesce(max(version), 0) from schema_migration");
    const auto names = embedded::market_migrations_names();
    const int newest = version_of(names.back());
    if (present > newest) {
        return fail(ErrorCode::Unsupported, "market.db was written by a newer a2h-market (schema " +
                                                std::to_string(present) + ", this one knows " +
                                                std::to_string(newest) + "); use that one");
    }
    for (const std::string_view name : names) {
        if (version_of(name) <= present) continue;
        SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
        db.exec(std::string(*embedded::market_migrations(name)));
        SQLite::Statement insert(db,
                                 "insert into schema_migration values (?, ?, unixepoch()*1000)");
        insert.bind(1, version_of(name));
        insert.bind(2, std::string(name));
        insert.exec();
        transaction.commit();
    }
    return {};
}

}  // namespace

struct Store::Impl {
    std::mutex mutex;
    std::unique_ptr<SQLite::Database> db;

    /// Runs `work(db)` alone and turns what SQLiteCpp throws into an error.
    template <typename Work>
    auto run(Work&& work) -> decltype(work(*db)) {
        const std::lock_guard lock(mutex);
        return guarded_sql([&] { return work(*db); });
    }
};

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::filesystem::path& file) {
    return guarded_sql([&]() -> Result<Store> {
        auto impl = std::make_unique<Impl>();
        impl->db = open_sqlite(file, Durability::PowerLoss);
        A2H_TRY(migrate(*impl->db));
        return Store(std::move(impl));
    });
}

Result<Agent> Store::add_agent(const Agent& agent) {
    return impl_->run([&](SQLite::Database& db) -> Result<Agent> {
        SQLite::Statement insert(
            db,
            "insert into agent (agent_id, name, agent_key, key_id, public_key, require_nonce,"
            " created_at_ms) values (?, ?, ?, ?, ?, ?, ?) on conflict (public_key) do nothing");
        SQLite::bind(insert, agent.agent_id, agent.name, agent.agent_key, agent.key_id,
                     agent.public_key, agent.require_nonce ? 1 : 0, agent.created_at_ms);
        insert.exec();
        auto present = find(db, "public_key = ?", agent.public_key);
        if (!present) return fail(ErrorCode::Internal, "database: the agent is gone again");
        return std::move(*present);
    });
}

Result<std::optional<Agent>> Store::find_agent(std::string_view agent_id) {
    return impl_->run([&](SQLite::Database& db) -> Result<std::optional<Agent>> {
        return find(db, "agent_id = ?", agent_id);
    });
}

Result<void> Store::revoke_agent(std::string_view agent_id, UnixMs now_ms) {
    return impl_->run([&](SQLite::Database& db) -> Result<void> {
        SQLite::Statement update(
            db, "update agent set revoked_at_ms = coalesce(revoked_at_ms, ?) where agent_id = ?");
        SQLite::bind(update, now_ms, std::string(agent_id));
        if (update.exec() == 0) {
            return fail(ErrorCode::NotFound, "there is no agent " + std::string(agent_id));
        }
        return {};
    });
}

Result<std::vector<std::string>> Store::revoked_agents() {
    return impl_->run([&](SQLite::Database& db) -> Result<std::vector<std::string>> {
        SQLite::Statement query(
            db, "select agent_id from agent where revoked_at_ms is not null order by agent_id");
        std::vector<std::string> agents;
        while (query.executeStep())
            agents.push_back(query.getColumn(0).getString());
        return agents;
    });
}

Result<void> Store::add_works(const Works& works) {
    return impl_->run([&](SQLite::Database& db) -> Result<void> {
        SQLite::Statement insert(
            db,
            "insert into works (works_id, agent_id, type, title, content, pictures_json,"
            " extend_info_json, parent_works_id, search_text, created_at_ms, updated_at_ms)"
            " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        SQLite::bind(insert, works.works_id, works.agent_id, works.type, works.title, works.content,
                     works.pictures_json, works.extend_info_json, works.parent_works_id,
                     search_text(works), works.created_at_ms, works.updated_at_ms);
        insert.exec();
        return {};
    });
}

Result<void> Store::edit_works(std::string_view works_id, std::string_view agent_id,
                               const std::function<Result<void>(Works&)>& edit) {
    return impl_->run([&](SQLite::Database& db) -> Result<void> {
        auto works = find_one_works(db, works_id);
        if (!works || works->agent_id != agent_id) return no_such_post();
        A2H_TRY(edit(*works));
        SQLite::Statement update(
            db,
            "update works set type = ?, title = ?, content = ?, pictures_json = ?,"
            " extend_info_json = ?, parent_works_id = ?, search_text = ?, updated_at_ms = ?"
            " where works_id = ?");
        SQLite::bind(update, works->type, works->title, works->content, works->pictures_json,
                     works->extend_info_json, works->parent_works_id, search_text(*works),
                     works->updated_at_ms, std::string(works_id));
        update.exec();
        return {};
    });
}

Result<void> Store::delete_works(std::string_view works_id, std::string_view agent_id) {
    return impl_->run([&](SQLite::Database& db) -> Result<void> {
        SQLite::Statement remove(db, "delete from works where works_id = ? and agent_id = ?");
        SQLite::bind(remove, std::string(works_id), std::string(agent_id));
        if (remove.exec() == 0) return no_such_post();
        return {};
    });
}

Result<std::optional<Works>> Store::find_works(std::string_view works_id) {
    return impl_->run([&](SQLite::Database& db) -> Result<std::optional<Works>> {
        return find_one_works(db, works_id);
    });
}

Result<std::vector<Works>> Store::list_works(const WorksQuery& query) {
    // A substring search finds two-character Chinese words, which SQLite's tokenizers do not.
    std::string sql = std::string(kSelectWorks) + "a.revoked_at_ms is null";
    if (!query.agent_id.empty()) sql += " and w.agent_id = ?";
    if (query.type) sql += " and w.type = ?";
    for (std::size_t i = 0; i < query.words.size(); ++i)
        sql += " and instr(w.search_text, ?) > 0";
    sql += " order by w.created_at_ms desc, w.works_id limit ? offset ?";
    return impl_->run([&](SQLite::Database& db) -> Result<std::vector<Works>> {
        SQLite::Statement rows(db, sql);
        int index = 0;
        if (!query.agent_id.empty()) rows.bind(++index, query.agent_id);
        if (query.type) rows.bind(++index, *query.type);
        for (const std::string& word : query.words)
            rows.bind(++index, word);
        rows.bind(++index, query.limit);
        rows.bind(++index, query.offset);
        std::vector<Works> found;
        while (rows.executeStep())
            found.push_back(read_works(rows));
        return found;
    });
}

}  // namespace a2h::market
