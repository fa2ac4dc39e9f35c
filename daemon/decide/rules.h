#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "daemon/reading/trades.h"

namespace a2h::decide {

/// The ordered rules of playbooks/rules.toml, and those that an owner put over them. Immutable; any
/// thread.
class RuleSet {
  public:
    /// A whole table of its own, as ours is, over the words of `trades`.
    /// Errors: InvalidArgument naming line and field, with "did you mean" for an unknown one; those
    /// of `reading::words_of`.
    static Result<RuleSet> parse(std::string_view toml, std::string_view file_name,
                                 const reading::Trades& trades = {});

    /// Our table with an owner's file over it: its rules are looked at first, a rule with the id of
    /// one of ours takes that one's place, `off` names rules of ours that do not apply, words come
    /// on top of ours. Nothing in it can weaken what guards answers: see `review_text`.
    /// Errors: as `parse`; ResourceExhausted for more than `kOwnersRulesMax` rules.
    static Result<RuleSet> with_owners(std::string_view toml, std::string_view file_name,
                                       const reading::Trades& trades = {});

    /// As `with_owners`; a file that does not exist changes nothing.
    /// Errors: also those of reading it, and ResourceExhausted over `kOwnersFileBytesMax`.
    static Result<RuleSet> load(const std::filesystem::path& owners_file,
                                const reading::Trades& trades = {});

    static constexpr std::size_t kOwnersRulesMax = 5'000;
    static constexpr std::size_t kOwnersFileBytesMax = 1024 * 1024;

    ~RuleSet();
    RuleSet(RuleSet&&) noexcept;
    RuleSet& operator=(RuleSet&&) noexcept;

    /// The same for the same words and rules only: 16 hexadecimal digits.
    const std::string& version() const;
    std::size_t rule_count() const;
    std::size_t owners_rule_count() const;
    /// True when `Input::contact` is looked at.
    bool needs_contact() const;
    /// The same of `Input::mandates`.
    bool needs_mandates() const;

    /// With which the rules read messages.
    const reading::Vocabulary& words() const;

    struct Impl;
    const Impl& impl() const { return *impl_; }

  private:
    explicit RuleSet(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The rules that this program was built with, over the words of all trades. Thread: any.
const RuleSet& built_in_rules();

}  // namespace a2h::decide
