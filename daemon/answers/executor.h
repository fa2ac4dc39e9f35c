#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/config/current.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/services.h"
#include "daemon/outcome/commits.h"
#include "daemon/trade/listing_sync.h"

namespace a2h::answers {

/// Carries out approved actions other than replies: by the row of the action
/// (`consent::ActionRow::carry_out`), by its carrier, or as a call of the market. Each yes is used
/// once: by its row in the transaction that does what was approved, by its carrier in the one that
/// stores the result, and for a call of the market before the call. Before a call the market is
/// read again; if anything that the yes covers has changed (`trade::is_yes_to`: amount, party,
/// words, dates), nothing is done, and the human is asked again.
///
/// A call that reached no server is repeated after each of `kDelays`, and then has failed. A lost
/// answer, also after a crash, is settled at once and after each of `kDelays`; then the outcome is
/// *unknown*. A market with our rules repeats its first answer to the same key, so a call that
/// creates something is repeated there; every other call is read back. A call that a mandate has
/// approved is repeated only if the mandate would still give its yes. The human is notified of
/// failed and unknown outcomes.
///
/// The calls of one agent about the same kind of thing are made one after the other, in the order
/// of the yeses, so that each is compared with the state after the one before.
///
/// Thread:  the loop; requests run on workers.
class Executor {
  public:
    static constexpr std::chrono::seconds kDelays[] = {
        std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(20)};

    /// `carriers` carry out their own actions. Every other action without a row of its own is a
    /// call of the market.
    Executor(const kernel::Services& kernel, const Current<Config>& config,
             kernel::Metrics& metrics, Agents& agents, trade::ListingSync& listings,
             const UnreadMail& unread_mail, consent::Carriers carriers,
             const outcome::Commits& commits);

    /// Call once for an approved approval whose outcome is None.
    void execute(const Approval& approval);
    /// At the start, continues approvals that were not carried out or were interrupted.
    void resume();

  private:
    enum class Step { Call, ReadBack };
    struct Attempt {
        ApprovalOutcome outcome = ApprovalOutcome::Unknown;
        std::string detail;  ///< the result for people and assistants; JSON if executed
        bool is_final = true;
        Step next = Step::ReadBack;  ///< unless final
        /// The question that would be asked now. It differs from what the yes was for, so it is
        /// asked.
        std::optional<consent::Ask> again{};
        bool was_sent = false;   ///< the market may have carried out the call
        bool is_unread = false;  ///< the market could not be read back
    };
    /// The facts that a worker needs about one attempt.
    struct Task {
        Step step = Step::Call;
        std::size_t tries = 0;
        /// An earlier attempt may have been carried out, so a market that cannot be read or shows
        /// another state proves nothing.
        bool was_sent = false;
        bool has_our_rules = false;
        /// The market answers a repeated call with what the first one created. On other markets a
        /// similar object counts as the result.
        bool is_idempotent = false;
        bool may_call = true;          ///< false: only check whether it was done
        std::string listing_digest{};  ///< the one that the mandate was given for; empty: any
        std::string taken{};           ///< see `consent::LostCall`
    };
    Attempt attempt(platform::Client& market, const Approval& approval, const Task& task) const;
    Attempt call(platform::Client& market, const Approval& approval, const Task& task) const;
    Attempt after_failure(platform::Client& market, const Approval& approval, const Task& task,
                          const Result<nlohmann::json>& data) const;
    static Attempt read_back(platform::Client& market, const Approval& approval, const Task& task);
    Attempt settle(platform::Client& market, const Approval& approval, const Task& task) const;

    bool is_answer_recorded(const Approval& approval);
    void carry_out(const Approval& approval, bool is_late);
    void settle_at_once(const Approval& approval);
    void hand_over(const Approval& approval);
    void not_carried_out(const Approval& approval, const Error& error);
    void fail_unused(const Approval& approval, const std::string& why);
    void in_turn(const Approval& approval, std::function<void()> begin);
    void end_turn(const Approval& approval);
    void run(const Approval& approval, Task task, bool is_late);
    void run_later(const Approval& approval, Task task);
    void run_judged(const Approval& approval, Task task);
    void finish(const Approval& approval, const Attempt& attempt);
    Result<void> store_attempt(store::Database& db, const Approval& approval,
                               const Attempt& attempt, UnixMs now_ms) const;

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    kernel::Metrics& metrics_;
    Agents& agents_;
    trade::ListingSync& listings_;
    const UnreadMail& unread_mail_;
    const consent::Carriers carriers_;
    const outcome::Commits& commits_;
    /// By agent and kind of thing: the calls that wait, behind the one that is being made.
    std::map<std::string, std::deque<std::function<void()>>> lanes_;
};

}  // namespace a2h::answers
