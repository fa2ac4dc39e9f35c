#include "daemon/answers/executor.h"

#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/approval_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/late_yes.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/way.h"
#include "daemon/trade/calls.h"
#include "daemon/trade/market_question.h"

namespace a2h::answers {
namespace {

using nlohmann::json;

/// Limit of the market's answer that is kept with the approval; long parts of a longer answer are
/// left out.
constexpr std::size_t kDetailBytesMax = 4'000;
constexpr std::size_t kShortTextBytesMax = 200;
/// The difference of the market's clock and ours that its signature check allows.
constexpr UnixMs kClockDifferenceMs = 5 * 60 * 1000;
/// A market with our rules keeps its answer to an `Idempotency-Key` for a day.
constexpr UnixMs kKeysKeptMs = 23LL * 60 * 60 * 1000;

constexpr std::string_view kLost =
    "the market's answer was lost; check whether it was done before trying again";

constexpr std::string_view kNotGivenAnyMore =
    "it could not be done at once, and the mandate does not allow it any more; decide again";
constexpr std::string_view kChanged =
    "the audit holds no such answer: the row was changed in the database, and nothing was done";
constexpr std::string_view kChangedMeanwhile =
    "the row was changed in the database while it was being carried out; check whether it was done";
/// Equal to no digest.
constexpr std::string_view kUnreadable = "unreadable";

/// Calls about the same kind of thing are made one after the other.
std::string lane_of(const Approval& approval) {
    return approval.agent_id + " " + approval.action.substr(0, approval.action.find('.'));
}

/// Whether the action creates something whose id only the market's answer contains.
bool creates(std::string_view action) {
    const consent::AnswerId& id = consent::row_of(action).answer_id;
    return !id.member.empty() && id.argument.empty();
}

/// How many earlier outcomes are compared with what looks like the result of a lost call.
constexpr int kOthersRead = 200;

std::string detail_of(const json& data) {
    std::string text = wire::canonical_json(data);
    if (text.size() <= kDetailBytesMax || !data.is_object()) return text;
    json brief = json::object();
    for (const auto& [name, value] : data.items()) {
        if (value.is_primitive() && value.dump().size() <= kShortTextBytesMax) brief[name] = value;
    }
    return wire::canonical_json(brief);
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

/// Whether the market shows what it says that it has created or changed. Other markets may show it
/// later.
bool is_shown(const trade::CallContext& call, const Approval& yes, const std::string& id) {
    const auto find = consent::row_of(call.action).read_back;
    if (!call.has_our_rules || find == nullptr) return true;
    const auto seen =
        find({call.market, call.arguments, yes.created_at_ms - kClockDifferenceMs, id});
    return seen && !seen->is_null();
}

/// Whether the market shows what its answer says. `trade::make_call` has checked that the answer
/// names what was changed.
bool is_answer_to(const trade::CallContext& call, const Approval& yes, const json& data) {
    const auto& [member, argument] = consent::row_of(call.action).answer_id;
    if (member.empty()) return consent::row_of(call.action).uploads || is_shown(call, yes, {});
    return !argument.empty() || is_shown(call, yes, wire::text_member(data, member));
}

}  // namespace

Executor::Executor(const kernel::Services& kernel, const Current<Config>& config,
                   kernel::Metrics& metrics, Agents& agents, trade::ListingSync& listings,
                   const UnreadMail& unread_mail, consent::Carriers carriers,
                   const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      metrics_(metrics),
      agents_(agents),
      listings_(listings),
      unread_mail_(unread_mail),
      carriers_(std::move(carriers)),
      commits_(commits) {}

void Executor::execute(const Approval& approval) {
    carry_out(approval, false);
}

/// `is_late`: it could not be done at once.
void Executor::carry_out(const Approval& approval, bool is_late) {
    if (!agents_.contains(approval.agent_id)) return;
    if (!is_answer_recorded(approval)) return;
    if (consent::row_of(approval.action).carry_out != nullptr) return settle_at_once(approval);
    if (carriers_.contains(approval.action)) return hand_over(approval);
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

/// Whether the audit holds the answer and no outcome. If not, the row was changed in the database,
/// and the approval ends.
bool Executor::is_answer_recorded(const Approval& approval) {
    const auto recorded = consent::awaits_outcome(kernel_.reader, approval);
    if (recorded && !*recorded) {
        const bool was_begun = approval.outcome == ApprovalOutcome::Executing;
        kernel_.write(
            store::Writer::Priority::Grouped,
            [approval, was_begun, policy = policy_of(config_),
             now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
                if (!was_begun) A2H_TRY(store::consume_approval(db, approval.id, now_ms));
                return consent::record_outcome(
                    db, approval, was_begun ? ApprovalOutcome::Unknown : ApprovalOutcome::Failed,
                    was_begun ? kChangedMeanwhile : kChanged, *policy, now_ms);
            },
            [this](const Result<void>&) { commits_.rows_written(); });
    }
    return recorded && *recorded;
}

void Executor::in_turn(const Approval& approval, std::function<void()> begin) {
    auto& lane = lanes_[lane_of(approval)];
    lane.push_back(std::move(begin));
    if (lane.size() == 1) lane.front()();
}

void Executor::end_turn(const Approval& approval) {
    const auto lane = lanes_.find(lane_of(approval));
    lane->second.pop_front();
    if (lane->second.empty()) {
        lanes_.erase(lane);
    } else {
        lane->second.front()();
    }
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
            return consent::record_outcome(db, approval, ApprovalOutcome::Executed, detail_of(made),
                                           *policy, now_ms);
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
    fail_unused(approval, hidden.empty() ? error.message : std::string(hidden));
}

void Executor::fail_unused(const Approval& approval, const std::string& why) {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [approval, why, policy = policy_of(config_),
         now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            A2H_TRY(store::consume_approval(db, approval.id, now_ms));
            return consent::record_outcome(db, approval, ApprovalOutcome::Failed, why, *policy,
                                           now_ms);
        },
        [this](const Result<void>&) { commits_.rows_written(); });
}

void Executor::resume() {
    if (const auto unused = store::unused_approvals(kernel_.reader)) {
        for (const Approval& approval : *unused)
            carry_out(approval, true);
    }
    if (const auto interrupted = store::executing_approvals(kernel_.reader)) {
        for (const Approval& approval : *interrupted) {
            if (!agents_.contains(approval.agent_id)) continue;
            if (!is_answer_recorded(approval)) continue;
            in_turn(approval, [this, approval] {
                run(approval, {.step = Step::ReadBack, .was_sent = true}, true);
            });
        }
    }
}

Executor::Attempt Executor::call(platform::Client& market, const Approval& approval,
                                 const Task& task) const {
    const auto arguments = consent::arguments_of(approval);
    if (!arguments) return {ApprovalOutcome::Failed, arguments.error().message};
    const auto config = config_.get();
    const trade::CallContext context{market,
                                     approval.action,
                                     *arguments,
                                     task.has_our_rules,
                                     kernel_.clock.now_ms(),
                                     config->upload_folders,
                                     approval.id,
                                     &approval};
    const auto facts = trade::check_call(context);
    if (!facts) {
        const ErrorCode code = facts.error().code;
        const bool not_asked = code == ErrorCode::Unavailable || code == ErrorCode::Timeout ||
                               code == ErrorCode::Corrupt;
        return {ApprovalOutcome::Failed, facts.error().message, !not_asked, Step::Call};
    }
    consent::Ask now = trade::ask_about_call(approval.agent_id, approval.action, *arguments, *facts,
                                             config->approval.language);
    const bool is_done = !facts->done_json.empty();
    const bool is_other_amount =
        approval.amount_minor != now.amount_minor || approval.currency != now.currency;
    if (is_done ? is_other_amount : !trade::is_yes_to(approval, now)) {
        Attempt changed{ApprovalOutcome::Failed,
                        "it has changed since it was approved; nothing was done"};
        if (!is_done) changed.again = std::move(now);
        return changed;
    }
    if (is_done) return {ApprovalOutcome::Executed, detail_of(json::parse(facts->done_json))};
    if (!task.listing_digest.empty() && facts->listing_digest != task.listing_digest)
        return {ApprovalOutcome::Failed, "the listing has changed since the mandate was given"};
    const auto data = trade::make_call(context);
    if (data && is_answer_to(context, approval, *data))
        return {ApprovalOutcome::Executed, detail_of(*data)};
    return after_failure(market, approval, task, data);
}

/// Whatever the answer is, the request may have been carried out: something on the way may have
/// sent it twice, or lost the market's answer and made its own.
Executor::Attempt Executor::after_failure(platform::Client& market, const Approval& approval,
                                          const Task& task, const Result<json>& data) const {
    const bool is_known =
        !data && data.error().code != ErrorCode::Timeout && data.error().code != ErrorCode::Corrupt;
    const bool not_reached = is_known && data.error().code == ErrorCode::Unavailable;
    Attempt failed{is_known ? ApprovalOutcome::Failed : ApprovalOutcome::Unknown,
                   is_known ? data.error().message : std::string(kLost), false, Step::Call};
    failed.was_sent = true;
    // A similar object may not be ours, so the call is repeated by its key before it is read back.
    if (task.is_idempotent && !task.was_sent) return failed;
    Attempt seen = read_back(market, approval, task);
    seen.was_sent = true;
    if (seen.outcome == ApprovalOutcome::Executed || !is_known || seen.is_unread) return seen;
    failed.is_final = !not_reached;
    return failed;
}

Executor::Attempt Executor::read_back(platform::Client& market, const Approval& approval,
                                      const Task& task) {
    const auto arguments = consent::arguments_of(approval);
    if (!arguments) return {ApprovalOutcome::Failed, arguments.error().message};
    Attempt lost{ApprovalOutcome::Unknown, std::string(kLost), false, Step::ReadBack};
    const auto find = consent::row_of(approval.action).read_back;
    if (find == nullptr) return lost;
    const auto seen =
        find({market, *arguments, approval.created_at_ms - kClockDifferenceMs, {}, task.taken});
    if (seen && !seen->is_null()) return {ApprovalOutcome::Executed, detail_of(*seen)};
    lost.is_unread = !seen;
    return lost;
}

/// Finds out the result of a call whose answer was lost. A market with our rules answers the same
/// call with the same key by repeating its first answer, so what it does not show may be requested
/// again, unless something has changed since the yes.
Executor::Attempt Executor::settle(platform::Client& market, const Approval& approval,
                                   const Task& task) const {
    const bool key_is_kept = kernel_.clock.now_ms() < approval.answered_at_ms + kKeysKeptMs;
    const bool may_repeat = task.has_our_rules && key_is_kept && task.may_call;
    const bool is_idempotent = may_repeat && task.is_idempotent;
    Attempt seen = is_idempotent ? call(market, approval, task) : read_back(market, approval, task);
    if (seen.outcome == ApprovalOutcome::Executed || !may_repeat) return seen;
    Attempt again =
        is_idempotent ? read_back(market, approval, task) : call(market, approval, task);
    if (again.outcome == ApprovalOutcome::Executed) return again;
    return {ApprovalOutcome::Unknown, std::string(kLost), false, Step::ReadBack};
}

Executor::Attempt Executor::attempt(platform::Client& market, const Approval& approval,
                                    const Task& task) const {
    if (!task.may_call) {
        if (!task.was_sent) return {ApprovalOutcome::Failed, std::string(kNotGivenAnyMore)};
        Attempt seen = read_back(market, approval, task);
        seen.is_final = !seen.is_unread;
        return seen;
    }
    if (task.step == Step::ReadBack) return settle(market, approval, task);
    // The market may not have been readable after an earlier try.
    if (task.was_sent && !task.is_idempotent) {
        Attempt seen = read_back(market, approval, task);
        if (seen.outcome == ApprovalOutcome::Executed) return seen;
    }
    Attempt made = call(market, approval, task);
    const bool proves_nothing =
        task.was_sent && made.outcome == ApprovalOutcome::Failed && !made.was_sent;
    if (!proves_nothing) return made;
    Attempt seen = read_back(market, approval, task);
    if (seen.outcome == ApprovalOutcome::Executed) return seen;
    return {ApprovalOutcome::Unknown, std::string(kLost), made.is_final, Step::Call};
}

/// A mandate must still give its yes to what could not be done at once (R52). The mail that waits
/// is read first; just after the start it can be read only once the agents are connected.
void Executor::run(const Approval& approval, Task task, bool is_late) {
    if (!is_late || consent::mandate_of(approval).empty()) return run_judged(approval, task);
    unread_mail_.read_all(UnreadMail::kReadingMax, [this, approval, task](bool is_read) mutable {
        if (!is_read && task.tries < std::size(kDelays)) return run_later(approval, task);
        const auto stands = consent::still_stands(kernel_.reader, approval, kernel_.clock.now_ms());
        task.may_call = is_read && stands.value_or(false);
        run_judged(approval, task);
    });
}

void Executor::run_later(const Approval& approval, Task task) {
    const auto delay = kDelays[task.tries++];
    kernel_.loop.call_after(delay, [this, approval, task] { run(approval, task, true); });
}

void Executor::run_judged(const Approval& approval, Task task) {
    const Agent& agent = *agents_.at(approval.agent_id);
    task.has_our_rules = agent.market_has_our_rules;
    if (creates(approval.action)) {
        task.is_idempotent = task.has_our_rules;
        task.taken = store::outcomes_of_others(kernel_.reader, approval, kOthersRead).value_or("");
    }
    if (!consent::mandate_of(approval).empty())
        task.listing_digest =
            consent::pinned_listing(kernel_.reader, approval).value_or(std::string(kUnreadable));
    kernel_.run_blocking<Attempt>(
        [this, market = agent.platform.get(), approval, task] {
            return attempt(*market, approval, task);
        },
        [this, approval, task](const Attempt& made) {
            if (made.is_final || task.tries >= std::size(kDelays)) return finish(approval, made);
            Task next{
                .step = made.next, .tries = task.tries, .was_sent = task.was_sent || made.was_sent};
            run_later(approval, next);
        },
        [task] {
            const bool is_known = task.step == Step::Call && !task.was_sent;
            return Attempt{is_known ? ApprovalOutcome::Failed : ApprovalOutcome::Unknown,
                           "too many requests are waiting; try again", false, task.step};
        });
}

Result<void> Executor::store_attempt(store::Database& db, const Approval& approval,
                                     const Attempt& attempt, UnixMs now_ms) const {
    const auto policy = policy_of(config_);
    std::string detail = attempt.detail;
    if (attempt.again) {
        A2H_ASSIGN_OR_RETURN(const auto asked,
                             ask_again(db, approval, *attempt.again, *policy, now_ms));
        if (asked) {
            metrics_.count_opened(*asked);
            detail += "; the question was asked again as " + asked->id;
        }
    }
    return consent::record_outcome(db, approval, attempt.outcome, detail, *policy, now_ms);
}

void Executor::finish(const Approval& approval, const Attempt& attempt) {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, approval, attempt, now_ms = kernel_.clock.now_ms()](store::Database& db) {
            return store_attempt(db, approval, attempt, now_ms);
        },
        [this, approval, attempt](const Result<void>& recorded) {
            if (!recorded && recorded.error().code != ErrorCode::Conflict &&
                recorded.error().code != ErrorCode::NotFound) {
                kernel_.loop.call_after(std::chrono::seconds(1),
                                        [this, approval, attempt] { finish(approval, attempt); });
                return;
            }
            end_turn(approval);
            listings_.refresh(*agents_.at(approval.agent_id));
            commits_.rows_written();
        });
}

}  // namespace a2h::answers
