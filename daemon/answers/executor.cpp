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
#include "daemon/consent/way.h"
#include "daemon/outcome/requests.h"
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

constexpr std::string_view kNotShared =
    "no share of a mandate was given, and nothing else was done; `a2h mandate list` shows the "
    "mandates that can be shared";
constexpr std::string_view kLost =
    "the market's answer was lost; check whether it was done before trying again";

std::string detail_of(const json& data) {
    std::string text = wire::canonical_json(data);
    if (text.size() <= kDetailBytesMax || !data.is_object()) return text;
    json brief = json::object();
    for (const auto& [name, value] : data.items()) {
        if (value.is_primitive() && value.dump().size() <= kShortTextBytesMax) brief[name] = value;
    }
    return wire::canonical_json(brief);
}

Result<void> notify_human(store::Database& db, const consent::Policy& policy,
                          const Approval& approval, ApprovalOutcome outcome,
                          const std::string& detail, UnixMs now_ms) {
    if (outcome != ApprovalOutcome::Failed && outcome != ApprovalOutcome::Unknown) return {};
    const i18n::Language language = policy.language;
    const std::string text =
        outcome == ApprovalOutcome::Failed
            ? i18n::text(language, "trade.failed",
                         {{"question", approval.question}, {"why", preview(detail)}})
            : i18n::text(language, "trade.unknown", {{"question", approval.question}});
    Notification news;
    news.agent_id = approval.agent_id;
    news.kind = "approval." + std::string(to_string(outcome));
    news.body_json = wire::canonical_json(json{{"text", text}});
    return consent::notify_human(db, news, policy, now_ms);
}

/// Asks the human about what the market says now, if the yes was for something else. nullopt: it
/// cannot be asked, because too many questions are open or nobody is left who may answer.
Result<std::optional<Approval>> ask_again(store::Database& db, const Approval& approval,
                                          consent::Ask ask, const consent::Policy& policy,
                                          UnixMs now_ms) {
    ask.requested_by = approval.requested_by;
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
                   consent::Carriers carriers, const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      metrics_(metrics),
      agents_(agents),
      listings_(listings),
      carriers_(std::move(carriers)),
      commits_(commits) {}

void Executor::execute(const Approval& approval) {
    if (!agents_.contains(approval.agent_id)) return;
    if (consent::row_of(approval.action).carry_out != nullptr) return settle_at_once(approval);
    if (carriers_.contains(approval.action)) return hand_over(approval);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [approval, now_ms = kernel_.clock.now_ms()](store::Database& db) {
            return store::consume_approval(db, approval.id, now_ms);
        },
        [this, approval](const Result<void>& consumed) {
            if (consumed) run(approval, Step::Call, 0);
        });
}

/// Does everything in one transaction. If this includes giving a share of a mandate, a failure
/// rolls everything back, because no share may remain.
void Executor::settle_at_once(const Approval& approval) {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [approval, policy = policy_of(config_),
         now_ms = kernel_.clock.now_ms()](store::Database& db) {
            const bool gives_share = !outcome::share_of_request(approval).empty();
            return consent::carry_out(db, approval, gives_share, *policy, now_ms);
        },
        [this, approval](const Result<void>& done) {
            if (!done && !outcome::share_of_request(approval).empty())
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
        [approval, &clock = kernel_.clock](store::Database& db, const json& made) -> Result<void> {
            const UnixMs now_ms = clock.now_ms();
            A2H_TRY(store::consume_approval(db, approval.id, now_ms));
            return consent::record_outcome(db, approval, ApprovalOutcome::Executed, detail_of(made),
                                           now_ms);
        },
        [this, approval](const Result<void>& done) {
            if (!done) return not_carried_out(approval, done.error());
            commits_.rows_written();
        });
}

/// If a share was to be given, assistants read the same outcome whatever limit of the mandate was
/// exceeded.
void Executor::not_carried_out(const Approval& approval, const Error& error) {
    const bool may_be_tried_again =
        error.code == ErrorCode::Unavailable || error.code == ErrorCode::Internal;
    if (may_be_tried_again) {
        log::warning("An approved call could not be carried out; trying again at the next start",
                     {{"action", approval.action}, {"error", error.message}});
        return;
    }
    fail_unused(approval, outcome::share_of_request(approval).empty() ? error.message
                                                                      : std::string(kNotShared));
}

void Executor::fail_unused(const Approval& approval, const std::string& why) {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, approval, why,
         now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            A2H_TRY(store::consume_approval(db, approval.id, now_ms));
            A2H_TRY(consent::record_outcome(db, approval, ApprovalOutcome::Failed, why, now_ms));
            return notify_human(db, config_->approval, approval, ApprovalOutcome::Failed, why,
                                now_ms);
        },
        [this](const Result<void>&) { commits_.rows_written(); });
}

void Executor::resume() {
    if (const auto unused = store::unused_approvals(kernel_.reader)) {
        for (const Approval& approval : *unused)
            execute(approval);
    }
    if (const auto interrupted = store::executing_approvals(kernel_.reader)) {
        for (const Approval& approval : *interrupted) {
            if (agents_.contains(approval.agent_id)) run(approval, Step::ReadBack, 0);
        }
    }
}

Executor::Attempt Executor::call(platform::Client& market, const Approval& approval,
                                 bool has_our_rules) const {
    const auto arguments = consent::arguments_of(approval);
    if (!arguments) return {ApprovalOutcome::Failed, arguments.error().message};
    const auto config = config_.get();
    const trade::CallContext context{market,
                                     approval.action,
                                     *arguments,
                                     has_our_rules,
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
    const auto data = trade::make_call(context);
    if (data && is_answer_to(context, approval, *data))
        return {ApprovalOutcome::Executed, detail_of(*data)};
    // Whatever the answer is, the request may have been carried out: something on the way may have
    // sent it twice, or lost the market's answer and made its own.
    Attempt seen = read_back(market, approval);
    const bool is_known =
        !data && data.error().code != ErrorCode::Timeout && data.error().code != ErrorCode::Corrupt;
    if (seen.outcome == ApprovalOutcome::Executed || !is_known) return seen;
    const bool not_reached = data.error().code == ErrorCode::Unavailable;
    Attempt failed{ApprovalOutcome::Failed, data.error().message, !not_reached, Step::Call};
    failed.was_sent = true;
    return failed;
}

Executor::Attempt Executor::read_back(platform::Client& market, const Approval& approval) {
    const auto arguments = consent::arguments_of(approval);
    if (!arguments) return {ApprovalOutcome::Failed, arguments.error().message};
    if (const auto find = consent::row_of(approval.action).read_back) {
        const auto seen = find({market, *arguments, approval.created_at_ms - kClockDifferenceMs});
        if (seen && !seen->is_null()) return {ApprovalOutcome::Executed, detail_of(*seen)};
    }
    return {ApprovalOutcome::Unknown, std::string(kLost), false, Step::ReadBack};
}

/// Finds out the result of a call whose answer was lost. A market with our rules answers the same
/// call with the same key by repeating its first answer, so what it does not show may be requested
/// again, unless something has changed since the yes.
Executor::Attempt Executor::settle(platform::Client& market, const Approval& approval,
                                   bool has_our_rules) const {
    const Attempt seen = read_back(market, approval);
    const bool key_is_kept = kernel_.clock.now_ms() < approval.answered_at_ms + kKeysKeptMs;
    if (seen.outcome == ApprovalOutcome::Executed || !has_our_rules || !key_is_kept) return seen;
    Attempt again = call(market, approval, has_our_rules);
    return again.outcome == ApprovalOutcome::Executed ? again : seen;
}

void Executor::run(const Approval& approval, Step step, std::size_t tries, bool was_sent) {
    const Agent& agent = *agents_.at(approval.agent_id);
    kernel_.run_blocking<Attempt>(
        [this, market = agent.platform.get(), approval, step, tries,
         rules = agent.market_has_our_rules] {
            if (step == Step::ReadBack) return settle(*market, approval, rules);
            // The market may not have been readable after an earlier try.
            if (tries > 0) {
                Attempt seen = read_back(*market, approval);
                if (seen.outcome == ApprovalOutcome::Executed) return seen;
            }
            return call(*market, approval, rules);
        },
        [this, approval, tries, was_sent](Attempt attempt) {
            if (attempt.is_final) return finish(approval, attempt);
            if (tries >= std::size(kDelays)) {
                const bool is_lost = was_sent && !attempt.was_sent;
                if (is_lost) attempt = {ApprovalOutcome::Unknown, std::string(kLost)};
                return finish(approval, attempt);
            }
            const bool may_be_done = was_sent || attempt.was_sent;
            kernel_.loop.call_after(kDelays[tries],
                                    [this, approval, next = attempt.next, tries, may_be_done] {
                                        run(approval, next, tries + 1, may_be_done);
                                    });
        },
        [step] {
            return Attempt{step == Step::Call ? ApprovalOutcome::Failed : ApprovalOutcome::Unknown,
                           "too many requests are waiting; try again", false, step};
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
    A2H_TRY(consent::record_outcome(db, approval, attempt.outcome, detail, now_ms));
    return notify_human(db, *policy, approval, attempt.outcome, detail, now_ms);
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
            listings_.refresh(*agents_.at(approval.agent_id));
            commits_.rows_written();
        });
}

}  // namespace a2h::answers
