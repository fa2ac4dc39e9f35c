#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/fence.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/notification.h"
#include "core/domain/outbox.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "daemon/consent/pin_lock.h"
#include "daemon/consent/policy.h"
#include "daemon/consent/question.h"
#include "daemon/consent/votes.h"

namespace a2h::consent {

/// Secrets of home/human.json (0600). Its PINs are in `Pins`.
struct HumanSecrets {
    std::string link_key;  ///< derives codes and link tokens; never leaves this process
};

/// The matter of a question. It becomes the canonical action that the digest covers.
struct Ask {
    std::string agent_id;
    std::string peer_id;
    std::vector<std::string> peer_ids = {};  ///< as in `Approval`
    std::int64_t job_id = 0;
    std::string action;        ///< in the form noun.verb
    std::string request_json;  ///< JSON of the tool call's parameters (R18); empty for replies
    std::string reply_text;
    std::string reject_text;
    std::string order_id;
    std::string works_id;
    std::optional<std::int64_t> amount_minor;
    std::string currency;
    std::string question;
    std::string context;
    std::vector<AnswerOption> options;
    std::string provenance;
    std::string requested_by;
    About about = About::Other;          ///< as in `Approval`
    std::string asked_by{};              ///< as in `Approval`
    bool is_bounded = false;             ///< as in `Claims`
    bool has_own_listing = false;        ///< as in `Claims`
    std::string listing_digest{};        ///< as in `Claims`
    std::string continues_mandate = {};  ///< as in `Claims`
    std::string peer_text = {};          ///< as in `Approval`
    std::int64_t accepts_inbox_id = 0;   ///< as in `Claims`
    bool leaves_offer = false;  ///< the words answer a typed offer and do not accept it (R73)
};

/// Makes the question one about `peer_ids`: in `peer_id` if there is only one.
void set_peers(Ask& ask, std::vector<std::string> peer_ids);

/// The question that `ask` makes, with id, digest and deadlines set. Pure except for the random id.
Question new_approval(const Ask& ask, const Policy& policy, UnixMs now_ms);

/// Stores a new question in the caller's transaction: its row, the audit row "asked", the event
/// "approval.asked" and the notifications of all who are notified. If a mandate covers it, nobody
/// is asked: it is answered at once, and released as by a human's yes. No mandate says yes while
/// anything else is open with the peer (`is_other_open`).
///
/// Rules that say who must agree are applied here as well. Returns the approval as stored: pending,
/// or approved by the mandate; in that case the caller must still hand a platform action (outcome
/// None) to the executor.
///
/// Errors:  Conflict if a rule names too few people; ResourceExhausted if an assistant asks
///          while `kOpenOfAssistantMax` (limits.h) of its questions are open; those of the store.
/// Thread:  the store writer.
Result<Approval> open_approval(store::Database& db, const Question& asked, const Policy& policy,
                               UnixMs now_ms);
/// Stores only the row of `approval`, with its audit row and event. No mandate is looked for, and
/// nobody is notified.
///
/// Errors:  Conflict if the id exists or the job does not; those of the store.
/// Thread:  the store writer.
Result<void> store_question(store::Database& db, const Approval& approval, UnixMs now_ms);
/// Whether a mandate would give the yes if the approval was opened now.
///
/// Errors:  Conflict if a rule names too few people; those of the store.
/// Thread:  the store writer.
Result<bool> is_covered(store::Database& db, Question question, const Policy& policy,
                        UnixMs now_ms);

/// Notifies everybody of `news`, according to its priority and each person's settings; see
/// daemon/notify/routing.h.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<void> notify_human(store::Database& db, const Notification& news, const Policy& policy,
                          UnixMs now_ms);
/// Notifies those who have been asked so far of `kind` about `approval`, not before
/// `not_before_ms`. Substitutes are included only after `escalate`, unless a rule needs their yes.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<void> notify_asked(store::Database& db, const Approval& approval, std::string_view kind,
                          const Policy& policy, UnixMs now_ms, UnixMs not_before_ms = 0);
/// Notifies `news.person` only; does nothing if there is no such person.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<void> notify_person(store::Database& db, const Notification& news, const Policy& policy,
                           UnixMs now_ms);

/// See core/wire/approval_secret.h. `person` is the holder of the secret.
std::string approval_code(const HumanSecrets& secrets, const Approval& approval,
                          std::string_view person = kOwner);
std::string approval_link_token(const HumanSecrets& secrets, const Approval& approval,
                                std::string_view person = kOwner);
/// A code that proves that its holder receives what is sent to `person`, and so allows them to set
/// their PIN. `nonce` is that of one offer.
std::string pin_code(const HumanSecrets& secrets, std::string_view nonce, std::string_view person);
/// The token of a button for `choice`, valid until the approval's answer-by time.
std::string approval_button_token(const HumanSecrets& secrets, const Approval& approval,
                                  std::string_view person, AnswerKind choice);

/// Returns the meaning of a human's or an assistant's words for this approval (R10). The folded
/// text of an option means what the option does: the yes, the no (also to close the question), or
/// Option. Unknown words are Instruct. "withdraw" and "撤回" are Withdraw if
/// several people must agree.
AnswerKind understand_answer(const Approval& approval, std::string_view words);
/// Whether the words are nothing but a yes in English or Chinese, such as "ok" or "好的". On a
/// trusted surface they are an instruction (R10); relayed by an assistant, they need the code.
bool is_plain_yes(std::string_view words);

/// Whether an assistant has asked this without a message behind it: by a tool, or by words that it
/// relayed as an answer to such a question.
bool is_of_assistant(const Approval& approval);

/// Whether an answer in the human's own words reaches anybody: they become a draft for the peer, or
/// whoever asked reads them. Other questions only take a yes or a no.
bool takes_words(const Approval& approval);

/// The result of checking a person's PIN. The check takes about 50 ms, so it never runs on the
/// store writer: the caller checks on a worker (`Pins::check`) and passes the result to
/// `apply_answer`, which counts failures and knows the lock. NotSet: the person has no PIN.
enum class ProofState { NotNeeded, Valid, Wrong, NotSet };

/// One answer as it arrives from a surface.
struct Answer {
    std::string approval_id;
    AnswerKind kind = AnswerKind::Instruct;
    std::string words;  ///< as given
    /// Send this text instead, and treat the answer as a yes to it. Only from page and terminal,
    /// because a program that relays a code could have changed the text.
    std::string edited_reply_text;
    AnswerSurface surface = AnswerSurface::Relayed;
    bool elicited = false;  ///< Relayed: from a dialog that the assistant's program showed
    ProofState pin = ProofState::NotNeeded;  ///< Terminal: the result of `Pins::check` for `person`
    std::string proof;        ///< Code: the code; Page, Button: the token; else empty
    bool in_session = false;  ///< Page: the token is the page's own, for a session of `person`
    /// The person who answers, as far as `proof` or PIN prove it; for a code, the person to whom it
    /// was sent.
    std::string person{kOwner};
    std::string digest_seen;  ///< the digest of what the surface showed; empty: not checked
    /// All mail that had reached the broker when the answer was given has been stored.
    bool mail_is_read = true;
};

/// The first character of the person's words, or of the text to send, that people cannot see.
/// `apply_answer` refuses such an answer with InvalidArgument. Pure. Thread: any.
std::optional<Hidden> unseen_in(const Answer& answer);

/// Whether a yes from a dialog of the assistant's program counts without a code. The owner must
/// have allowed it, one person must be enough, and either nothing is sent, or words that pass a
/// strict review (no amount, link, promise or agreement) while nothing is open with the peer.
///
/// Errors:  those of the database.
/// Thread:  any, with a connection of its own.
Result<bool> trusts_dialog(store::Database& db, const Approval& approval, const Policy& policy);

/// The result of an answer, for the surface that gave it and for waiting callers.
struct Answered {
    Approval approval;  ///< as stored afterwards
    /// The people who have said yes while others still have to; `approval` is then pending.
    std::vector<std::string> votes;
    bool reply_queued = false;  ///< an outbox row was written in the same transaction
    bool needs_execution =
        false;  ///< an approved platform action that the executor has to carry out
    std::optional<Approval> next;  ///< the new approval that an instruction has become
};

struct AnswerOutcome {
    std::optional<Answered> answered;
    std::optional<Error>
        refused;  ///< a failure was recorded, so the transaction must be committed nevertheless
};

/// Checks the proof of one answer and applies it inside the caller's transaction: answer row and
/// audit rows, and for replies the consumption of the yes, the outbox row (effect key
/// "approval:<id>", or "approval:<id>:reject" for a no with a proof and a `reject_text`) and the
/// job.
///
/// An instruction (and an option of an approval that a message caused) sends nothing. If a peer
/// waits for words, it becomes a new pending approval of the exact text (R10).
///
/// If several people must agree, a yes is a vote until no further one is needed; until then its
/// giver may withdraw it. The no of any of them closes the question. Earlier votes for an old text
/// do not count, nor does that of whoever edits it, unless too few others are left: then the edited
/// text is that person's vote.
///
/// `refused` (commit nevertheless, because it contains counted failures):
///   Unauthenticated    wrong PIN, code or token;
///   Unavailable        a newer message of the peer is stored but not decided yet;
///   Conflict           the peer has written since what the card showed, and the question is asked
///                      again (daemon/consent/renewal.h);
///   Conflict           already answered, expired or closed by something newer (the message says
///                      who, when and what), or `digest_seen` is no longer its digest;
///   PermissionDenied   a relayed answer tries to approve (unless `trusts_dialog` and it names the
///                      digest), to edit, or to answer what no assistant asked
///                      (`is_of_assistant`), a relayed code tries to edit, this person's PIN is
///                      locked or was never set, the person is unknown, the code is void or was
///                      never delivered, all codes are locked, or this person's yes does not count;
///   InvalidArgument    no words, too long, or an edit of something that is not a reply;
///   NotFound.
///
/// Errors:  Conflict for a vote that exists already, NotFound for one to withdraw that does not;
///          those of the store. Nothing has happened then.
/// Thread:  the store writer.
Result<AnswerOutcome> apply_answer(store::Database& db, const Answer& answer,
                                   const HumanSecrets& secrets, const Policy& policy,
                                   UnixMs now_ms);

/// Expires what is overdue: pending approvals after their answer-by time (status Expired), approved
/// but unused ones after their act-by time (outcome Expired). Notifies the human. Returns the rows
/// as stored afterwards.
///
/// Errors:  those of the store, and of the `end` of an action (actions.h).
/// Thread:  the store writer.
Result<std::vector<Approval>> expire_overdue(store::Database& db, const Policy& policy,
                                             UnixMs now_ms);

/// Ends the question `approval_id`, or its unused yes, because the matter is over; does nothing if
/// it is neither.
///
/// Errors:  as above.
/// Thread:  the store writer.
Result<void> call_off(store::Database& db, std::string_view approval_id, std::string_view why,
                      const Policy& policy, UnixMs now_ms);

/// Ends all questions of `agent_id` and all its unused yeses, because the agent itself has ended;
/// `why` is for people.
///
/// Errors:  as above.
/// Thread:  the store writer.
Result<void> call_off_all(store::Database& db, std::string_view agent_id, std::string_view why,
                          const Policy& policy, UnixMs now_ms);

/// If nobody has answered for `policy.escalate_after`, asks the substitutes of those who were
/// asked, and once more those who have none; once for each question. Returns the number of
/// questions.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<int> escalate(store::Database& db, const Policy& policy, UnixMs now_ms);

}  // namespace a2h::consent
