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
// questions about the same matter, in the transaction that stores the event.
//
// Errors:  those of the store.
// Source:  docs/rulings.md, R45.

/// Something that happened with `peer_id` after questions about it were asked.
struct Later {
    std::string agent_id;
    std::string peer_id;
    std::string order_id;     ///< the order that it names; may be empty
    std::string works_id;     ///< the listing that it names; may be empty
    std::int64_t job_id = 0;  ///< job of the peer's message; 0: the owner or the market acted
    /// The provenance of that message. A question about a message with a better provenance stays
    /// open, and so does a question that no message caused if this message came without the peer's
    /// pinned key, so that nobody can close it in another's name. nullopt: certain.
    std::optional<Provenance> provenance;
    ClosedBy what = ClosedBy::NewerMessage;
    bool is_offer = false;  ///< the peer's message offers, accepts or refuses
    UnixMs at_ms = 0;       ///< time of the peer's message
    std::string next_id;    ///< the question that replaces the older ones; empty: none does
    /// The market's news closes only questions for which this is true. nullptr: `what` decides.
    bool (*closes)(const Approval& question) = nullptr;
    bool begins_order = false;  ///< an order was created, which ends an agreement (R52)

    /// The peer has asked or said something else, which is no offer.
    bool asks_on() const { return what == ClosedBy::NewerMessage && !is_offer; }
};

/// Reads one kind of the market's news to `agent_id`; nullopt for any other message.
using NewsReader = std::optional<Later> (*)(const std::string& agent_id,
                                            const std::string& payload_json);

/// Adds a feature's reader, once. Call before other threads start.
void register_news_reader(NewsReader reader);

/// The questions that a message of the market to `agent_id` makes out of date; nullopt if no reader
/// knows it.
///
/// Thread:  any.
std::optional<Later> later_by_news(const std::string& agent_id, const std::string& payload_json);

/// Closes the pending questions that `later` makes out of date, with audit row, event and final
/// cards: those whose yes accepts an offer of the peer or sends words to it.
///
/// If both name an order or a listing, only questions about the same one are closed. If one of them
/// names none, questions whose yes would send something are closed, and any question if the peer
/// has only one open. Older means caused by an earlier message. Words that an assistant wants to
/// send have no such message, so they are out of date only if the peer offers something else or
/// withdraws its offer after they were drafted. The card of `later.next_id` says what the closed
/// plain questions were about. If the peer only asks on, its older questions that have no draft are
/// closed as well, because the new card shows all that is open. Returns the number of closed
/// questions.
///
/// Thread:  the store writer, inside its transaction.
Result<int> close_older(store::Database& db, const Later& later, const Policy& policy,
                        UnixMs now_ms);

/// Whether `later` comes after `question`, and from a sender who is certain enough to close it.
///
/// Thread:  as above.
Result<bool> is_made_old_by(store::Database& db, const Approval& question, const Later& later);

/// The pending question about a later message of the peer that replaces `approval`, whose draft
/// took longer; empty if there is none.
///
/// Thread:  as above.
Result<std::string> question_after(store::Database& db, const Approval& approval);

/// Closes `approval` because of `what`.
///
/// Thread:  as above.
Result<void> close_question(store::Database& db, Approval approval, ClosedBy what,
                            std::string_view next_id, const Policy& policy, UnixMs now_ms);

/// Closes the peer's plain questions (`About::Facts`) that were open when `released` was
/// asked, because the human has answered the peer with it. A mandate's yes closes none.
///
/// Thread:  as above.
Result<void> close_plain_questions(store::Database& db, const Approval& released,
                                   const Policy& policy, UnixMs now_ms);

/// Closes the peer's questions that `message`, which is about to be sent, answers by an offer, an
/// acceptance or a refusal, typed or in words.
///
/// Thread:  as above.
Result<void> close_answered(store::Database& db, const OutboxMessage& message, const Policy& policy,
                            UnixMs now_ms);

/// Closes the agent's questions whose yes would have no effect after `news_json` of the market,
/// such as a cancelled order or a withdrawn proposal. The rows of the actions decide which those
/// are.
///
/// Thread:  as above.
Result<void> close_void(store::Database& db, std::string_view agent_id, std::string_view news_json,
                        const Policy& policy, UnixMs now_ms);

/// True if a yes that sends the peer something, or accepts something of it, must wait: a message of
/// the peer to any agent of this home is stored but not yet decided, and is newer than the one that
/// the question answers or was asked after. If that one is Verified, only authentic messages count.
///
/// Thread:  as above.
Result<bool> is_being_overtaken(store::Database& db, const Approval& approval);

/// True if the peer has sent anything after the message that `approval` is about, or after the row
/// of the offer that a yes would accept (`Claims`). Then no mandate
/// may say yes. The same messages count as above.
///
/// Thread:  as above.
Result<bool> has_newer(store::Database& db, const Approval& approval,
                       std::int64_t accepts_inbox_id = 0);

/// How certain it is who sent what `question` is about. Only a message whose sender is at least as
/// certain can close or renew the question. For a question that is about no message: Verified if a
/// key is pinned for `peer_id`, which is one of its peers, and Unverified otherwise.
///
/// Thread:  as above.
Result<Provenance> asked_about(store::Database& db, const Approval& question,
                               const std::string& peer_id);

/// True for a question about terms that the peer offers, accepts or refuses.
bool is_about_offer(const Approval& question);

/// True for such a question, and for the words that replace one of them.
bool is_part_of_offer(const Approval& question);

/// True if its yes sends words to the peer.
bool sends_words(const Approval& question);

/// Describes what closed `approval`, as one English sentence for errors; empty unless something
/// newer closed it.
std::string closed_words(const Approval& approval);

}  // namespace a2h::consent
