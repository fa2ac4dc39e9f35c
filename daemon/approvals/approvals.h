#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::approvals {

/// The human's secrets, from home/human.json (0600).
struct HumanSecrets {
    std::string pin_hash;  ///< Argon2id; empty: no PIN was set, the terminal cannot approve
    std::string link_key;  ///< derives codes and link tokens; never leaves this process
};

struct Policy {
    std::chrono::milliseconds answer_within{std::chrono::hours(24)};
    std::chrono::milliseconds act_within{std::chrono::hours(24)};
    std::string version = "1";
};

/// What is asked. Becomes the canonical action that the digest covers.
struct Ask {
    std::string agent_id;
    std::string peer_id;
    std::int64_t task_id = 0;
    std::string action;        ///< noun.verb
    std::string request_json;  ///< canonical parameters of the tool call (R18); empty for replies
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
};

/// A pending approval for `ask`, with id, digest and both clocks set. Pure.
Approval new_approval(const Ask& ask, const Policy& policy, UnixMs now_ms);

/// Six digits / link token of an approval in its present form: derived from link key, id and
/// digest, so that neither is ever stored and an edit voids both.
std::string approval_code(const HumanSecrets& secrets, const Approval& approval);
std::string approval_link_token(const HumanSecrets& secrets, const Approval& approval);

/// What a human's (or assistant's) words mean for this approval (R10). An option's text, folded, is
/// Option; anything unknown is Instruct.
AnswerKind understand_answer(const Approval& approval, std::string_view words);

/// One answer as it arrives from a surface.
struct Answer {
    std::string approval_id;
    AnswerKind kind = AnswerKind::Instruct;
    std::string words;              ///< as given
    std::string edited_reply_text;  ///< approve with this text instead; trusted surfaces only
    AnswerSurface surface = AnswerSurface::Relayed;
    std::string proof;        ///< PIN, code or link token, by surface; empty for Relayed
    std::string digest_seen;  ///< what the surface showed; empty: not checked
};

/// What an answer led to, for the surface that gave it and for whoever waits.
struct Answered {
    Approval approval;             ///< as stored afterwards
    bool reply_queued = false;     ///< an outbox row was written in the same transaction
    bool needs_execution = false;  ///< approved platform action: the executor goes on
    std::optional<Approval> next;  ///< the new approval that an instruction became
};

/// Proves, binds and applies one answer inside the caller's transaction: answer row, audit row, and
/// for replies the consumption, the outbox row (effect key "approval:<id>") and the task, at once.
///
/// Errors:  Unauthenticated for wrong PIN, code or token (failures are counted in the same
///          transaction: the caller must COMMIT on this error too, see `failure_is_recorded`);
///          PermissionDenied when a relayed answer tries to approve, or the PIN is locked;
///          Conflict when it was answered before (message says who, when and what), or when
///          `digest_seen` is no longer its digest;
///          NotFound.
/// Thread:  the store writer.
struct AnswerOutcome {
    std::optional<Answered> answered;
    std::optional<Error> refused;  ///< recorded; the transaction must be committed all the same
};
Result<AnswerOutcome> apply_answer(store::Database& db, const Answer& answer,
                                   const HumanSecrets& secrets, const Policy& policy,
                                   UnixMs now_ms);

/// Expires what is overdue: pending past answer-by, approved-unused past act-by. Returns the rows
/// as stored afterwards, for notifications. Thread: the store writer.
Result<std::vector<Approval>> expire_overdue(store::Database& db, UnixMs now_ms);

constexpr int kCodeFailuresMax = 3;
constexpr int kPinFailuresMax = 5;
constexpr std::chrono::minutes kPinLock{15};

}  // namespace a2h::approvals
