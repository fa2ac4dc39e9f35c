#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/control/home.h"
#include "daemon/backup/backup.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/context/current_rules.h"
#include "daemon/doctor/facts.h"
#include "daemon/health/listening.h"
#include "daemon/kernel/kernel.h"
#include "daemon/kernel/workers.h"
#include "daemon/leading/leaders.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/outcome/commits.h"

namespace a2h::doctor {

struct Options {
    i18n::Language language = i18n::Language::English;
    bool full = false;        ///< include slow checks
    bool notify = false;      ///< send a test notification on each channel
    bool fix = false;         ///< repair what is safe to repair, after a backup
    std::string cli_version;  ///< version of `a2h`; empty if unknown
};

struct Line {
    std::string_view check;  ///< id of the check, see docs/operations.md
    Finding finding;
};

struct Report {
    std::vector<Line> lines;         ///< in the order of the table of checks
    std::vector<std::string> fixed;  ///< what `fix` did, in words
    std::string backup;  ///< the backup written before repairs; empty if nothing was repaired
};

/// Checks everything that an installation needs and reports one line for each finding.
///
/// The checks are rows of tables (`home_checks`, `network_checks`, …). They run on four workers
/// that exist only during a run; canaries and other parts that belong to the loop run on the loop.
/// A check that does not finish within `kPatience` (`kPatienceFull` with `full`) is reported as not
/// checked.
///
/// Thread:  the loop. The destructor waits for checks that are still running.
class Doctor {
  public:
    static constexpr std::chrono::seconds kPatience{20};
    static constexpr std::chrono::minutes kPatienceFull{5};

    /// The objects that are checked; all of them must outlive the doctor.
    struct Subjects {
        const kernel::Kernel& kernel;
        const Current<Config>& config;
        const Agents& agents;
        const Current<notify::Audience>& audience;
        const CurrentRules& rules;
        const leading::Leaders& leaders;
        health::Listening* listening;     ///< null if no agent is connected
        const std::string& page_problem;  ///< why the page is not served; empty: it is served
        control::Home home;
        backup::Backups& backups;
        const outcome::Commits& commits;
    };
    explicit Doctor(Subjects subjects);

    using Done = std::function<void(const Result<Report>&)>;
    /// `done` runs on the loop.
    ///
    /// Errors:  Conflict while another run is in progress; with `fix` those of the backup.
    void run(const Options& options, Done done);

  private:
    struct Round;
    using Finished = std::function<void(std::vector<Line>)>;

    Facts gather(const Options& options) const;
    void run_checks(const Options& options, Finished finished);
    void start_on_worker(const std::shared_ptr<Round>& round, std::string_view id,
                         std::function<Findings()> check);
    void start_canaries(const std::shared_ptr<Round>& round);
    void start_channels(const std::shared_ptr<Round>& round, bool notify);
    std::size_t add(const std::shared_ptr<Round>& round, std::string_view id);
    void take(const std::shared_ptr<Round>& round, std::size_t place, Findings findings);
    void end(const std::shared_ptr<Round>& round);
    void rest();
    void finish(const Options& options, std::vector<Line> lines, const Done& done);
    void repair(const Options& options, std::vector<Line> lines, std::string backup,
                const Done& done);
    void check_again(Options options, const std::shared_ptr<Report>& report, const Done& done);

    const Subjects subjects_;
    bool at_work_ = false;
    std::size_t running_ = 0;  ///< checks on workers, including those of earlier runs
    std::unique_ptr<Workers> workers_;
};

}  // namespace a2h::doctor
