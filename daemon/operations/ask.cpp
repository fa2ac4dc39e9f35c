#include "daemon/operations/ask.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/base/time_text.h"
#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/notification_store.h"
#include "core/wire/json_member.h"
#include "daemon/card/card.h"
#include "daemon/card/options.h"
#include "daemon/config/current.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/limits.h"
#include "daemon/consent/renewal.h"
#include "daemon/effects/rows.h"
#include "daemon/operations/reading_first.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kNotifyPoll{50};
constexpr int kNotifyPollsMax = 80;     // 4 s
constexpr int kOutcomeChecksMax = 200;  // 10 s
constexpr UnixMs kSameCallWindowMs = 3'600'000;
constexpr int kEarlierCallsMax = 100;
constexpr std::string_view kToolCause = "tool:";
static_assert(kTerminalCause.starts_with(kToolCause));  // see `consent::is_of_assistant`

constexpr std::string_view kWaitForHuman =
    "Tell your human that this question waits for them, then wait. Do not repeat the call: it is "
    "carried out automatically once they say yes. a2h_approval_list shows the state.";
constexpr std::string_view kNobodyReached =
    "No notification reached anybody. Tell your human yourself that this question waits, and that "
    "`a2h approvals` shows it. It is carried out automatically once they say yes.";

constexpr std::string_view kNoRoom =
    "Waiting alone frees nothing. Tell your human that your questions wait and ask them to answer "
    "some of them; `a2h approvals` shows them, and a2h_approval_list shows you which. Then call "
    "again.";

struct WaitingAsker {
    std::string approval_id;
    int polls = 0;
    std::function<void(Result<json>)> done;
};

void poll_notifications(const Asker& asker, const std::shared_ptr<WaitingAsker>& waiting) {
    const auto rows = store::notifications_of_approval(asker.kernel.reader, waiting->approval_id);
    if (!rows) {
        waiting->done(fail(rows.error()));
        return;
    }
    const UnixMs now_ms = asker.kernel.clock.now_ms();
    bool all_tried = true;
    bool reached = false;
    bool more_steps = false;
    json notified = json::array();
    for (const Notification& row : *rows) {
        more_steps = more_steps || row.state == "waiting";
        // A failed step is reported; a step that was not needed is not.
        if (row.state == "waiting" || (row.state == "skipped" && row.attempts == 0)) continue;
        const bool held = row.held && row.next_attempt_ms > now_ms;
        const bool tried = row.attempts > 0 || row.state != "queued" || held;
        all_tried = all_tried && tried;
        reached = reached || row.state == "delivered";
        notified.push_back({{"channel", row.channel},
                            {"person", row.person},
                            {"ok", row.state == "delivered"},
                            {"detail", held ? "held back until " + to_utc_time(row.next_attempt_ms)
                                       : tried ? row.outcome
                                               : "still trying"}});
    }
    // A later step of somebody's channels may still reach them.
    all_tried = all_tried && (reached || !more_steps);
    if (all_tried || ++waiting->polls > kNotifyPollsMax) {
        waiting->done(std::move(notified));
        return;
    }
    asker.kernel.loop.call_after(kNotifyPoll,
                                 [&asker, waiting] { poll_notifications(asker, waiting); });
}

bool anybody_reached(const json& notified) {
    for (const json& entry : notified) {
        if (entry.value("ok", false)) return true;
    }
    return false;
}

/// Empty if it quotes a peer: without quoting here, a peer's words could be taken for ours.
std::string question_in_error(const Approval& approval) {
    const bool quotes_peer = consent::row_of(approval.action).question_quotes_peer;
    return quotes_peer ? std::string() : approval.question;
}

json waiting_error(std::string_view action, std::string message, std::string_view next,
                   const Approval& approval) {
    const std::string question = question_in_error(approval);
    if (!question.empty()) message += ": " + question;
    json result = error_result(action, {ErrorCode::ConfirmationRequired, message}, next);
    if (!question.empty()) result["error"]["question"] = question;
    result["error"]["approval_id"] = approval.id;
    return result;
}

json confirmation_required(std::string_view action, const Approval& approval,
                           const json& notified) {
    json result =
        waiting_error(action, "this needs your human's yes", next_after_asking(notified), approval);
    result["error"]["notified"] = notified;
    return result;
}

json with_state(json result, const Approval& approval) {
    result["error"]["status"] = to_string(approval.status);
    result["error"]["outcome"] = to_string(approval.outcome);
    return result;
}

/// The answer to a call that repeats an earlier one.
json state_of_earlier_call(std::string_view action, const Approval& approval) {
    const bool failed = approval.outcome == ApprovalOutcome::Failed ||
                        approval.outcome == ApprovalOutcome::Unknown ||
                        approval.outcome == ApprovalOutcome::Expired;
    if (approval.status == ApprovalStatus::Approved && !failed) {
        json data = to_json(approval);
        data["approval_id"] = approval.id;
        return ok_result(action, std::move(data));
    }
    if (approval.status == ApprovalStatus::Pending) {
        return with_state(
            waiting_error(action, "this was asked before and still waits for your human",
                          kWaitForHuman, approval),
            approval);
    }
    const std::string message = "approval " + approval.id + " is " +
                                std::string(to_string(approval.status)) + ", outcome " +
                                std::string(to_string(approval.outcome));
    json result = error_result(action, {ErrorCode::Conflict, message},
                               "Your human has decided, or time has run out. Ask them what to do; "
                               "do not repeat the call.");
    result["error"]["approval_id"] = approval.id;
    return with_state(std::move(result), approval);
}

/// Answers a call that a mandate has released, with the result.
void reply_when_done(const Asker& asker, const std::string& action, const std::string& approval_id,
                     int checks, const Reply& reply) {
    const auto approval = store::get_approval(asker.kernel.reader, approval_id);
    if (!approval || !*approval) {
        reply(error_result(action, approval
                                       ? Error{ErrorCode::Internal, "the approval no longer exists"}
                                       : approval.error()));
        return;
    }
    const ApprovalOutcome outcome = (*approval)->outcome;
    const bool under_way =
        outcome == ApprovalOutcome::None || outcome == ApprovalOutcome::Executing;
    if (under_way && checks < kOutcomeChecksMax) {
        asker.kernel.loop.call_after(kNotifyPoll, [&asker, action, approval_id, checks, reply] {
            reply_when_done(asker, action, approval_id, checks + 1, reply);
        });
        return;
    }
    reply(state_of_earlier_call(action, **approval));
}

/// After the question is stored: notifies people, or calls `released` if a mandate has answered it.
void follow_question(const Asker& asker, const Approval& stored,
                     std::function<void(Result<json>)> done,
                     const std::function<void()>& released) {
    asker.metrics.count_opened(stored);
    if (stored.status == ApprovalStatus::Approved) {
        asker.answers.released(stored);
        if (released) released();
        return;
    }
    asker.commits.rows_written();
    poll_notifications(asker,
                       std::make_shared<WaitingAsker>(WaitingAsker{stored.id, 0, std::move(done)}));
}

/// Stores `approval`.
///
/// Errors:  Conflict if the same question is open already. It may be asked at the same time, so
///          that an earlier check cannot find it.
Result<Approval> open_only_one(store::Database& db, const consent::Question& approval,
                               const consent::Policy& policy) {
    A2H_ASSIGN_OR_RETURN(const auto live, store::get_live_approval_by_digest(db, approval.agent_id,
                                                                             approval.digest));
    if (live) {
        return fail(ErrorCode::Conflict,
                    "the same question is already waiting as approval " + live->id);
    }
    return consent::open_approval(db, approval, policy, approval.created_at_ms);
}

/// Puts the question together with its further changes, and does not wait.
void ask_along(const Asker& asker, const std::string& action, const Along& along,
               const consent::Question& approval, const Reply& reply) {
    auto stored = std::make_shared<consent::Question>(approval);
    asker.kernel.write(
        store::Writer::Priority::Urgent,
        [stored, along, policy = policy_of(asker.config)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto opened, open_only_one(db, *stored, *policy));
            *stored = consent::Question(std::move(opened));
            return along(db, *stored);
        },
        [&asker, action, stored, reply](const Result<void>& written) {
            if (!written) return reply(not_asked(asker, action, written.error()));
            asker.metrics.count_opened(*stored);
            asker.commits.rows_written();
            if (stored->status == ApprovalStatus::Approved) asker.answers.released(*stored);
            reply(state_of_earlier_call(action, *stored));
        });
}

/// Whether the peer has said something since `earlier`, which sent words or was answered by an
/// instruction. The same words would now answer something else, so the earlier outcome is not
/// returned again.
bool was_spoken_to_since(store::Database& db, const Approval& earlier) {
    const bool may_change =
        consent::row_of(earlier.action).sends_words || earlier.status == ApprovalStatus::Instructed;
    if (!may_change || earlier.peer_id.empty()) return false;
    const auto newer = store::has_newer_message(db, earlier.agent_id, earlier.peer_id,
                                                earlier.seen_inbox_id, Provenance::Unverified);
    if (!newer || *newer) return true;
    return consent::has_spoken_elsewhere(db, earlier, i18n::Language::English).value_or(true);
}

/// What was done at the market since may have undone it: a listing that was changed twice, or a
/// method of payment. The names of actions about the same things begin alike.
bool was_changed_since(store::Database& db, const Approval& earlier) {
    const bool is_market_call = consent::row_of(earlier.action).carry_out == nullptr;
    if (!is_market_call) return false;
    const auto dot = earlier.action.find('.');
    const auto done = store::has_done_since(db, earlier, earlier.action.substr(0, dot + 1));
    return done.value_or(true);
}

/// A call that something newer has closed is asked again.
bool is_same_call(store::Database& db, const Approval& earlier, UnixMs now_ms) {
    const bool open = earlier.status == ApprovalStatus::Pending ||
                      (earlier.status == ApprovalStatus::Approved &&
                       (earlier.outcome == ApprovalOutcome::None ||
                        earlier.outcome == ApprovalOutcome::Executing));
    const bool was_answered = !earlier.closed_by;
    return open || (was_answered && earlier.answered_at_ms > now_ms - kSameCallWindowMs &&
                    !was_spoken_to_since(db, earlier) && !was_changed_since(db, earlier));
}

}  // namespace

nlohmann::json not_asked(const Asker& asker, std::string_view action, const Error& error) {
    const auto open = store::count_open_of_assistants(asker.kernel.reader);
    const bool has_no_room =
        error.code == ErrorCode::ResourceExhausted && open && *open >= consent::kOpenOfAssistantMax;
    return error_result(action, error, has_no_room ? kNoRoom : std::string_view());
}

std::string_view next_after_asking(const json& notified) {
    return anybody_reached(notified) ? kWaitForHuman : kNobodyReached;
}

std::string person_of(const Current<Config>& config, const Call& call) {
    const std::string named = call.text("person");
    return named.empty() ? owner_of(config->approval.people) : named;
}

i18n::Language language_of(const Current<Config>& config, const Call& call) {
    return call.reader_language.value_or(config->approval.language);
}

card::Reader reader_of(const Asker& asker, const Call& call) {
    return {language_of(asker.config, call), &asker.acting_agents};
}

namespace {

/// What each option does, by its label; options without an entry are words of their own.
json option_kinds(const Approval& approval) {
    json kinds = json::object();
    for (const std::string& label : approval.options) {
        const OptionKind kind = card::kind_of_option(approval, label);
        if (kind != OptionKind::Other) kinds[label] = to_string(kind);
    }
    return kinds;
}

}  // namespace

nlohmann::json to_json(const Approval& approval, const card::Reader& reader) {
    json object = to_json(approval);
    if (approval.status != ApprovalStatus::Pending) return object;
    object["covers"] = card::to_json(card::card_of(approval, reader).lines);
    return object;
}

nlohmann::json to_json(const Approval& approval) {
    json object{{"approval_id", approval.id},
                {"agent_id", approval.agent_id},
                {"action", approval.action},
                {"peer_id", approval.peer_id},
                {"question", approval.question},
                {"context", approval.context},
                {"options", approval.options},
                {"reply_text", approval.reply_text},
                {"reject_text", approval.reject_text},
                {"provenance", approval.provenance},
                {"status", to_string(approval.status)},
                {"outcome", to_string(approval.outcome)},
                {"outcome_detail", approval.outcome_detail},
                {"digest", approval.digest},
                {"requested_by", approval.requested_by},
                {"priority", to_string(approval.priority)},
                {"created_at", to_utc_time(approval.created_at_ms)},
                {"answer_by", to_utc_time(approval.answer_by_ms)}};
    if (approval.amount_minor) {
        object["amount_minor"] = *approval.amount_minor;
        object["currency"] = approval.currency;
        object["amount"] = to_text(Money{*approval.amount_minor, approval.currency});
    }
    if (waits_to_be_sent(approval)) object["not_yet_sent"] = true;
    if (json kinds = option_kinds(approval); !kinds.empty()) object["option_kinds"] = kinds;
    if (!approval.since_text.empty()) object["written_since"] = approval.since_text;
    if (!approval.also_text.empty()) object["also_asked"] = approval.also_text;
    if (!approval.voters.empty()) {
        object["votes_needed"] = approval.votes_needed;
        object["voters"] = people_who_count(approval);
    }
    // The status of a yes that sends nothing stays "approved" for programs that know no other
    // status.
    if (card::closes_without_answer(approval)) {
        if (approval.status == ApprovalStatus::Pending) object["closes_without_answer"] = true;
        if (approval.status == ApprovalStatus::Approved) {
            object["closed_without_answer"] = true;
            object["outcome"] = to_string(ApprovalOutcome::None);  // nothing was carried out
        }
    }
    if (approval.status != ApprovalStatus::Pending) {
        object["answer"] = approval.answer_text;
        object["answered_by"] = approval.answered_by;
        object["answered_at"] = to_utc_time(approval.answered_at_ms);
        if (approval.surface) object["surface"] = to_string(*approval.surface);
        if (approval.closed_by) object["closed_by"] = to_string(*approval.closed_by);
        if (!approval.next_id.empty()) object["next_approval_id"] = approval.next_id;
        if (approval.surface == AnswerSurface::Mandate) {
            object["mandate_id"] = approval.answered_by.substr(approval.answered_by.find(':') + 1);
        }
    }
    return object;
}

void open_and_notify(const Asker& asker, const consent::Question& approval,
                     std::function<void(Result<json>)> done, std::function<void()> released) {
    auto stored = std::make_shared<Approval>(approval);
    asker.kernel.write(
        store::Writer::Priority::Urgent,
        [approval, stored, policy = policy_of(asker.config)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto opened, open_only_one(db, approval, *policy));
            *stored = std::move(opened);
            return {};
        },
        [&asker, stored, done = std::move(done),
         released = std::move(released)](const Result<void>& written) {
            if (written) return follow_question(asker, *stored, done, released);
            done(fail(written.error()));
        });
}

void refuse_or_return_earlier(const Asker& asker, const Call& call, const Error& refusal,
                              const Reply& reply) {
    const auto list = store::list_approvals(asker.kernel.reader, call.agent_id(),
                                            ApprovalStatus::Approved, kEarlierCallsMax);
    const UnixMs now_ms = asker.kernel.clock.now_ms();
    for (const Approval& earlier : list.value_or({})) {
        if (earlier.action != call.action || !is_same_call(asker.kernel.reader, earlier, now_ms))
            continue;
        const json action = json::parse(earlier.action_json, nullptr, false);
        if (wire::member(action, "request") != call.arguments) continue;
        reply(state_of_earlier_call(call.action, earlier));
        return;
    }
    reply(error_result(call.action, refusal));
}

namespace {

/// The rest of a call whose handler has returned.
struct Asking {
    std::string action;
    Along along;
    Reply reply;
};

void ask_now(const Asker& asker, const Asking& asking, const consent::Ask& ask) {
    const auto& [action, along, reply] = asking;
    const UnixMs now_ms = asker.kernel.clock.now_ms();
    const consent::Question approval = consent::new_approval(ask, asker.config->approval, now_ms);
    if (along) return ask_along(asker, action, along, approval, reply);
    const auto earlier = store::get_latest_approval_by_digest(asker.kernel.reader,
                                                              approval.agent_id, approval.digest);
    if (!earlier) return reply(error_result(action, earlier.error()));
    if (*earlier && is_same_call(asker.kernel.reader, **earlier, now_ms))
        return reply(state_of_earlier_call(action, **earlier));
    open_and_notify(
        asker, approval,
        [&asker, asking, approval](const Result<json>& notified) {
            if (notified)
                return asking.reply(confirmation_required(asking.action, approval, *notified));
            const auto first = store::get_live_approval_by_digest(
                asker.kernel.reader, approval.agent_id, approval.digest);
            const bool asked_at_once =
                notified.error().code == ErrorCode::Conflict && first && *first;
            asking.reply(asked_at_once ? state_of_earlier_call(asking.action, **first)
                                       : not_asked(asker, asking.action, notified.error()));
        },
        [&asker, asking, id = approval.id] {
            reply_when_done(asker, asking.action, id, 0, asking.reply);
        });
}

}  // namespace

std::string requester_of(const Call& call, std::string_view tool) {
    const bool is_at_terminal = call.caller.face == Face::Human && !call.caller.is_proved();
    return std::string(is_at_terminal ? kTerminalCause : kToolCause) + std::string(tool);
}

void ask_human(const Asker& asker, const Call& call, const consent::Ask& wanted,
               const Reply& reply) {
    consent::Ask ask = wanted;
    const std::string_view cause = wanted.requested_by;
    if (cause.starts_with(kToolCause))
        ask.requested_by = requester_of(call, cause.substr(kToolCause.size()));
    const Asking asking{call.action, call.along, reply};
    if (!ask.is_bounded) return ask_now(asker, asking, ask);
    asker.unread_mail.read_all(UnreadMail::kReadingMax, [&asker, asking, ask](bool is_read) {
        consent::Ask sure = ask;
        sure.is_bounded = is_read;
        ask_now(asker, asking, sure);
    });
}

void ask_human(const Asker& asker, const Call& call,
               std::function<Result<PutQuestion>(store::Database&)> put, const Reply& reply) {
    const auto question = std::make_shared<PutQuestion>();
    asker.kernel.write(
        store::Writer::Priority::Urgent,
        [put = std::move(put), question](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto stored, put(db));
            *question = std::move(stored);
            return {};
        },
        [&asker, action = call.action, question, reply](const Result<void>& written) {
            const Approval& approval = question->approval;
            if (!written) return reply(not_asked(asker, action, written.error()));
            if (question->is_earlier) return reply(state_of_earlier_call(action, approval));
            follow_question(
                asker, approval,
                [action, question, reply](const Result<json>& notified) {
                    reply(notified ? confirmation_required(action, question->approval, *notified)
                                   : error_result(action, notified.error()));
                },
                [&asker, action, id = approval.id, reply] {
                    reply_when_done(asker, action, id, 0, reply);
                });
        });
}

}  // namespace a2h::operations
