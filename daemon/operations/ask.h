#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/consent/approvals.h"
#include "daemon/kernel/metrics.h"
#include "daemon/kernel/services.h"
#include "daemon/mail/answer_desk.h"
#include "daemon/operations/operation.h"
#include "daemon/outcome/commits.h"

namespace a2h::operations {

/// What is needed to put a question to people and to follow it.
struct Asker {
    const kernel::Services& kernel;
    const Current<Config>& config;
    const consent::HumanSecrets& secrets;
    kernel::Metrics& metrics;
    mail::AnswerDesk& answers;
    const outcome::Commits& commits;
};

/// Puts `ask` to the human and answers the call with PLATFORM_CONFIRMATION_REQUIRED, the approval's
/// id, and the honest outcome of every notification. Where a mandate gives the yes, the call is
/// answered with what was done, after 10 s at the latest. The same call again, while its approval
/// is open or within an hour of its end, is answered with that approval's state instead (R18). A
/// call with `along` is a question of its own each time and is answered once it stands.
void ask_human(const Asker& asker, const Call& call, const consent::Ask& ask, const Reply& reply);

/// A question in the writer's transaction, and whether it was put there before.
struct PutQuestion {
    Approval approval;
    bool is_earlier = false;
};
/// As above, for a question that `put` stores in a transaction with all that it changes.
void ask_human(const Asker& asker, const Call& call,
               std::function<Result<PutQuestion>(store::Database&)> put, const Reply& reply);

/// Answers a call that the market's state forbids with `refusal`, or, when the same call was made
/// within the last hour and its approval was used, with what became of that: it may be what changed
/// the state (R18).
void refuse_or_tell_earlier(const Asker& asker, const Call& call, const Error& refusal,
                            const Reply& reply);

/// Stores `approval` and hands `[{channel, ok, detail}]` to `done` on the loop, once every channel
/// has been tried, or after 4 s; nobody is notified where a mandate gives the yes, then `released`
/// is called instead, and what it approved is under way. Errors: Conflict when an approval with the
/// same digest is live.
void open_and_notify(const Asker& asker, const Approval& approval,
                     std::function<void(Result<nlohmann::json> notified)> done,
                     std::function<void()> released = {});

/// What an assistant does after a question was put; it says so when nobody was reached.
std::string_view next_after_asking(const nlohmann::json& notified);

/// Answers a call whose question could not be put, with what the assistant can do about that.
nlohmann::json not_asked(const Asker& asker, std::string_view action, const Error& error);

/// What everybody may see of an approval: never a code, link or PIN.
nlohmann::json to_json(const Approval& approval);
/// The same with `covers`, everything that a yes covers (daemon/card/card.h), while it is open.
nlohmann::json to_json(const Approval& approval, i18n::Language language);
/// In which `call` is answered where people read it.
i18n::Language language_of(const Current<Config>& config, const Call& call);

/// Of the human who makes a call themselves. Terminal needs the person's PIN; for Page the caller
/// has checked the session.
struct HumanProof {
    AnswerSurface surface = AnswerSurface::Terminal;
    std::string pin;
    std::string person{kOwner};
};

/// Makes a call of the market for which an assistant would have to ask: it becomes an approval all
/// the same, answered at once with `proof`, and the executor carries it out. With a wrong proof
/// nobody is asked. `reply` gets the approval as the answer left it.
void carry_out(const Asker& asker, const Call& call, const HumanProof& proof, const Reply& reply);

/// What an approved reply told a peer, to be added to the listing it was about.
struct Lesson {
    std::string approval_id;
    std::string text;  ///< empty: the reply itself
    HumanProof proof;
};
/// Whether the reply says something that its listing does not.
bool can_learn(const Agent& agent, const Approval& approval);
/// `reply` gets the approval of the listing's update.
/// Errors: NotFound; Conflict when the listing says it already, or the approval is no sent reply.
void learn(const Asker& asker, Agent& agent, const Lesson& lesson, const Reply& reply);

}  // namespace a2h::operations
