#include "daemon/answers/executor.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/store/approval_store.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/way.h"

namespace a2h::answers {
namespace {

using nlohmann::json;

constexpr std::string_view kChanged =
    "the audit holds no such answer: the row was changed in the database, and nothing was done";
constexpr std::string_view kChangedMeanwhile =
    "the row was changed in the database while it was being carried out; check whether it was done";

/// For an action without a way to carry it out: of another version, or of a row without one.
std::string nobody_carries_out(const Approval& approval) {
    return "a2hd does not know how to carry out " + approval.action;
}

bool is_market_call(const Approval& approval) {
    return !consent::row_of(approval.action).market_lane.empty();
}

}  // namespace

Executor::Executor(const kernel::Kernel& kernel, const Current<Config>& config,
                   const Agents& agents, consent::Carriers carriers, consent::MarketCaller& market,
                   const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      agents_(agents),
      carriers_(std::move(carriers)),
      market_(market),
      commits_(commits) {}

void Executor::execute(const Approval& approval) {
    carry_out(approval, false);
}

void Executor::resume() {
    if (const auto unused = store::unused_approvals(kernel_.reader)) {
        for (const Approval& approval : *unused)
            carry_out(approval, true);
    }
    if (const auto interrupted = store::executing_approvals(kernel_.reader)) {
        for (const Approval& approval : *interrupted)
            continue_interrupted(approval);
    }
}

/// `is_late`: it could not be done at once.
void Executor::carry_out(const Approval& approval, bool is_late) {
    if (!agents_.contains(approval.agent_id)) return;
    if (!is_answer_recorded(approval)) return;
    if (consent::row_of(approval.action).carry_out != nullptr) return settle_at_once(approval);
    if (carriers_.contains(approval.action)) return hand_over(approval);
    if (is_market_call(approval)) return market_.call(approval, is_late);
    end_undone(approval, nobody_carries_out(approval));
}

void Executor::continue_interrupted(const Approval& approval) {
    if (!agents_.contains(approval.agent_id)) return;
    if (!is_answer_recorded(approval)) return;
    if (is_market_call(approval)) return market_.settle(approval);
    end_undone(approval, nobody_carries_out(approval));
}

/// Whether the audit holds the answer and no outcome. If not, the row was changed in the database,
/// and the approval ends.
bool Executor::is_answer_recorded(const Approval& approval) {
    const auto recorded = consent::awaits_outcome(kernel_.reader, approval);
    if (recorded && !*recorded) {
        const bool was_begun = approval.outcome == ApprovalOutcome::Executing;
        end_undone(approval, std::string(was_begun ? kChangedMeanwhile : kChanged));
    }
    return recorded && *recorded;
}

/// Does everything in one transaction. A failure that is to be hidden rolls everything back.
void Executor::settle_at_once(const Approval& approval) {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [approval, policy = policy_of(config_),
         now_ms = kernel_.clock.now_ms()](store::Database& db) {
            const bool undoes_all = !consent::hidden_failure(approval).empty();
            return consent::carry_out(db, approval, undoes_all, *policy, now_ms);
        },
        [this, approval](const Result<void>& done) {
            if (!done && !consent::hidden_failure(approval).empty())
                return not_carried_out(approval, done.error());
            commits_.rows_written();
        });
}

/// The yes is used in the transaction that stores the result: after an earlier crash the carrier
/// starts again, after a later one it does not.
void Executor::hand_over(const Approval& approval) {
    const auto arguments = consent::arguments_of(approval);
    if (!arguments) return not_carried_out(approval, arguments.error());
    carriers_.at(approval.action)(
        approval, *arguments,
        [approval, policy = policy_of(config_), &clock = kernel_.clock](
            store::Database& db, const json& made) -> Result<void> {
            const UnixMs now_ms = clock.now_ms();
            A2H_TRY(store::consume_approval(db, approval.id, now_ms));
            return consent::record_outcome(db, approval, ApprovalOutcome::Executed,
                                           consent::outcome_detail(made), *policy, now_ms);
        },
        [this, approval](const Result<void>& done) {
            if (!done) return not_carried_out(approval, done.error());
            commits_.rows_written();
        });
}

void Executor::not_carried_out(const Approval& approval, const Error& error) {
    const bool may_be_tried_again =
        error.code == ErrorCode::Unavailable || error.code == ErrorCode::Internal;
    if (may_be_tried_again) {
        log::warning("An approved call could not be carried out; trying again at the next start",
                     {{"action", approval.action}, {"error", error.message}});
        return;
    }
    const std::string_view hidden = consent::hidden_failure(approval);
    end_undone(approval, hidden.empty() ? error.message : std::string(hidden));
}

/// Ends an approval without doing anything. The outcome is unknown if an earlier process has begun
/// to carry it out.
void Executor::end_undone(const Approval& approval, const std::string& why) {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [approval, why, policy = policy_of(config_),
         now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            const bool was_begun = approval.outcome == ApprovalOutcome::Executing;
            if (!was_begun) A2H_TRY(store::consume_approval(db, approval.id, now_ms));
            return consent::record_outcome(
                db, approval, was_begun ? ApprovalOutcome::Unknown : ApprovalOutcome::Failed, why,
                *policy, now_ms);
        },
        [this](const Result<void>&) { commits_.rows_written(); });
}

}  // namespace a2h::answers
