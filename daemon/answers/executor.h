#pragma once

#include <string>

#include "core/domain/approval.h"
#include "daemon/config/current.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"

namespace a2h::answers {

/// Carries out approved actions other than replies: by the row of the action
/// (`consent::ActionRow::carry_out`), by its carrier, or as a call of the market if its row says so
/// (`market_lane`). An action with none of them fails. Each yes is used once: by its row in the
/// transaction that does what was approved, by its carrier in the one that stores the result, and
/// for a call of the market before the call.
///
/// Thread:  the loop.
class Executor {
  public:
    /// `carriers` carry out their own actions.
    Executor(const kernel::Kernel& kernel, const Current<Config>& config, const Agents& agents,
             consent::Carriers carriers, consent::MarketCaller& market,
             const outcome::Commits& commits);

    /// Call once for an approved approval whose outcome is None.
    void execute(const Approval& approval);
    /// At the start, continues approvals that were not carried out or were interrupted.
    void resume();

  private:
    bool is_answer_recorded(const Approval& approval);
    void carry_out(const Approval& approval, bool is_late);
    void continue_interrupted(const Approval& approval);
    void settle_at_once(const Approval& approval);
    void hand_over(const Approval& approval);
    void not_carried_out(const Approval& approval, const Error& error);
    void end_undone(const Approval& approval, const std::string& why);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const Agents& agents_;
    const consent::Carriers carriers_;
    consent::MarketCaller& market_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::answers
