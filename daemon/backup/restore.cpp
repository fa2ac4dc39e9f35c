#include "daemon/backup/restore.h"

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/i18n/messages.h"
#include "core/store/copy.h"
#include "core/store/database.h"
#include "core/store/event_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/backup/backup.h"
#include "daemon/backup/folder.h"
#include "daemon/config/config.h"
#include "daemon/consent/approvals.h"
#include "daemon/effects/rows.h"
#include "daemon/kernel/identities.h"
#include "daemon/mail/other_instance.h"

namespace a2h::backup {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kManifestBytesMax = 4 * 1024 * 1024;
constexpr std::size_t kMarkBytesMax = 4 * 1024;

/// A copy of the backup inside the home, removed unless it was moved into place.
class Staging {
  public:
    explicit Staging(const control::Home& of) : home{of.root / "restore.partial"} { remove(); }
    ~Staging() { remove(); }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    const control::Home home;  ///< the copy has the layout of a home

  private:
    void remove() {
        std::error_code ignored;  // a leftover is not taken for a home
        fs::remove_all(home.root, ignored);
    }
};

/// A name from a backup must not lead outside the target folder.
bool is_name_of_backup(const fs::path& name) {
    for (const char* known : {"a2hd.db", "human.json", "config.toml", "rules.toml"})
        if (name == known) return true;
    const bool is_identity = name.parent_path() == "agents" && name.extension() == ".json";
    const bool is_trade = name.parent_path() == "trades" && name.extension() == ".toml";
    return (is_identity || is_trade) && name.filename().string().find('/') == std::string::npos;
}

Result<json> read_manifest(const fs::path& backup) {
    const auto text = read_whole(backup / kManifestName, kManifestBytesMax);
    if (!text) return fail(text.error().with_context(backup.string() + " is not a backup"));
    auto manifest = wire::parse_json(*text, {.bytes_max = kManifestBytesMax, .depth_max = 8});
    if (!manifest) return fail(manifest.error().with_context("manifest of the backup"));
    if (wire::text_member(*manifest, "format") != kManifestFormat)
        return fail(ErrorCode::Corrupt, backup.string() + " is not a backup of a2hd");
    if (wire::member(*manifest, "version") != kManifestVersion)
        return fail(ErrorCode::Unsupported,
                    backup.string() + " was written by a newer version of a2hd");
    if (!wire::member(*manifest, "files").is_object() ||
        !wire::member(*manifest, "tables").is_object())
        return fail(ErrorCode::Corrupt, "the manifest of the backup lacks files or tables");
    return manifest;
}

Result<void> copy_listed(const fs::path& backup, const json& files, const fs::path& to) {
    for (const auto& [name, hash] : files.items()) {
        if (!is_name_of_backup(name) || !hash.is_string())
            return fail(ErrorCode::Corrupt,
                        "the manifest of the backup names an unexpected file: " + name);
        A2H_TRY(copy_durable(backup / name, to / name));
        A2H_ASSIGN_OR_RETURN(const auto found, wire::sha256_hex_of_file(to / name));
        if (found != hash.get<std::string>())
            return fail(ErrorCode::Corrupt,
                        (backup / name).string() + " is not the file that was saved");
    }
    return {};
}

/// Copies a backup folder, checks the files beside the database, and returns the number of rows of
/// each table.
Result<json> stage_folder(const fs::path& backup, const control::Home& to) {
    A2H_ASSIGN_OR_RETURN(const auto manifest, read_manifest(backup));
    A2H_TRY(make_new_folder(to.agents_dir()));
    A2H_TRY(make_new_folder(to.trades_dir()));
    A2H_TRY(copy_listed(backup, manifest.at("files"), to.root));
    A2H_ASSIGN_OR_RETURN(const auto agents, kernel::load_agents(to));
    if (agents.empty()) return fail(ErrorCode::Corrupt, "the backup contains no identity");
    A2H_TRY(kernel::load_human(to));
    return manifest.at("tables");
}

/// If `tables` is null, the numbers of rows are not known and are not checked.
Result<store::CopyReport> check_rows(const control::Home& staged, const json& tables,
                                     Progress& progress) {
    auto report = store::check_database(staged.database_file(), progress);
    if (!report || tables.is_null()) return report;
    for (const auto& [table, rows] : report->rows) {
        if (wire::member(tables, table.c_str()) != rows)
            return fail(
                ErrorCode::Corrupt,
                "table " + table + " does not have the number of rows that the manifest states");
    }
    return report;
}

std::string restored_text(i18n::Language language, const store::SetAside& done) {
    return i18n::text(language, "daemon.restored",
                      {{"held", std::to_string(done.held)},
                       {"approvals", std::to_string(done.approvals)},
                       {"mandates", std::to_string(done.mandates)},
                       {"tasks", std::to_string(done.jobs)},
                       {"unsettled", std::to_string(done.unsettled)}});
}

/// In one transaction: marks what must not happen twice, the time from which the market's history
/// has to be fetched, and the notification.
Result<store::SetAside> make_safe(store::Database& db, const Config& config,
                                  const std::string& agent_id, UnixMs now_ms) {
    store::SetAside done;
    A2H_TRY(db.begin());
    const auto written = db.savepoint([&]() -> Result<void> {
        A2H_ASSIGN_OR_RETURN(const auto set_aside, store::set_aside_open_things(db, now_ms));
        done = set_aside;
        A2H_TRY(mail::set_other_instance_before(db, {}, now_ms));
        Notification news;
        news.agent_id = agent_id;
        news.kind = "home.restored";
        news.body_json =
            wire::canonical_json(json{{"text", restored_text(config.approval.language, done)}});
        A2H_TRY(store::insert_event(
            db, effects::new_event(agent_id, news.kind, {}, news.body_json, now_ms)));
        return consent::notify_human(db, news, config.approval, now_ms);
    });
    if (!written) {
        db.rollback();
        return fail(written.error());
    }
    A2H_TRY(db.commit());
    return done;
}

/// Migrates the staged database to this program's schema and makes it safe. It is a single file
/// afterwards.
Result<store::SetAside> prepare_database(const control::Home& staged, const Config& config,
                                         const std::string& agent_id, UnixMs now_ms) {
    store::SetAside done;
    {
        A2H_ASSIGN_OR_RETURN(auto db, store::Database::open(staged.database_file(),
                                                            store::Database::Mode::ReadWrite));
        A2H_ASSIGN_OR_RETURN(const auto safe, make_safe(*db, config, agent_id, now_ms));
        done = safe;
    }
    std::error_code ignored;
    if (fs::exists(staged.database_file().string() + "-wal", ignored))
        return fail(ErrorCode::Unavailable,
                    "the restored database could not be written completely");
    A2H_TRY(flush_folder(staged.root));
    return done;
}

/// The files that a restore replaces, in this order. A backup without identities replaces only the
/// database.
std::vector<fs::path> replaced_names(bool has_identities) {
    std::vector<fs::path> names{"a2hd.db", "a2hd.db-wal", "a2hd.db-shm"};
    if (has_identities)
        names.insert(names.end(), {"agents", "human.json", "config.toml", "rules.toml", "trades"});
    return names;
}

bool has_name(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

/// Moves those of `names` that exist.
Result<int> move_names(const fs::path& from, const fs::path& to,
                       const std::vector<fs::path>& names) {
    int moved = 0;
    for (const fs::path& name : names) {
        if (!has_name(from / name)) continue;
        A2H_TRY(rename_new(from / name, to / name));
        ++moved;
    }
    return moved;
}

std::string replaced_name(UnixMs now_ms) {
    std::string stamp = to_utc_time(now_ms);
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == '.'; });
    return "replaced-" + stamp;
}

/// Two restores can happen within one second, so the name gets a number if it is taken.
Result<fs::path> make_aside(const fs::path& root, UnixMs now_ms) {
    constexpr int kNumberMax = 100;
    const std::string name = replaced_name(now_ms);
    for (int number = 1;; ++number) {
        const fs::path aside = root / (number == 1 ? name : name + "-" + std::to_string(number));
        const auto made = make_new_folder(aside);
        if (made) return aside;
        if (made.error().code != ErrorCode::Conflict || number == kNumberMax)
            return fail(made.error());
    }
}

/// From here on, a crash leaves the mark of an unfinished restore.
Result<fs::path> exchange(const control::Home& home, const control::Home& staged,
                          const fs::path& backup, bool has_identities, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto made, make_aside(home.root, now_ms));
    const fs::path& aside = made;
    A2H_TRY(write_durable(home.unfinished_restore_file(), backup.string() + "\n"));
    A2H_TRY(flush_folder(home.root));
    const auto names = replaced_names(has_identities);
    const auto moved = move_names(home.root, aside, names);
    const auto placed = moved ? move_names(staged.root, home.root, names) : moved;
    if (!placed) {
        return fail(placed.error().with_context(
            "the restore was interrupted; run it again; the previous files are in " +
            aside.string()));
    }
    std::error_code ignored;
    fs::remove(home.unfinished_restore_file(), ignored);
    if (*moved == 0) fs::remove(aside, ignored);
    A2H_TRY(flush_folder(home.root));
    return *moved == 0 ? fs::path() : aside;
}

/// The agent whose owner is notified: the first one.
std::string first_agent(const control::Home& home) {
    const auto agents = kernel::load_agents(home);
    return agents && !agents->empty() ? agents->front().account.agent_id : std::string();
}

}  // namespace

Result<RestoreReport> restore_backup(const control::Home& home, const fs::path& backup,
                                     const Clock& clock, Progress& progress) {
    progress.show("progress.restore", 0, 0);
    std::error_code error;
    const bool is_folder = fs::is_directory(backup, error);
    if (!is_folder && !fs::is_regular_file(backup, error))
        return fail(ErrorCode::NotFound, "there is no backup " + backup.string());
    const Staging staging(home);
    const control::Home& staged = staging.home;
    A2H_TRY(make_new_folder(staged.root));
    json tables;
    if (is_folder) {
        A2H_ASSIGN_OR_RETURN(auto listed, stage_folder(backup, staged));
        tables = std::move(listed);
    } else {
        A2H_TRY(copy_durable(backup, staged.database_file()));
    }
    A2H_ASSIGN_OR_RETURN(const auto checked, check_rows(staged, tables, progress));
    const control::Home& configured = is_folder ? staged : home;
    const auto config = load_config(configured.config_file());
    if (!config) return fail(config.error().with_context("configuration"));
    const UnixMs now_ms = clock.now_ms();
    A2H_ASSIGN_OR_RETURN(const auto safe,
                         prepare_database(staged, *config, first_agent(configured), now_ms));
    A2H_ASSIGN_OR_RETURN(const auto aside, exchange(home, staged, backup, is_folder, now_ms));
    RestoreReport report{aside, is_folder, 0, safe};
    for (const auto& [table, rows] : checked.rows)
        report.rows += rows;
    return report;
}

Result<void> check_no_restore_is_open(const control::Home& home) {
    if (!has_name(home.unfinished_restore_file())) return {};
    const auto backup = read_whole(home.unfinished_restore_file(), kMarkBytesMax);
    const std::string name = backup ? backup->substr(0, backup->find('\n')) : std::string("BACKUP");
    return fail(ErrorCode::Unavailable,
                "a restore of this home was interrupted; finish it with: a2h restore " + name +
                    " --home " + home.root.string());
}

}  // namespace a2h::backup
