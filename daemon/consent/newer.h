#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::consent {

// A yes is for what was asked last. Whatever a peer or the owner does later closes the older
// questions about the same thing, in the transaction that stores what happened.
// Source: docs/rulings.md, R45.

/// Something that happened with `peer_id` after questions about it were asked.
struct Later {
    std::string agent_id;
    std::string peer_id;
    std::string order_id;     ///< that it names; may be empty
    std::string works_id;     ///< the same
    std::int64_t job_id = 0;  ///< of the peer's message; 0: the owner or the market did it
    /// Of that message. A question about a message that was surer who sent it stays open, and so
    /// does one that no message asked where this came without the peer's pinned key: nobody can
    /// close it in another's name. nullopt: known.
    std::optional<Provenance> provenance;
    ClosedBy what = ClosedBy::NewerMessage;
    bool is_offer = false;       ///< the peer's message offers, accepts or refuses
    UnixMs at_ms = 0;            ///< when the peer's message came
    bool order_is_over = false;  ///< Order: rejected or cancelled
    std::string next_id;         ///< the question that stands instead; empty: none does
};

/// Closes the pending questions that `later` makes old, with audit row, event and final cards:
/// those that offer a yes to an offer of the peer, or whose yes would send words to it.
///
/// Where both name an order or a listing, only those of the same; where one names none, those whose
/// yes would send something, and any if the peer has just one question open. Older is what was
/// caused by an earlier message. Words that an assistant wants to send were caused by none: they
/// are old only when the peer offers something else or takes its own back after they were drafted.
/// The card of `later.next_id` tells what they were about where that was a plain question.
/// Returns how many there were. Thread: the store writer, inside its transaction.
Result<int> close_older(store::Database& db, const Later& later, const Policy& policy,
                        UnixMs now_ms);

/// The pending question about a later message of the peer that stands instead of `approval`, which
/// took longer to be drafted; empty when there is none. Thread: as above.
Result<std::string> question_after(store::Database& db, const Approval& approval);

/// Closes `approval`, because `what` happened. Thread: as above.
Result<void> close_question(store::Database& db, Approval approval, ClosedBy what,
                            std::string_view next_id, const Policy& policy, UnixMs now_ms);

/// Closes the peer's plain questions, those about no terms, that stood when `released` was asked:
/// the human has answered the peer with it. A mandate's yes closes none. Thread: as above.
Result<void> close_plain_questions(store::Database& db, const Approval& released,
                                   const Policy& policy, UnixMs now_ms);

/// Closes the peers' questions that `message`, which is about to leave, answers: by an offer, an
/// acceptance or a refusal, typed or in words. Thread: as above.
Result<void> close_answered(store::Database& db, const OutboxMessage& message, const Policy& policy,
                            UnixMs now_ms);

/// Closes the agent's questions whose yes could do nothing any more, now that the market has sent
/// `news_json`: an order that was cancelled, a proposal that was withdrawn. Which those are, the
/// rows of their actions say. Thread: as above.
Result<void> close_void(store::Database& db, std::string_view agent_id, std::string_view news_json,
                        const Policy& policy, UnixMs now_ms);

/// True when a yes that sends the peer something or accepts something of it must wait: a message of
/// the peer newer than the one it answers, or than those it was asked after, is stored and not yet
/// decided. Where that one is Verified, only authentic ones count. Thread: as above.
Result<bool> is_being_overtaken(store::Database& db, const Approval& approval);

/// True when the peer has sent anything after the message that `approval` is about: then no mandate
/// may say yes to it. Which messages count: as above. Thread: as above.
Result<bool> has_newer(store::Database& db, const Approval& approval);

/// How sure it is who sent what `question` is about. Nobody closes or renews it in the name of a
/// peer who is better known than they are. Where no message is, it is about whoever has the key
/// that is pinned for the peer, if there is one. Thread: as above.
Result<Provenance> asked_about(store::Database& db, const Approval& question);

/// True for a question about terms that the peer offers, accepts or refuses.
bool is_about_offer(const Approval& question);

/// What happened to `approval`, as one English sentence for errors; empty unless it was closed by
/// something newer.
std::string closed_words(const Approval& approval);

}  // namespace a2h::consent
