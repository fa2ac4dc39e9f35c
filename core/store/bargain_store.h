#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/bargain.h"
#include "core/store/database.h"

namespace a2h::store {

/// The open one with this peer about this listing.
Result<std::optional<Bargain>> open_bargain(Database& db, std::string_view agent_id,
                                            std::string_view peer_id, std::string_view works_id);
/// The one under this mandate, whatever became of it.
Result<std::optional<Bargain>> find_bargain(Database& db, std::string_view mandate_id,
                                            std::string_view peer_id, std::string_view works_id);
/// Returns the id. Errors: Conflict when there is one under this mandate.
Result<std::int64_t> insert_bargain(Database& db, const Bargain& bargain);
/// State, what is committed and until when an answer is waited for.
Result<void> update_bargain(Database& db, const Bargain& bargain);

Result<void> append_move(Database& db, std::int64_t bargain_id, const BargainMove& move);
/// In their order.
Result<std::vector<BargainMove>> moves_of(Database& db, std::int64_t bargain_id);

/// The ids of the peer's messages that were moves: each was one plain offer, or a bare answer to
/// one of ours.
Result<std::vector<std::string>> moves_heard(Database& db, std::string_view agent_id,
                                             std::string_view peer_id);

/// Open ones whose time to wait for an answer is over.
Result<std::vector<Bargain>> silent_bargains(Database& db, UnixMs now_ms, int limit);

/// Those that are open with this peer are the human's from now on; about any listing when
/// `works_id` is empty.
Result<void> hand_over_bargains(Database& db, std::string_view agent_id, std::string_view peer_id,
                                std::string_view works_id);

/// When the last authentic message of this peer came; 0: none ever did.
Result<UnixMs> last_heard_ms(Database& db, std::string_view agent_id, std::string_view peer_id);

}  // namespace a2h::store
