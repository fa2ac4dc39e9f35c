#pragma once

// The steps of way.cpp. For daemon/consent only.
//
// Errors:  those of the store, unless stated otherwise.
// Thread:  the store writer, inside the caller's transaction.

#include <optional>
#include <string>
#include <string_view>

#include "daemon/consent/approvals.h"

namespace a2h::consent::way {

// 1. Ask; approvals.cpp.

Priority priority_of(const Approval& approval, const Policy& policy, UnixMs now_ms);
/// The mandate that may answer. None while anything else is open with the peer, which may have
/// changed what the yes means, and none for a yes that would send nothing.
Result<std::optional<std::string>> mandate_for(store::Database& db, const Question& question,
                                               UnixMs now_ms);
/// Errors: ResourceExhausted when too many questions of assistants wait.
Result<void> check_room(store::Database& db, const Approval& approval);
/// Says on the card why a mandate does not give the yes: the listing that it names has changed, the
/// mandate is suspended, or the yes would be a second agreement with the peer.
Result<void> say_why_no_mandate(store::Database& db, Question& question, const Policy& policy,
                                UnixMs now_ms);

// 2. Show.

/// Tells everybody who may answer now.
Result<void> show(store::Database& db, const Approval& approval, const Policy& policy,
                  UnixMs now_ms);

// 3. Answer; answer.cpp.

using Refusal = std::optional<Error>;

/// One answer while it is processed; the functions below fill `result`.
struct Step {
    store::Database& db;
    const Answer& answer;
    const Policy& policy;
    UnixMs now_ms;
    Approval approval;
    std::string by;  ///< all people who answer
    Answered result;
};

/// The step of `answer` to `approval`, with the people who answer by it.
Step new_step(store::Database& db, const Answer& answer, const Policy& policy, UnixMs now_ms,
              Approval approval);
/// Returns why the answer is refused: it is not proved, or not an answer to what was shown. Nothing
/// if it is taken.
Result<Refusal> check(store::Database& db, const Answer& answer, const Approval& approval,
                      const HumanSecrets& secrets, const Policy& policy, UnixMs now_ms);
/// Applies the answer: withdraws a vote, changes the text, or ends the question.
Result<void> settle(Step& step);

/// True if the answer is a yes to other words than those of the question.
bool is_edit(const Answer& answer, const Approval& approval);
/// Takes back the vote of the person who answers.
///
/// Errors:  NotFound if there is none.
Result<void> withdraw(Step& step);
/// Replaces the text of the reply, and with it the digest.
Result<void> edit(Step& step);
/// Changed words are another question to the other people. The question stays open.
Result<void> ask_others(Step& step);
/// True if no further yes is needed.
Result<bool> is_last_vote(Step& step);
/// The question stays open, and waiting callers get its state.
Result<void> stay_open(Step& step, std::string_view what);
/// Stores the answer, with its audit row.
Result<void> record_answer(Step& step);
/// Writes the event that tells waiting callers of the answer.
Result<void> record_event(Step& step);

// 3a. After the answer; the first three in way.cpp.

Result<void> approve(Step& step);
Result<void> reject(Step& step);
Result<void> instruct(Step& step);
/// Lets the feature do what follows without a yes.
Result<void> end_without(Step& step);
/// Uses the yes to a reply. From here on nothing else can use it.
Result<void> release_reply(Step& step);
/// Queues `reject_text`. Nothing is sent without a proof, not even a refusal: a relayed no only
/// closes the question.
Result<void> send_refusal(Step& step);
/// If the peer waits for words, they become a new question.
Result<void> become_draft(Step& step);
/// Ends the job of the message. `key` is the reason, a message of `locales`.
Result<void> settle_job_of(Step& step, std::string_view key);

// 5. Done; news.cpp.

/// Notifies people that what they approved has failed, or that it is unknown whether it was done.
Result<void> notify_not_done(store::Database& db, const Approval& approval, ApprovalOutcome outcome,
                             std::string_view detail, const Policy& policy, UnixMs now_ms);

}  // namespace a2h::consent::way
