#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/control/home.h"
#include "daemon/decide/rules.h"

namespace a2h {

/// The rules that decide now: ours over the words of the trades that were chosen, with the owner's
/// file over them. What cannot be used changes nothing: without anything usable before it, ours
/// decide alone. Thread: the loop.
class CurrentRules {
  public:
    /// Of the owner's files in `home`; `chosen` are the trades of the configuration.
    CurrentRules(const control::Home& home, std::vector<std::string> chosen);

    /// Stays at its place; `reload` changes what is in it.
    const decide::RuleSet& rules() const { return rules_; }
    /// Which trades are chosen.
    const reading::Trades& trades() const { return trades_; }
    /// Why the owner's files are not used; empty when it is or when there is none.
    const std::string& problem() const { return problem_; }

    /// Reads the files again. Errors: those of `RuleSet::load`; `problem` says so then.
    Result<void> reload();
    /// Other trades from now on, if they are others. What cannot be read is logged.
    void choose(const std::vector<std::string>& trades);

  private:
    std::filesystem::path owners_file_;
    reading::Trades trades_;
    decide::RuleSet rules_;
    std::string problem_;
};

}  // namespace a2h
