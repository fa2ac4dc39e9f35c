#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/store/report_store.h"
#include "daemon/config/current.h"
#include "daemon/kernel/services.h"
#include "daemon/outcome/commits.h"

namespace a2h::mail {

/// Tells people who wish it what came in and what was answered by rule, as one message for many:
/// at most every `kInterval`, and only when there is something. Counted from the tables of messages
/// themselves, so that a message costs nothing on its way and a restart loses nothing.
///
/// Thread: the loop.
class Reporter {
  public:
    static constexpr std::chrono::seconds kLookEvery{30};
    static constexpr std::chrono::minutes kInterval{10};
    static constexpr int kLinesMax = 8;

    Reporter(const kernel::Services& kernel, const Current<Config>& config,
             const outcome::Commits& commits);

    void start();

  private:
    void look();
    void report(const Person& person);
    void write(const Person& person, const store::Mail& mail, bool tell);

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    const outcome::Commits& commits_;
    std::map<std::string, std::chrono::steady_clock::time_point> next_;  ///< by person
};

/// The body of a "report" notification; kept apart for tests. Pure.
std::string report_body(const Person& person, const store::Mail& mail, i18n::Language language);

}  // namespace a2h::mail
