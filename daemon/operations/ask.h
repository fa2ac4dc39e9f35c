#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/answers/answers.h"
#include "daemon/card/reader.h"
#include "daemon/consent/approvals.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/kernel/metrics.h"
#include "daemon/operations/operation.h"
#include "daemon/outcome/commits.h"

namespace a2h::operations {

// How calls are put to people. Failures are answers of the call, given by `reply`.
//
// Thread:  the loop; replies are given on it.

/// The parts that are needed to put a question to people and to follow it.
struct Asker {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
    const consent::HumanSecrets& secrets;
    kernel::Metrics& metrics;
    answers::Answers& answers;
    const outcome::Commits& commits;
    const Agents& agents;
    const UnreadMail& unread_mail;
    const card::ActingAgents& acting_agents;
};

/// Returns `requested_by` of a question that `call` raises with the tool `tool`.
std::string requester_of(const Call& call, std::string_view tool);

/// Puts `ask` to the human, and answers the call with PLATFORM_CONFIRMATION_REQUIRED, the
/// approval's id and the actual result of every notification. If a mandate gives the yes, the call
/// is answered with the result, after at most 10 s. A repeated call, while its approval is open or
/// within an hour of its end, is answered with that approval's state (R18). A call with `along` is
/// always a question of its own and is answered once the question is stored. A mandate gives its
/// yes only if all mail that had reached the broker or the market has been read (R52). What `ask`
/// says of a tool in `requested_by` becomes that of `requester_of`.
void ask_human(const Asker& asker, const Call& call, const consent::Ask& ask, const Reply& reply);

/// A question stored in the writer's transaction, and whether it existed before.
struct PutQuestion {
    Approval approval;
    bool is_earlier = false;
};
/// The same for a question that `put` stores in one transaction with other changes.
void ask_human(const Asker& asker, const Call& call,
               std::function<Result<PutQuestion>(store::Database&)> put, const Reply& reply);

/// Answers a call that the market's state does not allow. If the same call was made within the last
/// hour and its approval was used, the answer is the result of that approval, which may have
/// changed the state (R18); otherwise it is `refusal`.
void refuse_or_return_earlier(const Asker& asker, const Call& call, const Error& refusal,
                              const Reply& reply);

/// Stores `approval`, and passes `[{channel, ok, detail}]` to `done` on the loop once every channel
/// has been tried, or after 4 s. If a mandate gives the yes, nobody is notified; `released` is
/// called instead, and the approved action is started.
///
/// Errors:  Conflict if an approval with the same digest is open.
void open_and_notify(const Asker& asker, const consent::Question& approval,
                     std::function<void(Result<nlohmann::json> notified)> done,
                     std::function<void()> released = {});

/// Returns the advice to an assistant after a question was put; it says so if nobody was reached.
std::string_view next_after_asking(const nlohmann::json& notified);

/// Answers a call whose question could not be put, with advice to the assistant.
nlohmann::json not_asked(const Asker& asker, std::string_view action, const Error& error);

/// The parts of an approval that everybody may see: never a code, link or PIN.
nlohmann::json to_json(const Approval& approval);
/// The same with `covers`, everything that a yes covers (daemon/card/card.h), while the approval is
/// open.
nlohmann::json to_json(const Approval& approval, const card::Reader& reader);
/// The language of the people who read the answer to `call`.
i18n::Language language_of(const Current<Config>& config, const Call& call);
/// The people who read the cards in the answer to `call`.
card::Reader reader_of(const Asker& asker, const Call& call);

/// The proof of a human who makes a call themselves. Terminal needs the person's PIN; for Page the
/// caller has checked the session.
struct HumanProof {
    AnswerSurface surface = AnswerSurface::Terminal;
    std::string pin;
    std::string person{kOwner};
};

/// Carries out a call of the market for which an assistant would have to ask. It becomes an
/// approval as well, answered at once with `proof`, and the executor carries it out. With a wrong
/// proof nobody is asked. `reply` gets the approval after the answer.
///
/// Errors:  those of `trade::check_call` and `consent::open_approval`; `refused` of
///          `consent::apply_answer`.
void carry_out(const Asker& asker, const Call& call, const HumanProof& proof, const Reply& reply);

/// The fact that an approved reply told a peer, to be added to the listing that it was about.
struct Lesson {
    std::string approval_id;
    std::string text;  ///< empty: the reply itself
    HumanProof proof;
};
/// Whether the reply says something that its listing does not contain.
bool can_learn(const Agent& agent, const Approval& approval);
/// Puts the lesson into the listing. `reply` gets the approval of the listing's update.
///
/// Errors:  NotFound; Conflict if the listing says it already, or if the approval is not a sent
///          reply.
void learn(const Asker& asker, Agent& agent, const Lesson& lesson, const Reply& reply);

}  // namespace a2h::operations
