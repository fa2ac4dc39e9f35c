#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/config/current.h"
#include "daemon/consent/carrier.h"
#include "daemon/context/agent.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/kernel/metrics.h"
#include "daemon/outcome/commits.h"
#include "daemon/trade/attempt.h"
#include "daemon/trade/listing_sync.h"

namespace a2h::trade {

/// Makes the approved calls of the market. The yes is used before the call. Before the call the
/// market is read again; if anything that the yes covers has changed (`is_yes_to`: amount, party,
/// words, dates), nothing is done, and the human is asked again.
///
/// A call that reached no server is repeated after each of `kDelays`, and then has failed. A lost
/// answer, also after a crash, is settled at once and after each of `kDelays`; then the outcome is
/// *unknown*. A market with our rules repeats its first answer to the same key, so a call that
/// creates something is repeated there; every other call is read back. A call that a mandate has
/// approved is repeated only if the mandate would still give its yes. The human is notified of
/// failed and unknown outcomes.
///
/// The calls of one agent with the same `consent::ActionRow::market_lane` are made one after the
/// other, in the order of the yeses, so that each is compared with the state after the one before.
///
/// Errors:  none is returned; a call that fails becomes the outcome of its approval.
/// Thread:  the loop; requests run on workers.
class MarketCalls final : public consent::MarketCaller {
  public:
    static constexpr std::chrono::seconds kDelays[] = {
        std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(20)};

    MarketCalls(const kernel::Kernel& kernel, const Current<Config>& config,
                kernel::Metrics& metrics, Agents& agents, ListingSync& listings,
                const UnreadMail& unread_mail, const outcome::Commits& commits);

    void call(const Approval& approval, bool is_late) override;
    void settle(const Approval& approval) override;

  private:
    void in_turn(const Approval& approval, std::function<void()> begin);
    void end_turn(const Approval& approval);
    void run(const Approval& approval, Attempt attempt, bool is_late);
    void run_later(const Approval& approval, Attempt attempt);
    void run_judged(const Approval& approval, Attempt attempt);
    void finish(const Approval& approval, const AttemptResult& result);
    Result<void> store_result(store::Database& db, const Approval& approval,
                              const AttemptResult& result, UnixMs now_ms) const;

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    kernel::Metrics& metrics_;
    Agents& agents_;
    ListingSync& listings_;
    const UnreadMail& unread_mail_;
    const outcome::Commits& commits_;
    /// By agent and lane: the calls that wait, behind the one that is being made.
    std::map<std::string, std::deque<std::function<void()>>> lanes_;
};

}  // namespace a2h::trade
