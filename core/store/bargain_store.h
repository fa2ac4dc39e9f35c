#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/bargain.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// The open bargain with this peer about this listing.
Result<std::optional<Bargain>> open_bargain(Database& db, std::string_view agent_id,
                                            std::string_view peer_id, std::string_view works_id);
/// The bargain under this mandate, in any state.
Result<std::optional<Bargain>> find_bargain(Database& db, std::string_view mandate_id,
                                            std::string_view peer_id, std::string_view works_id);
/// How many bargains under this mandate have moved since `since_ms` without an agreement, whoever
/// they are with.
Result<std::int64_t> count_unagreed_bargains(Database& db, std::string_view mandate_id,
                                             UnixMs since_ms);
/// Returns the id.
///
/// Errors:  Conflict if there is one under this mandate.
Result<std::int64_t> insert_bargain(Database& db, const Bargain& bargain);
/// Writes state, committed amount and the time until which an answer is awaited.
Result<void> update_bargain(Database& db, const Bargain& bargain);

Result<void> append_move(Database& db, std::int64_t bargain_id, const BargainMove& move);
/// The moves of a bargain in the order in which they were made.
Result<std::vector<BargainMove>> moves_of(Database& db, std::int64_t bargain_id);

/// The ids of the peer's messages that were moves: each was one plain offer, or a bare answer to
/// one of ours.
Result<std::vector<std::string>> moves_heard(Database& db, std::string_view agent_id,
                                             std::string_view peer_id);

/// When a bargain with this peer about this listing last ended with an agreement; 0: never. An
/// empty `works_id` stands for any listing.
Result<UnixMs> last_bargain_agreed_ms(Database& db, std::string_view agent_id,
                                      std::string_view peer_id, std::string_view works_id);

/// Open bargains whose time for an answer has passed.
Result<std::vector<Bargain>> silent_bargains(Database& db, UnixMs now_ms, int limit);

/// Hands the open bargains with this peer over to the human; about any listing if `works_id` is
/// empty.
Result<void> hand_over_bargains(Database& db, std::string_view agent_id, std::string_view peer_id,
                                std::string_view works_id);

}  // namespace a2h::store
