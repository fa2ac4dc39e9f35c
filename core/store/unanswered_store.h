#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Looks at the newest `kUnansweredLooked` messages of the peer.
constexpr int kUnansweredLooked = 1'000;

/// Between whom something may be open, and what is left out where one asks for what *else* is.
struct Between {
    std::string agent_id;
    std::string peer_id;
    std::vector<std::string> message_ids = {};  ///< the peer's, with the questions about them
    std::string approval_id = {};
    std::string negotiation_id = {};  ///< of an invitation
    std::string market_id = {};       ///< of an order or a proposal
    std::int64_t bargain_id = 0;
    /// Asks for a mandate's yes: only what is authentic counts, so that nobody stops it in
    /// another's name (R49), and no mail of the invitation itself.
    bool for_mandate = false;
};

/// True while a question to the human about the peer waits, an invitation or a plan of it is to be
/// answered, or a bargain with it goes on by itself.
///
/// Thread: any, with a connection of its own, as for all of these. Source: docs/rulings.md, R46.
Result<bool> is_asked_or_in_talks(Database& db, const Between& between);

/// True while a message of the peer waits for an answer: one that a rule neither answered nor met
/// with silence, or an order, a proposal or a session's message of it at the market, as that has
/// told or as was read there. It ends with what leaves for the peer after a human's yes. What is
/// not decided yet, what the limits have left unread, what a rule of the owner's leaves without an
/// answer and what has other members than a text counts as waiting.
Result<bool> has_unanswered_message(Database& db, const Between& between);

/// A message that a rule has answered or met with silence.
struct Heard {
    std::string message_id;
    std::string trace_id;
    std::string payload_json;
    bool is_answered = false;  ///< it, or an equal one before
    bool is_fixed = false;  ///< a daemon's words that its human is being asked, or nothing at all
};
/// Those of the peer since something last left for it after a human's yes, newest first.
Result<std::vector<Heard>> heard_since_release(Database& db, const Between& between);

/// The agents of the house that `peer_id` has written to.
Result<std::vector<std::string>> agents_that_heard(Database& db, std::string_view peer_id);

/// Whether `agent_id` has had anything to do with `peer_id`: it has written, something has left
/// for it, or the market has told of it.
Result<bool> has_dealt_with(Database& db, std::string_view agent_id, std::string_view peer_id);

/// Who wrote to any agent of the house within the newest `kUnansweredLooked` messages, once each.
Result<std::vector<std::string>> recent_senders(Database& db);

}  // namespace a2h::store
