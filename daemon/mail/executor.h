#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/approval.h"
#include "core/domain/demand.h"
#include "core/store/database.h"
#include "daemon/config/current.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"
#include "daemon/mail/listing_sync.h"
#include "daemon/outcome/commits.h"

namespace a2h::mail {

/// Carries out approved actions that are more than a reply: by the row of the action
/// (`consent::ActionRow::carry_out`), by its carrier, or as a call of the market. Each approval
/// is consumed before anything is done, so it can be used once. Before a call the market is looked
/// at again: when the amount is no longer what the human agreed to, nothing is done.
///
/// A call that reached nobody is made again after each of `kDelays`, then it failed. A lost answer,
/// also one that a crash cut off, is settled by reading the market back, at once and after each of
/// `kDelays`; then the outcome is *unknown*. The human is told of what failed or is unknown.
///
/// Thread: the loop; requests run on workers.
class Executor {
  public:
    static constexpr std::chrono::seconds kDelays[] = {
        std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(20)};

    /// `carriers` carry out the actions that they are for; every other action without a row of its
    /// own is a call of the market.
    Executor(const kernel::Services& kernel, const Current<Config>& config,
             kernel::Metrics& metrics, Agents& agents, ListingSync& listings,
             consent::Carriers carriers, const outcome::Commits& commits);

    /// Call once for an approved approval whose outcome is None.
    void execute(const Approval& approval);
    /// Takes up at start what was approved but not executed, or was cut off while executing.
    void resume();

  private:
    enum class Step { Call, ReadBack };
    struct Attempt {
        ApprovalOutcome outcome = ApprovalOutcome::Unknown;
        std::string detail;  ///< what people and assistants are told; JSON when executed
        bool is_final = true;
        Step next = Step::ReadBack;  ///< unless final
        /// What would be asked now: it is not what the yes was for, so it is asked.
        std::optional<consent::Ask> again{};
    };
    Attempt call(platform::Client& market, const Approval& approval, bool has_our_rules) const;
    static Attempt read_back(platform::Client& market, const Approval& approval);
    Attempt settle(platform::Client& market, const Approval& approval, bool has_our_rules) const;

    void settle_at_once(const Approval& approval);
    void hand_over(const Approval& approval);
    void not_carried_out(const Approval& approval, const Error& error);
    void fail_unused(const Approval& approval, const std::string& why);
    void run(const Approval& approval, Step step, std::size_t tries);
    void finish(const Approval& approval, const Attempt& attempt);
    Result<void> store_attempt(store::Database& db, const Approval& approval,
                               const Attempt& attempt, UnixMs now_ms) const;

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    kernel::Metrics& metrics_;
    Agents& agents_;
    ListingSync& listings_;
    const consent::Carriers carriers_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::mail
