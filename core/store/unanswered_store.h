#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// True while anything that `peer_id` asks of `agent_id` or offers it is open: a question to the
/// human about it waits; an invitation or a plan of it is to be answered; a negotiation with it
/// goes on by itself; or a message of it has come that was neither a mere courtesy nor answered by
/// a rule, or an order, a proposal or a session's message of it is at the market, as that has told
/// or as was read there, and since then nothing has left for it that the human had released.
///
/// Thread: any, with a connection of its own. Source: docs/rulings.md, R46.
Result<bool> has_unanswered(Database& db, std::string_view agent_id, std::string_view peer_id);

/// The last two of these alone. What is not decided yet, what the limits have left unread, what a
/// rule of the owner's leaves without an answer and what has other members than a text counts as
/// open. Looks at the newest `kUnansweredLooked` messages.
constexpr int kUnansweredLooked = 1'000;
Result<bool> has_unanswered_message(Database& db, std::string_view agent_id,
                                    std::string_view peer_id);

/// Whether `agent_id` has had anything to do with `peer_id`: it has written, the market has told of
/// it, or something that the human had released has left for it.
Result<bool> has_dealt_with(Database& db, std::string_view agent_id, std::string_view peer_id);

/// Who wrote to any agent of the house within the newest `kUnansweredLooked` messages, once each.
Result<std::vector<std::string>> recent_senders(Database& db);

}  // namespace a2h::store
