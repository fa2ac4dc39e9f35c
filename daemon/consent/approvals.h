#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/notification.h"
#include "core/domain/outbox.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"
#include "daemon/consent/votes.h"

namespace a2h::consent {

/// From home/human.json (0600), whose PINs are in `Pins`.
struct HumanSecrets {
    std::string link_key;  ///< derives codes and link tokens; never leaves this process
};

/// What is asked. Becomes the canonical action that the digest covers.
struct Ask {
    std::string agent_id;
    std::string peer_id;
    std::int64_t job_id = 0;
    std::string action;        ///< noun.verb
    std::string request_json;  ///< JSON of the tool call's parameters (R18); empty for replies
    std::string reply_text;
    std::string reject_text;
    std::string order_id;
    std::string works_id;
    std::optional<std::int64_t> amount_minor;
    std::string currency;
    std::string question;
    std::string context;
    std::vector<std::string> options;
    std::string provenance;
    std::string requested_by;
    std::string asked_by;                ///< as in `Approval`
    bool is_bounded = false;             ///< as in `Approval`
    bool has_own_listing = false;        ///< the same
    std::string listing_digest{};        ///< the same
    std::string continues_mandate = {};  ///< the same
    std::string peer_text = {};          ///< the same
    std::int64_t accepts_inbox_id = 0;   ///< the same
};

/// A pending approval for `ask`, with id, digest and both clocks set. Pure but for the random id.
Approval new_approval(const Ask& ask, const Policy& policy, UnixMs now_ms);

/// Stores a new approval: its row, the audit row "asked", the event "approval.asked" and the
/// notifications of everybody who is told, in the caller's transaction. Where a mandate covers it,
/// nobody is asked: it is answered at once, and released as a human's yes would release it. No
/// mandate says yes while anything else is open with the peer (`is_other_open`).
///
/// Rules that say who must agree are fixed here, too. Errors: Conflict when too few people are left
/// to do so; ResourceExhausted when an assistant asks and `kOpenOfAssistantMax` of their questions
/// wait already; those of the store.
/// Returns it as stored: pending, or approved by the mandate; then a platform action (outcome None)
/// still has to be handed to the executor. Thread: the store writer.
Result<Approval> open_approval(store::Database& db, const Approval& approval, const Policy& policy,
                               UnixMs now_ms);
/// Only the row of `approval`, with its audit row and event: no mandate is looked for and nobody
/// told. Thread: the store writer.
Result<void> store_question(store::Database& db, const Approval& approval, UnixMs now_ms);
/// Whether a mandate would give the yes if it was opened now. Errors: as above.
Result<bool> is_covered(store::Database& db, Approval approval, const Policy& policy,
                        UnixMs now_ms);

/// Tells `news` to everybody, as its priority and each person's settings say; see
/// daemon/notify/routing.h. Thread: the store writer.
Result<void> notify_human(store::Database& db, const Notification& news, const Policy& policy,
                          UnixMs now_ms);
/// Tells `kind` of `approval` to those who were asked by now: substitutes only after `escalate`,
/// unless a rule wants their yes. Thread: the store writer.
Result<void> notify_asked(store::Database& db, const Approval& approval, std::string_view kind,
                          const Policy& policy, UnixMs now_ms);
/// `notify_human` for one person, by `news.person`; nothing when nobody is called that.
Result<void> notify_person(store::Database& db, const Notification& news, const Policy& policy,
                           UnixMs now_ms);

/// See core/wire/approval_secret.h. `person` is who holds the secret.
std::string approval_code(const HumanSecrets& secrets, const Approval& approval,
                          std::string_view person = kOwner);
std::string approval_link_token(const HumanSecrets& secrets, const Approval& approval,
                                std::string_view person = kOwner);
/// What proves that its holder gets what is sent to `person`: lets them set their PIN. `nonce` is
/// that of one offer.
std::string pin_code(const HumanSecrets& secrets, std::string_view nonce, std::string_view person);
/// Of a button that says `choice` until the approval's answer-by time.
std::string approval_button_token(const HumanSecrets& secrets, const Approval& approval,
                                  std::string_view person, AnswerKind choice);

/// What a human's (or assistant's) words mean for this approval (R10). An option's text, folded, is
/// Option; anything unknown is Instruct. "withdraw" and "撤回" are Withdraw where several must
/// agree.
AnswerKind understand_answer(const Approval& approval, std::string_view words);

/// What came of checking a person's PIN, which takes about 50 ms and therefore never happens on the
/// store writer: the caller checks on a worker (`Pins::check`) and hands the result to
/// `apply_answer`, which counts failures and knows the lock. NotSet: they have none.
enum class ProofState { NotNeeded, Valid, Wrong, NotSet };

/// One answer as it arrives from a surface.
struct Answer {
    std::string approval_id;
    AnswerKind kind = AnswerKind::Instruct;
    std::string words;  ///< as given
    /// Send this text instead and take the answer as a yes to it; page and terminal only, because
    /// whoever relays a code could have changed the text.
    std::string edited_reply_text;
    AnswerSurface surface = AnswerSurface::Relayed;
    bool elicited = false;  ///< Relayed: from a dialog that the assistant's program showed
    ProofState pin = ProofState::NotNeeded;  ///< Terminal: what `Pins::check` said of `person`
    std::string proof;        ///< Code: the code; Page, Button: the token; else empty
    bool in_session = false;  ///< Page: the token is the page's own, for a session of `person`
    /// Who answers, as far as `proof` or PIN prove it; of a code, whoever it was sent to.
    std::string person{kOwner};
    std::string digest_seen;  ///< what the surface showed; empty: not checked
};

/// Whether a yes from a dialog of the assistant's program counts without a code: where the owner
/// has said so, one person is enough, and what would be sent is nothing, or words that a strict
/// review lets go (no amount, link, promise or agreement) while nothing is open with the peer.
/// Errors: the database's. Thread: any, with a connection of its own.
Result<bool> trusts_dialog(store::Database& db, const Approval& approval, const Policy& policy);

/// What an answer led to, for the surface that gave it and for whoever waits.
struct Answered {
    Approval approval;  ///< as stored afterwards
    /// Who has said yes, while others still have to; then `approval` is pending.
    std::vector<std::string> votes;
    bool reply_queued = false;     ///< an outbox row was written in the same transaction
    bool needs_execution = false;  ///< approved platform action: the executor goes on
    std::optional<Approval> next;  ///< the new approval that an instruction became
};

struct AnswerOutcome {
    std::optional<Answered> answered;
    std::optional<Error> refused;  ///< recorded; the transaction must be committed all the same
};

/// Proves, binds and applies one answer inside the caller's transaction: answer row, audit rows,
/// and for replies the consumption, the outbox row (effect key "approval:<id>", on a no with a
/// proof and a `reject_text` "approval:<id>:reject") and the job, at once.
///
/// An instruction (and an option of an approval that a message caused) releases nothing. Where a
/// peer waits for words it becomes a new pending approval of the exact text (R10).
///
/// Where several people must agree, a yes is a vote until the last that is needed; until then its
/// giver may withdraw it. A no of anybody closes the question. Who edits the text no longer counts,
/// and votes for the text before do not either.
///
/// `refused` (commit nevertheless, failures are counted in it):
///   Unauthenticated    wrong PIN, code or token;
///   Unavailable        a newer message of the peer is stored and not decided yet;
///   Conflict           the peer has written since what the card showed: the question is asked anew
///                      (daemon/consent/renewal.h);
///   PermissionDenied   a relayed answer tries to approve (unless `trusts_dialog` and it names the
///                      digest) or edit, a relayed code to edit, this person's PIN is locked or
///                      was never set, nobody is called that, the code is void or has reached
///                      nobody, all codes are locked, or this person's yes does not count for it;
///   Conflict           answered, expired or closed by something newer before (the message says
///                      who, when and what), or
///                      `digest_seen` is no longer its digest;
///   InvalidArgument    no words, too long, or an edit of something that is not a reply;
///   NotFound.
/// Errors: Conflict and NotFound for a vote that is there already or is not there to be withdrawn;
/// those of the store; nothing happened then.
/// Thread: the store writer.
Result<AnswerOutcome> apply_answer(store::Database& db, const Answer& answer,
                                   const HumanSecrets& secrets, const Policy& policy,
                                   UnixMs now_ms);

/// Expires what is overdue: pending past answer-by (status Expired), approved-unused past act-by
/// (outcome Expired), and tells the human. Returns the rows as stored afterwards. Thread: the
/// store writer.
Result<std::vector<Approval>> expire_overdue(store::Database& db, const Policy& policy,
                                             UnixMs now_ms);

/// Ends what `approval_id` asks, or its yes as long as nothing has used it, because what it is
/// about is over; nothing when neither is so. Thread: the store writer.
Result<void> call_off(store::Database& db, std::string_view approval_id, std::string_view why,
                      const Policy& policy, UnixMs now_ms);

/// Ends all that `agent_id` asks and every yes that it has not used, because it has ended itself;
/// `why` is for people. Thread: the store writer.
Result<void> call_off_all(store::Database& db, std::string_view agent_id, std::string_view why,
                          const Policy& policy, UnixMs now_ms);

/// Asks the substitutes of those who were asked, and once more who has none, when nobody has
/// answered for `policy.escalate_after`; once a question. Returns how many there were. Thread: the
/// store writer.
Result<int> escalate(store::Database& db, const Policy& policy, UnixMs now_ms);

/// Until when the PIN of `person` is locked; nullopt: it is not. For asking before the slow check.
Result<std::optional<UnixMs>> pin_locked_until(store::Database& db, std::string_view person,
                                               UnixMs now_ms);

constexpr int kCodeFailuresMax = 3;
/// Of all assistants together: no more questions than a person can keep an eye on.
constexpr int kOpenOfAssistantMax = 20;
constexpr int kPinFailuresMax = 5;
constexpr std::chrono::minutes kPinLock{15};
/// Of an answer's words and of an edited reply, in code points.
constexpr std::size_t kAnswerTextMax = 4000;

}  // namespace a2h::consent
