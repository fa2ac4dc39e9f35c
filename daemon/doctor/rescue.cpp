#include "daemon/doctor/rescue.h"

#include <algorithm>
#include <system_error>

#include "daemon/backup/backup.h"
#include "daemon/config/config.h"
#include "daemon/doctor/repairs.h"
#include "daemon/kernel/identities.h"

namespace a2h::doctor {
namespace {

namespace fs = std::filesystem;

/// If the configuration cannot be read, no further files are known.
HomeFacts facts_of_home(const control::Home& home, i18n::Language language) {
    HomeFacts facts{.home = home,
                    .language = language,
                    .load_agents = [home] { return kernel::load_agents(home); },
                    .load_human = [home] { return kernel::load_human(home); }};
    const auto loaded = config::load(home.config_file());
    if (loaded) facts.secret_files = secret_files_of(loaded->config);
    return facts;
}

std::vector<Line> lines_of_home(const HomeFacts& facts) {
    std::vector<Line> lines;
    for (const HomeCheck& check : home_checks()) {
        for (const Finding& finding : check.run(facts))
            lines.push_back({check.id, finding});
    }
    return lines;
}

/// Empty if there is no database, because then nothing can be lost.
Result<std::string> back_up(const control::Home& home, const Clock& clock, Progress& progress) {
    std::error_code ignored;
    if (!fs::exists(home.database_file(), ignored)) return std::string();
    const UnixMs now_ms = clock.now_ms();
    A2H_ASSIGN_OR_RETURN(const auto target, backup::backup_target(home, {}, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto written,
                         backup::make_backup(home, target, now_ms, progress, {}));
    return written.path.string();
}

/// Newest by the time in its name; empty if there is none.
fs::path newest_backup(const control::Home& home) {
    fs::path newest;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(home.backups_dir(), ignored)) {
        if (fs::exists(entry.path() / backup::kManifestName, ignored))
            newest = std::max(newest, entry.path());
    }
    return newest;
}

}  // namespace

Line not_running(i18n::Language language, bool has_database) {
    const std::string_view key = has_database ? "daemon_down" : "daemon_new";
    return {"daemon", say(language, State::Failed, key, {})};
}

Line cannot_start(const control::Home& home, i18n::Language language, const Error& why) {
    const auto refusal = [&](std::string_view key, const fs::path& place) {
        return Line{"daemon", say(language, State::Failed, key,
                                  {{"why", why.message}, {"place", place.string()}})};
    };
    if (why.code != ErrorCode::Corrupt) return refusal("daemon_none", home.root);
    const fs::path backup = newest_backup(home);
    return backup.empty() ? refusal("daemon_damaged_alone", home.backups_dir())
                          : refusal("daemon_damaged", backup);
}

Report check_home_alone(const control::Home& home, i18n::Language language, bool fix,
                        const Clock& clock, Progress& progress) {
    Facts facts;
    facts.home = facts_of_home(home, language);
    Report report{lines_of_home(facts.home), {}, {}};
    Findings findings;
    for (const Line& line : report.lines)
        findings.push_back(line.finding);
    const auto wanted = wanted_repairs(findings);
    if (!fix || wanted.empty()) return report;
    const auto backup = back_up(home, clock, progress);
    if (!backup) {
        report.fixed.push_back(
            i18n::text(language, "doctor.fix_none", {{"why", backup.error().message}}));
        return report;
    }
    report.backup = *backup;
    report.fixed = repair_files(facts, wanted);
    report.lines = lines_of_home(facts.home);
    return report;
}

}  // namespace a2h::doctor
