#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/deal.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`; functions that write: the store writer, inside its transaction.

struct DealPage {
    std::vector<Deal> deals;
    bool has_more = false;
};

/// Which deals `list_deals` returns, newest first.
struct DealFilter {
    std::string agent_id;
    std::string peer_id{};  ///< empty: of any peer
    /// Leaves out what is over, and what ended without an agreement. The phase of a stale deal is
    /// not known here, so that one is not left out.
    bool only_live = false;
    int page = 1;
    int page_size = 20;
};

Result<void> insert_deal(Database& db, const Deal& deal);
/// Writes everything but the identity of `deal`.
Result<void> update_deal(Database& db, const Deal& deal);
Result<std::optional<Deal>> get_deal(Database& db, std::string_view id);
/// The deal about this subject that is not over.
Result<std::optional<Deal>> find_deal(Database& db, std::string_view agent_id,
                                      std::string_view peer_id, const DealSubject& subject);
/// The deal, over or not, that an order with this peer carries out.
Result<std::optional<Deal>> deal_of_order(Database& db, std::string_view agent_id,
                                          std::string_view peer_id, std::string_view order_id);
/// The deal with this peer in which one of both has sent this message.
Result<std::optional<Deal>> deal_of_message(Database& db, std::string_view agent_id,
                                            std::string_view peer_id, std::string_view message_id);
/// The deals with this peer that are not over, newest first.
Result<std::vector<Deal>> open_deals(Database& db, std::string_view agent_id,
                                     std::string_view peer_id, int limit);
Result<DealPage> list_deals(Database& db, const DealFilter& filter);

/// Returns false if an act with this source was recorded before.
Result<bool> insert_act(Database& db, std::string_view deal_id, const Act& act);
/// The newest acts of a deal that count, in the order of recording.
Result<std::vector<Act>> acts_of_deal(Database& db, std::string_view deal_id, int limit);
/// The act of this kind that the message with this id does in the deal, whether it counts or not.
Result<std::optional<Act>> act_of_message(Database& db, std::string_view deal_id, ActKind kind,
                                          std::string_view message_id);

}  // namespace a2h::store
