#include "daemon/trade/market_calls.h"

#include <iterator>
#include <optional>
#include <utility>

#include "core/store/approval_store.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/late_yes.h"
#include "daemon/consent/way.h"

namespace a2h::trade {
namespace {

/// Equal to no digest.
constexpr std::string_view kUnreadable = "unreadable";

/// How many earlier outcomes are compared with what looks like the result of a lost call.
constexpr int kOthersRead = 200;

std::string lane_of(const Approval& approval) {
    return approval.agent_id + " " + std::string(consent::row_of(approval.action).market_lane);
}

/// Asks the human about what the market says now, if the yes was for something else. nullopt: it
/// cannot be asked, because too many questions are open or nobody is left who may answer.
Result<std::optional<Approval>> ask_again(store::Database& db, const Approval& approval,
                                          consent::Ask ask, const consent::Policy& policy,
                                          UnixMs now_ms) {
    ask.requested_by = approval.requested_by;
    ask.about = approval.about;
    ask.asked_by = approval.asked_by;
    ask.is_bounded = false;  // a person has to see what has changed
    auto asked =
        consent::open_approval(db, consent::new_approval(ask, policy, now_ms), policy, now_ms);
    if (asked) return std::optional(std::move(*asked));
    const ErrorCode code = asked.error().code;
    if (code != ErrorCode::ResourceExhausted && code != ErrorCode::Conflict)
        return fail(asked.error());
    return std::optional<Approval>();
}

}  // namespace

MarketCalls::MarketCalls(const kernel::Kernel& kernel, const Current<Config>& config,
                         kernel::Metrics& metrics, Agents& agents, ListingSync& listings,
                         const UnreadMail& unread_mail, const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      metrics_(metrics),
      agents_(agents),
      listings_(listings),
      unread_mail_(unread_mail),
      commits_(commits) {}

void MarketCalls::call(const Approval& approval, bool is_late) {
    in_turn(approval, [this, approval, is_late] {
        kernel_.write(
            store::Writer::Priority::Grouped,
            [approval, now_ms = kernel_.clock.now_ms()](store::Database& db) {
                return store::consume_approval(db, approval.id, now_ms);
            },
            [this, approval, is_late](const Result<void>& consumed) {
                consumed ? run(approval, {}, is_late) : end_turn(approval);
            });
    });
}

void MarketCalls::settle(const Approval& approval) {
    in_turn(approval, [this, approval] {
        run(approval, {.step = Attempt::Step::ReadBack, .was_sent = true}, true);
    });
}

void MarketCalls::in_turn(const Approval& approval, std::function<void()> begin) {
    auto& lane = lanes_[lane_of(approval)];
    lane.push_back(std::move(begin));
    if (lane.size() == 1) lane.front()();
}

void MarketCalls::end_turn(const Approval& approval) {
    const auto lane = lanes_.find(lane_of(approval));
    lane->second.pop_front();
    if (lane->second.empty()) {
        lanes_.erase(lane);
    } else {
        lane->second.front()();
    }
}

/// A mandate must still give its yes to what could not be done at once (R52). The mail that waits
/// is read first; just after the start it can be read only once the agents are connected.
void MarketCalls::run(const Approval& approval, Attempt attempt, bool is_late) {
    if (!is_late || consent::mandate_of(approval).empty()) return run_judged(approval, attempt);
    unread_mail_.read_all(UnreadMail::kReadingMax, [this, approval, attempt](bool is_read) mutable {
        if (!is_read && attempt.tries < std::size(kDelays)) return run_later(approval, attempt);
        const auto stands = consent::still_stands(kernel_.reader, approval, kernel_.clock.now_ms());
        attempt.may_call = is_read && stands.value_or(false);
        run_judged(approval, attempt);
    });
}

void MarketCalls::run_later(const Approval& approval, Attempt attempt) {
    const auto delay = kDelays[attempt.tries++];
    kernel_.loop.call_after(delay, [this, approval, attempt] { run(approval, attempt, true); });
}

void MarketCalls::run_judged(const Approval& approval, Attempt attempt) {
    const Agent& agent = *agents_.at(approval.agent_id);
    attempt.has_our_rules = agent.market_has_our_rules;
    if (creates(approval.action)) {
        attempt.is_idempotent = attempt.has_our_rules;
        attempt.taken =
            store::outcomes_of_others(kernel_.reader, approval, kOthersRead).value_or("");
    }
    if (!consent::mandate_of(approval).empty())
        attempt.listing_digest =
            consent::pinned_listing(kernel_.reader, approval).value_or(std::string(kUnreadable));
    kernel_.run_blocking<AttemptResult>(
        [this, market = agent.platform.get(), approval, attempt] {
            return make_attempt({*market, approval, *config_.get(), kernel_.clock}, attempt);
        },
        [this, approval, attempt](const AttemptResult& made) {
            if (made.is_final || attempt.tries >= std::size(kDelays)) return finish(approval, made);
            Attempt next{.step = made.next,
                         .tries = attempt.tries,
                         .was_sent = attempt.was_sent || made.was_sent};
            run_later(approval, next);
        },
        [attempt] { return refused_attempt(attempt); });
}

Result<void> MarketCalls::store_result(store::Database& db, const Approval& approval,
                                       const AttemptResult& result, UnixMs now_ms) const {
    const auto policy = policy_of(config_);
    std::string detail = result.detail;
    if (result.again) {
        A2H_ASSIGN_OR_RETURN(const auto asked,
                             ask_again(db, approval, *result.again, *policy, now_ms));
        if (asked) {
            metrics_.count_opened(*asked);
            detail += "; the question was asked again as " + asked->id;
        }
    }
    return consent::record_outcome(db, approval, result.outcome, detail, *policy, now_ms);
}

void MarketCalls::finish(const Approval& approval, const AttemptResult& result) {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, approval, result, now_ms = kernel_.clock.now_ms()](store::Database& db) {
            return store_result(db, approval, result, now_ms);
        },
        [this, approval, result](const Result<void>& recorded) {
            if (!recorded && recorded.error().code != ErrorCode::Conflict &&
                recorded.error().code != ErrorCode::NotFound) {
                kernel_.loop.call_after(std::chrono::seconds(1),
                                        [this, approval, result] { finish(approval, result); });
                return;
            }
            end_turn(approval);
            listings_.refresh(*agents_.at(approval.agent_id));
            commits_.rows_written();
        });
}

}  // namespace a2h::trade
