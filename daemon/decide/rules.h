#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "daemon/reading/trades.h"

namespace a2h::decide {

/// The ordered rules of playbooks/rules.toml with those of an owner's file. Immutable; any thread.
class RuleSet {
  public:
    /// A complete table of rules, such as the built-in one, with the words of `trades`.
    ///
    /// Errors:  InvalidArgument naming line and field, with "did you mean" for an unknown one;
    ///          those of `reading::words_of`.
    static Result<RuleSet> parse(std::string_view toml, std::string_view file_name,
                                 const reading::Trades& trades = {});

    /// The built-in rules with an owner's file. Its rules are evaluated first, a rule with the id
    /// of a built-in one replaces it, `off` removes built-in rules, and words are added to ours. It
    /// cannot weaken the guards: see `review_text`.
    ///
    /// Errors:  as `parse`; ResourceExhausted for more than `kOwnersRulesMax` rules.
    static Result<RuleSet> with_owners(std::string_view toml, std::string_view file_name,
                                       const reading::Trades& trades = {});

    /// Reads `owners_file` and calls `with_owners`. A file that does not exist changes nothing.
    ///
    /// Errors:  also those of reading the file, and ResourceExhausted above `kOwnersFileBytesMax`.
    static Result<RuleSet> load(const std::filesystem::path& owners_file,
                                const reading::Trades& trades = {});

    static constexpr std::size_t kOwnersRulesMax = 5'000;
    static constexpr std::size_t kOwnersFileBytesMax = 1024 * 1024;

    ~RuleSet();
    RuleSet(RuleSet&&) noexcept;
    RuleSet& operator=(RuleSet&&) noexcept;

    /// Identifies words and rules: 16 hexadecimal digits, equal only for equal ones.
    const std::string& version() const;
    std::size_t rule_count() const;
    std::size_t owners_rule_count() const;
    /// True if a rule uses `Input::contact`.
    bool needs_contact() const;
    /// True if a rule uses `Input::mandates`.
    bool needs_mandates() const;

    /// The vocabulary with which the rules read messages.
    const reading::Vocabulary& words() const;

    struct Impl;
    const Impl& impl() const { return *impl_; }

  private:
    explicit RuleSet(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::decide
