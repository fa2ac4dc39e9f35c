#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/store/report_store.h"
#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"

namespace a2h::upkeep {

/// Reports to people who have enabled it what was received and what was answered by rule, many
/// messages in one report: at most one every `kInterval`, and only if there is something. It is
/// computed from the message tables, so it costs nothing while messages are processed, and a
/// restart loses nothing.
///
/// Thread:  the loop.
class Reporter {
  public:
    static constexpr std::chrono::seconds kCheckEvery{30};
    static constexpr std::chrono::minutes kInterval{10};
    static constexpr int kLinesMax = 8;

    Reporter(const kernel::Kernel& kernel, const Current<Config>& config,
             const outcome::Commits& commits);

    void start();

  private:
    void check();
    void report(const Person& person);
    void write(const Person& person, const store::Mail& mail, bool notifies);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const outcome::Commits& commits_;
    std::map<std::string, std::chrono::steady_clock::time_point> next_;  ///< keyed by person
};

/// The body of a "report" notification, separate for tests. Pure.
std::string report_body(const Person& person, const store::Mail& mail, i18n::Language language);

}  // namespace a2h::upkeep
