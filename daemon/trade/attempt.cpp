#include "daemon/trade/attempt.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/trade/calls.h"
#include "daemon/trade/market_question.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using Step = Attempt::Step;

/// The difference of the market's clock and ours that its signature check allows.
constexpr UnixMs kClockDifferenceMs = 5 * 60 * 1000;
/// A market with our rules keeps its answer to an `Idempotency-Key` for a day.
constexpr UnixMs kKeysKeptMs = 23LL * 60 * 60 * 1000;

constexpr std::string_view kLost =
    "the market's answer was lost; check whether it was done before trying again";

constexpr std::string_view kNotGivenAnyMore =
    "it could not be done at once, and the mandate does not allow it any more; decide again";

/// Whether the market shows what it says that it has created or changed. Other markets may show it
/// later.
bool is_shown(const CallContext& call, const Approval& yes, const std::string& id) {
    const auto find = consent::row_of(call.action).read_back;
    if (!call.has_our_rules || find == nullptr) return true;
    const auto seen =
        find({call.market, call.arguments, yes.created_at_ms - kClockDifferenceMs, id});
    return seen && !seen->is_null();
}

/// Whether the market shows what its answer says. `make_call` has checked that the answer names
/// what was changed.
bool is_answer_to(const CallContext& call, const Approval& yes, const json& data) {
    const auto& [member, argument] = consent::row_of(call.action).answer_id;
    if (member.empty()) return consent::row_of(call.action).uploads || is_shown(call, yes, {});
    return !argument.empty() || is_shown(call, yes, wire::text_member(data, member));
}

class Attempting {
  public:
    Attempting(const AttemptContext& context, const Attempt& attempt)
        : market_(context.market),
          approval_(context.approval),
          config_(context.config),
          clock_(context.clock),
          attempt_(attempt) {}

    AttemptResult make() const;

  private:
    AttemptResult call() const;
    AttemptResult after_failure(const Result<json>& data) const;
    AttemptResult read_back() const;
    AttemptResult settle() const;

    platform::Client& market_;
    const Approval& approval_;
    const Config& config_;
    const Clock& clock_;
    const Attempt& attempt_;
};

AttemptResult Attempting::call() const {
    const auto arguments = consent::arguments_of(approval_);
    if (!arguments) return {ApprovalOutcome::Failed, arguments.error().message};
    const CallContext context{
        market_,         approval_.action,       *arguments,   attempt_.has_our_rules,
        clock_.now_ms(), config_.upload_folders, approval_.id, &approval_};
    const auto facts = check_call(context);
    if (!facts) {
        const ErrorCode code = facts.error().code;
        const bool not_asked = code == ErrorCode::Unavailable || code == ErrorCode::Timeout ||
                               code == ErrorCode::Corrupt;
        return {ApprovalOutcome::Failed, facts.error().message, !not_asked, Step::Call};
    }
    consent::Ask now = ask_about_call(approval_.agent_id, approval_.action, *arguments, *facts,
                                      config_.approval.language);
    const bool is_done = !facts->done_json.empty();
    const bool is_other_amount =
        approval_.amount_minor != now.amount_minor || approval_.currency != now.currency;
    if (is_done ? is_other_amount : !is_yes_to(approval_, now)) {
        AttemptResult changed{ApprovalOutcome::Failed,
                              "it has changed since it was approved; nothing was done"};
        if (!is_done) changed.again = std::move(now);
        return changed;
    }
    if (is_done)
        return {ApprovalOutcome::Executed, consent::outcome_detail(json::parse(facts->done_json))};
    if (!attempt_.listing_digest.empty() && facts->listing_digest != attempt_.listing_digest)
        return {ApprovalOutcome::Failed, "the listing has changed since the mandate was given"};
    const auto data = make_call(context);
    if (data && is_answer_to(context, approval_, *data))
        return {ApprovalOutcome::Executed, consent::outcome_detail(*data)};
    return after_failure(data);
}

/// Whatever the answer is, the request may have been carried out: something on the way may have
/// sent it twice, or lost the market's answer and made its own.
AttemptResult Attempting::after_failure(const Result<json>& data) const {
    const bool is_known =
        !data && data.error().code != ErrorCode::Timeout && data.error().code != ErrorCode::Corrupt;
    const bool not_reached = is_known && data.error().code == ErrorCode::Unavailable;
    AttemptResult failed{is_known ? ApprovalOutcome::Failed : ApprovalOutcome::Unknown,
                         is_known ? data.error().message : std::string(kLost), false, Step::Call};
    failed.was_sent = true;
    // A similar object may not be ours, so the call is repeated by its key before it is read back.
    if (attempt_.is_idempotent && !attempt_.was_sent) return failed;
    AttemptResult seen = read_back();
    seen.was_sent = true;
    if (seen.outcome == ApprovalOutcome::Executed || !is_known || seen.is_unread) return seen;
    failed.is_final = !not_reached;
    return failed;
}

AttemptResult Attempting::read_back() const {
    const auto arguments = consent::arguments_of(approval_);
    if (!arguments) return {ApprovalOutcome::Failed, arguments.error().message};
    AttemptResult lost{ApprovalOutcome::Unknown, std::string(kLost), false, Step::ReadBack};
    const auto find = consent::row_of(approval_.action).read_back;
    if (find == nullptr) return lost;
    const auto seen = find(
        {market_, *arguments, approval_.created_at_ms - kClockDifferenceMs, {}, attempt_.taken});
    if (seen && !seen->is_null())
        return {ApprovalOutcome::Executed, consent::outcome_detail(*seen)};
    lost.is_unread = !seen;
    return lost;
}

/// Finds out the result of a call whose answer was lost. A market with our rules answers the same
/// call with the same key by repeating its first answer, so what it does not show may be requested
/// again, unless something has changed since the yes.
AttemptResult Attempting::settle() const {
    const bool key_is_kept = clock_.now_ms() < approval_.answered_at_ms + kKeysKeptMs;
    const bool may_repeat = attempt_.has_our_rules && key_is_kept && attempt_.may_call;
    const bool is_idempotent = may_repeat && attempt_.is_idempotent;
    AttemptResult seen = is_idempotent ? call() : read_back();
    if (seen.outcome == ApprovalOutcome::Executed || !may_repeat) return seen;
    AttemptResult again = is_idempotent ? read_back() : call();
    if (again.outcome == ApprovalOutcome::Executed) return again;
    return {ApprovalOutcome::Unknown, std::string(kLost), false, Step::ReadBack};
}

AttemptResult Attempting::make() const {
    if (!attempt_.may_call) {
        if (!attempt_.was_sent) return {ApprovalOutcome::Failed, std::string(kNotGivenAnyMore)};
        AttemptResult seen = read_back();
        seen.is_final = !seen.is_unread;
        return seen;
    }
    if (attempt_.step == Step::ReadBack) return settle();
    // The market may not have been readable after an earlier try.
    if (attempt_.was_sent && !attempt_.is_idempotent) {
        AttemptResult seen = read_back();
        if (seen.outcome == ApprovalOutcome::Executed) return seen;
    }
    AttemptResult made = call();
    const bool proves_nothing =
        attempt_.was_sent && made.outcome == ApprovalOutcome::Failed && !made.was_sent;
    if (!proves_nothing) return made;
    AttemptResult seen = read_back();
    if (seen.outcome == ApprovalOutcome::Executed) return seen;
    return {ApprovalOutcome::Unknown, std::string(kLost), made.is_final, Step::Call};
}

}  // namespace

AttemptResult make_attempt(const AttemptContext& context, const Attempt& attempt) {
    return Attempting(context, attempt).make();
}

AttemptResult refused_attempt(const Attempt& attempt) {
    const bool is_known = attempt.step == Step::Call && !attempt.was_sent;
    return {is_known ? ApprovalOutcome::Failed : ApprovalOutcome::Unknown,
            "too many requests are waiting; try again", false, attempt.step};
}

bool creates(std::string_view action) {
    const consent::AnswerId& id = consent::row_of(action).answer_id;
    return !id.member.empty() && id.argument.empty();
}

}  // namespace a2h::trade
