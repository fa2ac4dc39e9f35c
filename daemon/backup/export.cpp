#include "daemon/backup/export.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/i18n/messages.h"
#include "core/store/table_dump.h"
#include "daemon/backup/folder.h"
#include "daemon/kernel/identities.h"

namespace a2h::backup {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool is_secret_column(const std::string& table, const std::string& column) {
    if (table == "login") return column == "code" || column == "agent_key";
    return table == "local_agent" && (column == "agent_key" || column == "secret_key");
}

/// One JSON Lines file.
class LinesFile {
  public:
    explicit LinesFile(const fs::path& file) : file_(std::fopen(file.c_str(), "wxe")) {}

    Result<void> write(const json& value) {
        const std::string line = value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
        if (file_ && std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size())
            return {};
        return failed();
    }
    Result<void> close() {
        if (file_ && std::fflush(file_.get()) == 0) return {};
        return failed();
    }

  private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    static Result<void> failed() {
        return fail(errno == ENOSPC || errno == EDQUOT ? ErrorCode::ResourceExhausted
                                                       : ErrorCode::Unavailable,
                    std::string("writing the export: ") + std::strerror(errno));
    }
    std::unique_ptr<std::FILE, Closer> file_;
};

/// The value of a JSON column as JSON; text that is no valid JSON stays a string.
json value_of(const std::string& column, const store::Cell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) return nullptr;
    if (!column.ends_with("_json")) return *text;
    json value = json::parse(*text, nullptr, false);
    return value.is_discarded() ? json(*text) : value;
}

/// Writes one file for each table and counts tables and rows.
class TablesWriter {
  public:
    TablesWriter(fs::path folder, bool with_secrets, Progress& progress, ExportReport& report)
        : folder_(std::move(folder)),
          with_secrets_(with_secrets),
          progress_(progress),
          report_(report) {}

    Result<void> begin(const std::string& table, std::span<const std::string> columns,
                       std::int64_t rows) {
        table_ = table;
        columns_.assign(columns.begin(), columns.end());
        total_ += rows;
        ++report_.tables;
        lines_.emplace(folder_ / (table + ".jsonl"));
        return {};
    }
    Result<void> row(std::span<const store::Cell> cells) {
        json object = json::object();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (!with_secrets_ && is_secret_column(table_, columns_[i])) continue;
            object[columns_[i]] = value_of(columns_[i], cells[i]);
        }
        progress_.show("progress.export", static_cast<std::uint64_t>(++report_.rows),
                       static_cast<std::uint64_t>(total_));
        return lines_->write(object);
    }
    Result<void> end() {
        names_.push_back(table_);
        return lines_->close();
    }
    const std::vector<std::string>& names() const { return names_; }

  private:
    const fs::path folder_;
    const bool with_secrets_;
    Progress& progress_;
    ExportReport& report_;
    std::string table_;
    std::vector<std::string> columns_;
    std::vector<std::string> names_;
    std::int64_t total_ = 0;
    std::optional<LinesFile> lines_;
};

std::string readme_part(i18n::Language language, const std::vector<std::string>& tables,
                        bool with_secrets, UnixMs now_ms) {
    std::string text = "# " + i18n::text(language, "export.title") + "\n\n" +
                       i18n::text(language, "export.about", {{"time", to_utc_time(now_ms)}}) +
                       "\n\n" +
                       i18n::text(language, with_secrets ? "export.secrets" : "export.no_secrets") +
                       "\n\n" + i18n::text(language, "export.columns") + "\n\n";
    const std::string colon = i18n::text(language, "export.colon");
    text += "- `identities.jsonl`" + colon + i18n::text(language, "export.identities") + "\n";
    text += "- `rules.toml`" + colon + i18n::text(language, "export.rules") + "\n";
    for (const std::string& table : tables) {
        const std::string key = "export.table." + table;
        text += "- `" + table + ".jsonl`";
        if (i18n::has_key(language, key)) text += colon + i18n::text(language, key);
        text += "\n";
    }
    return text;
}

Result<void> write_identities(const control::Home& home, const fs::path& folder) {
    A2H_ASSIGN_OR_RETURN(const auto agents, kernel::load_agents(home));
    LinesFile lines(folder / "identities.jsonl");
    for (const auto& agent : agents) {
        A2H_TRY(lines.write({{"agent_id", agent.account.agent_id},
                             {"name", agent.name},
                             {"api_base", agent.account.api_base},
                             {"mqtt_url", agent.mqtt_url},
                             {"key_id", agent.account.keys.key_pair.key_id},
                             {"public_key", agent.account.keys.key_pair.public_key}}));
    }
    return lines.close();
}

bool has_file(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

Result<void> copy_secrets(const control::Home& home, const fs::path& folder) {
    for (const fs::path& file : {home.human_file(), home.config_file()})
        if (has_file(file)) A2H_TRY(copy_durable(file, folder / file.filename()));
    A2H_TRY(make_new_folder(folder / "agents"));
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(home.agents_dir(), ignored))
        if (entry.path().extension() == ".json")
            A2H_TRY(copy_durable(entry.path(), folder / "agents" / entry.path().filename()));
    return {};
}

Result<void> fill_export(const control::Home& home, const fs::path& folder, UnixMs now_ms,
                         Progress& progress, std::stop_token stop, ExportReport& report) {
    A2H_TRY(make_new_folder(folder));
    TablesWriter tables(folder, report.has_secrets, progress, report);
    A2H_TRY(
        store::read_tables(home.database_file(),
                           {[&](const std::string& table, std::span<const std::string> columns,
                                std::int64_t rows) { return tables.begin(table, columns, rows); },
                            [&](std::span<const store::Cell> cells) { return tables.row(cells); },
                            [&] { return tables.end(); }},
                           stop));
    A2H_TRY(write_identities(home, folder));
    if (has_file(home.rules_file()))
        A2H_TRY(copy_durable(home.rules_file(), folder / home.rules_file().filename()));
    std::error_code ignored;
    for (const auto& trade : fs::directory_iterator(home.trades_dir(), ignored)) {
        if (trade.path().extension() == ".toml")
            A2H_TRY(
                copy_durable(trade.path(), folder / ("trade-" + trade.path().filename().string())));
    }
    if (report.has_secrets) A2H_TRY(copy_secrets(home, folder));
    A2H_TRY(write_durable(
        folder / "README.md",
        readme_part(i18n::Language::English, tables.names(), report.has_secrets, now_ms) + "\n" +
            readme_part(i18n::Language::Chinese, tables.names(), report.has_secrets, now_ms)));
    return flush_folder(folder);
}

}  // namespace

Result<ExportReport> export_home(const control::Home& home, const fs::path& target,
                                 bool with_secrets, UnixMs now_ms, Progress& progress,
                                 std::stop_token stop) {
    const fs::path partial = target.parent_path() / ("." + target.filename().string() + ".partial");
    std::error_code ignored;
    fs::remove_all(partial, ignored);
    ExportReport report{target, 0, 0, with_secrets};
    auto done = fill_export(home, partial, now_ms, progress, std::move(stop), report);
    if (done) done = rename_new(partial, target);
    progress.end();
    if (done) return report;
    fs::remove_all(partial, ignored);
    return fail(done.error().with_context("nothing was exported"));
}

}  // namespace a2h::backup
