#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/bargain.h"
#include "core/domain/message.h"
#include "core/domain/notification.h"
#include "core/domain/outbox.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/continuing.h"
#include "daemon/decide/decision.h"

namespace a2h::bargain {

// Bargains under a mandate of the owner. Messages become moves, `next_move` decides what follows,
// and whatever commits the owner is sent with an approval that the mandate gives. All state is in
// the database, in the transaction of the message: after a crash there are either both a move and
// its answer or neither. Nothing here writes a limit into a text, an error, an event or a log line.
//
// Source:  daemon/bargain/README.md.

/// The meaning for a bargain of a message about which a person would be asked.
struct Word {
    enum class Kind {
        Offer,   ///< one exact amount for one listing, and nothing else
        Accept,  ///< of our offer `answers_id`
        Reject,  ///< of our offer `answers_id`
        Other,   ///< anything else: a person takes over
    };
    Kind kind = Kind::Other;
    std::string works_id;
    std::string message_id;
    std::string payload_hash{};  ///< of an Offer, as its sender has signed it
    bool is_structured = false;  ///< an Offer that can be accepted by its id
    std::string answers_id;
    std::string text;                                   ///< of an Accept
    Money price;                                        ///< of an Offer
    std::string listing_digest{};                       ///< of the listing as it was read now
    i18n::Language language = i18n::Language::English;  ///< the language of the peer
};

/// `decision` is the question that the message became. nullopt if nobody is asked. Pure.
std::optional<Word> word_of(const InboxMessage& message, const decide::Decision& decision,
                            UnixMs now_ms);

using consent::Subject;
using consent::Taken;

/// Continues a bargain, or begins one, if a mandate of the owner covers it. nullopt: the human is
/// asked `question`, as without mandates, also while anything else is open with the peer
/// (`is_other_open`). A bargain in progress is then left to the person, unless the message
/// came without the key that is pinned for the peer: then it continues.
///
/// Thread:  the store writer, inside its transaction.
Result<std::optional<Taken>> take(store::Database& db, const Word& word, const Approval& question,
                                  const consent::Policy& policy, UnixMs now_ms);

/// Sends our opening offer to a peer because the owner wants it. `listing_digest` is that of
/// the listing as it was read now.
///
/// Errors:  NotFound without a mandate for this peer and listing; Conflict if there was a bargain
///          under it, if it has no room left, if several people must agree, if the peer's key or
///          the listing has changed, or while anything is open with the peer.
/// Thread:  as above.
Result<Approval> begin(store::Database& db, const Subject& subject,
                       const std::string& listing_digest, const consent::Policy& policy,
                       UnixMs now_ms);

/// Whether the listing of `bargain` says what it said at the beginning. `listing_digest` is that of
/// the listing as it was read now.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<bool> says_the_same(store::Database& db, const Bargain& bargain,
                           const std::string& listing_digest);

/// Sends one polite closing message for each bargain whose last offer stayed unanswered for
/// `kSilenceMs`. Returns the number of bargains closed.
///
/// Thread:  as above.
Result<int> close_silent(store::Database& db, const consent::Policy& policy, UnixMs now_ms);

/// True while anything other than the moves of `bargain` is open with its peer. It continues with
/// the message that `question` is about, or without one if that is null.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<bool> is_other_open(store::Database& db, const Bargain& bargain, const Approval* question);

/// Registers what `consent::ContinuingRow` asks for, and the bargain as a matter. Call before other
/// threads start.
void register_continuing();

}  // namespace a2h::bargain
