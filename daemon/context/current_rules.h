#pragma once

#include <filesystem>
#include <string>

#include "daemon/decide/rules.h"

namespace a2h {

/// The rules that decide now: ours with the owner's file over them. A file that cannot be used
/// changes nothing: without a usable one before it, ours decide alone. Thread: the loop.
class CurrentRules {
  public:
    explicit CurrentRules(std::filesystem::path owners_file);

    /// Stays at its place; `reload` changes what is in it.
    const decide::RuleSet& rules() const { return rules_; }
    /// Why the owner's file is not used; empty when it is or when there is none.
    const std::string& problem() const { return problem_; }

    /// Reads the file again. Errors: those of `RuleSet::load`; `problem` says so then.
    Result<void> reload();

  private:
    std::filesystem::path owners_file_;
    decide::RuleSet rules_;
    std::string problem_;
};

}  // namespace a2h
