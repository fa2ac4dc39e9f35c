#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/control/home.h"
#include "daemon/decide/rules.h"

namespace a2h {

/// The rules in use: the built-in ones with the words of the selected trades, extended by the
/// owner's file. A file that cannot be used changes nothing; without an earlier usable one, only
/// the built-in rules apply.
///
/// Thread:  the loop.
class CurrentRules {
  public:
    /// Uses the owner's files in `home`; `chosen` are the trades of the configuration.
    CurrentRules(const control::Home& home, std::vector<std::string> chosen);

    /// The reference stays valid; `reload` changes the content.
    const decide::RuleSet& rules() const { return rules_; }
    /// The selected trades.
    const reading::Trades& trades() const { return trades_; }
    /// Why the owner's files are not used; empty if they are used or if there are none.
    const std::string& problem() const { return problem_; }

    /// Reads the files again.
    ///
    /// Errors:  those of `RuleSet::load`; `problem` then holds the reason.
    Result<void> reload();
    /// Selects other trades if they differ. Files that cannot be read are logged.
    void choose(const std::vector<std::string>& trades);

  private:
    std::filesystem::path owners_file_;
    reading::Trades trades_;
    decide::RuleSet rules_;
    std::string problem_;
};

}  // namespace a2h
