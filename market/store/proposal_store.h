#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/exchange.h"
#include "market/db/database.h"

namespace a2h::market {

/// A supplier's answer to an RFP.
struct Proposal {
    std::string proposal_id;
    std::string rfp_id;
    std::string supplier_id;
    ProposalStatus status = ProposalStatus::Pending;
    Money price;
    std::string delivery_at;  ///< a day or a time; empty: not stated
    std::string content;
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

struct ProposalQuery {
    std::string rfp_id;
    std::string supplier_id;  ///< empty: all suppliers
    std::int64_t offset = 0;
    std::int64_t limit = 20;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// False if the supplier has another proposal for the RFP that was not withdrawn (R21).
Result<bool> add_proposal(db::Transaction& transaction, const Proposal& proposal);
Result<std::optional<Proposal>> find_proposal(db::Transaction& transaction,
                                              std::string_view proposal_id);
/// Oldest first; equal times by id.
Result<std::vector<Proposal>> list_proposals(db::Transaction& transaction,
                                             const ProposalQuery& query);
/// An empty `supplier_id` means all suppliers. Includes withdrawn proposals.
Result<std::int64_t> count_proposals(db::Transaction& transaction, std::string_view rfp_id,
                                     std::string_view supplier_id = {});
/// Changes the state from `pending`; false if another change was first (R24).
Result<bool> end_proposal(db::Transaction& transaction, std::string_view proposal_id,
                          ProposalStatus to, UnixMs now_ms);
/// Suppliers with pending proposals for the RFP, without duplicates.
Result<std::vector<std::string>> pending_suppliers(db::Transaction& transaction,
                                                   std::string_view rfp_id);

}  // namespace a2h::market::store
