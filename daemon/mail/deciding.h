#pragma once

#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/rules.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/outcome.h"
#include "daemon/stages/flow.h"

namespace a2h::mail {

/// How rules decide about a message, and what follows: reads what is known, decides, and returns
/// the effects of the decision. Writes nothing.
///
/// Errors:  of `snapshot`: those of the database.
/// Thread:  the loop.
class Deciding final : public stages::Deciding {
  public:
    Deciding(const kernel::Kernel& kernel, const Current<Config>& config,
             const decide::RuleSet& rules, const Agents& agents)
        : kernel_(kernel), config_(config), rules_(rules), agents_(agents) {}

    Result<decide::Input> snapshot(const InboxMessage& message) const override;
    /// A decision that needs a draft becomes a question unless `can_draft`.
    decide::Decision decision_for(const decide::Input& input, bool can_draft) const;
    outcome::Effects effects_of(const Job& job, const InboxMessage& message,
                                const decide::Input& input,
                                decide::Decision decision) const override;

  private:
    consent::Question question(const Job& job, const decide::Input& input,
                               const decide::Decision& decision) const;

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const decide::RuleSet& rules_;
    const Agents& agents_;
};

}  // namespace a2h::mail
