#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database.
// Thread:  any, with a connection of its own.

/// The newest messages of a peer that are considered.
constexpr int kOpenReadMax = 1'000;

/// The two agents between whom something may be open, and what is ignored when asking for *other*
/// open matters.
struct Between {
    std::string agent_id;
    std::string peer_id;
    std::vector<std::string> message_ids =
        {};  ///< messages of the peer, with the questions about them
    std::string approval_id = {};
    std::string negotiation_id = {};  ///< id of an invitation
    std::string market_id = {};       ///< id of an order, a proposal or a request for proposals
    std::int64_t bargain_id = 0;
    /// For the yes of a mandate: only authentic messages count, so that nobody can prevent it in
    /// another's name (R49), and mail of the invitation itself is ignored.
    bool for_mandate = false;
};

/// True while a question to the human about the peer is open, an invitation or a plan of the peer
/// waits for an answer, or a bargain with it continues by itself.
///
/// Source:  docs/rulings.md, R46.
Result<bool> is_asked_or_in_talks(Database& db, const Between& between);

/// True while a message of the peer waits for an answer: one that a rule has neither answered nor
/// ignored, or what has waited elsewhere since `open_since`, as features say. A human's yes that
/// was asked for afterwards ends this (`was_released_since`). Messages that are undecided, unread
/// because of limits, left without an answer by an owner's rule, have members other than a text, or
/// were refused because of their ids count as open.
Result<bool> has_open_message(Database& db, const Between& between,
                              std::optional<UnixMs> open_since);

/// The yes that has released a message of ours. The card of a text that an agent wants to send
/// shows everything that is open with the peer; the card of an answer shows the message that it
/// answers.
enum class Yes { ToAnything, ToText };

/// Whether something was sent to the peer after such a yes to a question that was asked at
/// `since_ms` or later. An offer made by a mandate neither accepts nor declines anything.
Result<bool> was_released_since(Database& db, std::string_view agent_id, std::string_view peer_id,
                                UnixMs since_ms, Yes yes);

/// When the latest questions were asked whose yes, given by a human, has sent the peer something;
/// 0: there is none.
struct LastRelease {
    UnixMs any_ms = 0;   ///< of all such questions
    UnixMs text_ms = 0;  ///< of those about a text that answered no message
};
Result<LastRelease> last_release(Database& db, std::string_view agent_id, std::string_view peer_id);

/// Something that a peer has said to an agent or shown at the market.
struct Said {
    /// Refused: under an id that it had used before for something else (R1), or of a form that
    /// cannot be accepted (R45). Then `id` is the reason.
    enum class From { Mail, News, Market, Refused };
    From from = From::Mail;
    UnixMs at_ms = 0;           ///< when it was received, read or refused
    std::int64_t inbox_id = 0;  ///< of a message or of news
    std::string id;             ///< of the message, or name and id of the thing
    std::string message_type;   ///< of a message, and the following three
    std::string trace_id;
    std::string provenance;
    std::string decision;   ///< empty until decided
    bool is_chat = false;   ///< an ordinary message, of no type between agents
    bool is_fixed = false;  ///< as in `Heard`
    /// JSON of what was said; plain text in rows of older versions, and empty if it was refused.
    std::string payload_json;
};
/// The position after which `said_after` reads.
struct SaidAfter {
    std::int64_t inbox_id = 0;
    UnixMs read_ms = 0;
    /// Reads only what came after the last yes of a human: messages after one that has sent the
    /// peer anything, the rest after one to a text that answered no message.
    bool since_release = false;
};
/// Returns what the peer has said to `agent_id` or shown to it, newest first: at most `max`
/// messages, `max` things that were read at the market and the newest refusal of each kind. Forged
/// messages are left out.
Result<std::vector<Said>> said_after(Database& db, std::string_view agent_id,
                                     std::string_view peer_id, const SaidAfter& after, int max);

/// The newest time at which anything was read at the market, or refused although it may be the
/// sender's; 0 if nothing was.
Result<UnixMs> newest_read_ms(Database& db);

/// A message that a rule has answered or ignored.
struct Heard {
    std::string message_id;
    std::string trace_id;
    std::string payload_json;
    bool is_answered = false;  ///< it, or an earlier one with the same text
    bool is_fixed = false;     ///< it says nothing, or only that the peer's human is being asked
};
/// The messages of the peer that a rule has answered or ignored since something was last sent to it
/// after a human's yes, newest first.
Result<std::vector<Heard>> heard_since_release(Database& db, const Between& between);

/// The agents of this home that know `peer_id` from mail, from the market's news, or because they
/// have read something of it there. Mail and news count if their rows are above `after_inbox_id`.
Result<std::vector<std::string>> agents_that_heard(Database& db, std::string_view peer_id,
                                                   std::int64_t after_inbox_id = 0);

}  // namespace a2h::store
