#pragma once

#include <memory>
#include <string_view>

#include "core/base/result.h"

namespace a2h::decide {

/// The ordered rules of playbooks/rules.toml, compiled once. Immutable; any thread.
class RuleSet {
  public:
    /// Errors: InvalidArgument naming line and field, with "did you mean" for an unknown one.
    static Result<RuleSet> parse(std::string_view toml, std::string_view file_name);

    ~RuleSet();
    RuleSet(RuleSet&&) noexcept;
    RuleSet& operator=(RuleSet&&) noexcept;

    struct Impl;
    const Impl& impl() const { return *impl_; }

  private:
    explicit RuleSet(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The playbook that this program was built with. Reviews and drafts read with its words whatever
/// rules decide, so that no edited playbook can weaken them. Thread: any.
const RuleSet& built_in_rules();

}  // namespace a2h::decide
