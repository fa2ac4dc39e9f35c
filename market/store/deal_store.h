#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// An agreement of two agents. Never changed.
struct Deal {
    std::string deal_id;
    std::string offered_by;
    std::string accepted_by;
    std::string buyer_id{};  ///< creator of the RFP; empty: there is no RFP
    std::string rfp_id{};    ///< these four are empty if there is none
    std::string proposal_id{};
    std::string session_id{};
    std::string offer_id{};  ///< message id of the accepted offer
    Money price;
    std::string terms_json;  ///< everything that led to it
    UnixMs created_at_ms = 0;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// False if the proposal or the offer already has a deal.
Result<bool> add_deal(db::Transaction& transaction, const Deal& deal);
/// nullopt if there is none, or if `agent_id` is not one of its two sides.
Result<std::optional<Deal>> find_deal(db::Transaction& transaction, std::string_view deal_id,
                                      std::string_view agent_id);
/// The id of the deal; empty if there is none.
Result<std::string> deal_of_proposal(db::Transaction& transaction, std::string_view proposal_id);
Result<std::string> deal_of_offer(db::Transaction& transaction, std::string_view session_id,
                                  std::string_view offer_id);
/// Deals of `agent_id` without their terms, newest first; equal times by id.
Result<std::vector<Deal>> list_deals(db::Transaction& transaction, std::string_view agent_id,
                                     std::int64_t offset, std::int64_t limit);

}  // namespace a2h::market::store
