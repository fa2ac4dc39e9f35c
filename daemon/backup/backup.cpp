#include "daemon/backup/backup.h"

#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/control/progress_file.h"
#include "core/platform/identity.h"
#include "core/store/copy.h"
#include "core/wire/crypto.h"
#include "daemon/backup/folder.h"

namespace a2h::backup {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kNamesTried = 100;

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

/// "a2h-backup-20261122T044010Z"
std::string stamped_name(const char* what, UnixMs now_ms) {
    std::string stamp = to_utc_time(now_ms).substr(0, 19);
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
    return "a2h-" + std::string(what) + "-" + stamp + "Z";
}

Result<fs::path> new_name_in(const fs::path& folder, const char* what, UnixMs now_ms) {
    const fs::path first = folder / stamped_name(what, now_ms);
    if (!is_there(first)) return first;
    for (int i = 2; i < kNamesTried; ++i) {
        const fs::path other = first.string() + "-" + std::to_string(i);
        if (!is_there(other)) return other;
    }
    return fail(ErrorCode::Conflict, first.string() + " already exists");
}

/// A folder or file that is not complete yet, under a name that is not taken for a backup. It is
/// removed unless it was renamed.
class Partial {
  public:
    explicit Partial(const fs::path& target)
        : path_(target.parent_path() / ("." + target.filename().string() + ".partial")) {
        remove();
    }
    ~Partial() { remove(); }
    Partial(const Partial&) = delete;
    Partial& operator=(const Partial&) = delete;

    const fs::path& path() const { return path_; }

  private:
    void remove() {
        std::error_code ignored;  // a leftover is not taken for a backup
        fs::remove_all(path_, ignored);
    }
    fs::path path_;
};

/// The home's files beside the database, by their names in a backup.
std::vector<fs::path> files_beside(const control::Home& home) {
    std::vector<fs::path> files;
    for (const fs::path& file : {home.human_file(), home.config_file(), home.rules_file()})
        if (is_there(file)) files.push_back(file.lexically_relative(home.root));
    const auto add = [&](const fs::path& folder, const char* extension) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (entry.path().extension() == extension)
                files.push_back(entry.path().lexically_relative(home.root));
    };
    add(home.agents_dir(), ".json");
    add(home.trades_dir(), ".toml");
    return files;
}

Result<void> add_hash(json& files, const fs::path& folder, const fs::path& name) {
    A2H_ASSIGN_OR_RETURN(const auto hash, wire::sha256_hex_of_file(folder / name));
    files[name.generic_string()] = hash;
    return {};
}

json agent_ids(const std::vector<fs::path>& files) {
    json ids = json::array();
    for (const fs::path& file : files)
        if (file.parent_path() == "agents") ids.push_back(file.stem().string());
    return ids;
}

Result<store::CopyReport> fill_folder(const control::Home& home, const fs::path& folder,
                                      UnixMs now_ms, Progress& progress, std::stop_token stop) {
    A2H_TRY(make_new_folder(folder));
    A2H_TRY(make_new_folder(folder / "agents"));
    A2H_TRY(make_new_folder(folder / "trades"));
    const std::vector<fs::path> beside = files_beside(home);
    json hashes = json::object();
    for (const fs::path& name : beside) {
        A2H_TRY(copy_durable(home.root / name, folder / name));
        A2H_TRY(add_hash(hashes, folder, name));
    }
    const fs::path database = home.database_file().filename();
    auto copied = store::copy_database(home.database_file(), folder / database, progress, stop);
    if (!copied) return copied;
    A2H_TRY(add_hash(hashes, folder, database));
    const json manifest{{"format", kManifestFormat},
                        {"version", kManifestVersion},
                        {"program", "a2hd " A2H_VERSION},
                        {"schema", copied->schema},
                        {"created_at", to_utc_time(now_ms)},
                        {"agents", agent_ids(beside)},
                        {"tables", copied->rows},
                        {"files", std::move(hashes)}};
    A2H_TRY(write_durable(folder / kManifestName, manifest.dump(2) + "\n"));
    A2H_TRY(flush_folder(folder / "agents"));
    A2H_TRY(flush_folder(folder / "trades"));
    A2H_TRY(flush_folder(folder));
    return copied;
}

std::uint64_t bytes_of(const fs::path& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return fs::file_size(path, ignored);
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path, ignored))
        if (entry.is_regular_file(ignored)) bytes += entry.file_size(ignored);
    return bytes;
}

Result<fs::path> named_target(const fs::path& wanted, const char* what, UnixMs now_ms) {
    if (!wanted.is_absolute())
        return invalid("\"" + wanted.string() + "\" is not an absolute path");
    std::error_code ignored;
    if (fs::is_directory(wanted, ignored)) return new_name_in(wanted, what, now_ms);
    fs::path target = wanted.lexically_normal();
    if (!target.has_filename()) target = target.parent_path();
    if (!is_there(target)) return target;
    return fail(ErrorCode::Conflict, target.string() + " already exists; name another place");
}

}  // namespace

Result<fs::path> backup_target(const control::Home& home, const fs::path& wanted, UnixMs now_ms) {
    if (!wanted.empty()) return named_target(wanted, "backup", now_ms);
    A2H_TRY(platform::make_private_folder(home.backups_dir()));
    return new_name_in(home.backups_dir(), "backup", now_ms);
}

Result<fs::path> export_target(const fs::path& wanted, UnixMs now_ms) {
    return named_target(wanted, "export", now_ms);
}

Result<BackupReport> make_backup(const control::Home& home, const fs::path& target, UnixMs now_ms,
                                 Progress& progress, std::stop_token stop) {
    const Partial partial(target);
    const bool alone = target.extension() == ".db";
    auto copied = alone ? store::copy_database(home.database_file(), partial.path(), progress, stop)
                        : fill_folder(home, partial.path(), now_ms, progress, stop);
    progress.end();
    if (!copied) return fail(copied.error().with_context("no backup was written"));
    A2H_TRY(rename_new(partial.path(), target));
    BackupReport report{target, !alone, copied->schema, 0, bytes_of(target)};
    for (const auto& [table, rows] : copied->rows)
        report.rows += rows;
    return report;
}

Backups::Backups(control::Home home, const Clock& clock, Poster& poster)
    : home_(std::move(home)), clock_(clock), poster_(poster) {}

Backups::~Backups() = default;

template <typename Report>
void Backups::run(std::function<Result<Report>(Progress&, UnixMs, std::stop_token)> job,
                  std::function<void(Result<Report>)> done) {
    if (under_way_) {
        done(fail(ErrorCode::Conflict, "a backup or an export is already being written"));
        return;
    }
    under_way_ = true;
    thread_ =
        std::jthread([this, job = std::move(job), done = std::move(done)](std::stop_token stop) {
            control::ProgressFile progress(home_.progress_file());
            auto report = job(progress, clock_.now_ms(), stop);
            poster_.post([this, done, report = std::move(report)]() mutable {
                under_way_ = false;
                done(std::move(report));
            });
        });
}

void Backups::start(const fs::path& wanted, Done done) {
    run<BackupReport>(
        [this, wanted](Progress& progress, UnixMs now_ms,
                       std::stop_token stop) -> Result<BackupReport> {
            A2H_ASSIGN_OR_RETURN(const auto target, backup_target(home_, wanted, now_ms));
            return make_backup(home_, target, now_ms, progress, std::move(stop));
        },
        std::move(done));
}

void Backups::start_export(const fs::path& wanted, bool with_secrets,
                           std::function<void(Result<ExportReport>)> done) {
    run<ExportReport>(
        [this, wanted, with_secrets](Progress& progress, UnixMs now_ms,
                                     std::stop_token stop) -> Result<ExportReport> {
            A2H_ASSIGN_OR_RETURN(const auto target, export_target(wanted, now_ms));
            return export_home(home_, target, with_secrets, now_ms, progress, std::move(stop));
        },
        std::move(done));
}

}  // namespace a2h::backup
