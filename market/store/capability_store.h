#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// One thing that an agent offers to do, in the domains that it names.
struct Capability {
    std::string type;
    std::vector<std::string> domains{};
};

/// The form of a type or a domain for comparison: NFKC, case folded, trimmed (R20).
std::string capability_key(std::string_view text);

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Replaces all capabilities of `agent_id`, keeping their order. Types and domains must not be
/// blank.
Result<void> replace_capabilities(db::Transaction& transaction, std::string_view agent_id,
                                  const std::vector<Capability>& capabilities);
Result<std::vector<Capability>> capabilities_of(db::Transaction& transaction,
                                                std::string_view agent_id);

/// Agents with a capability of `type` in one of `domains` (none: in any), in order of their ids,
/// without duplicates, after the id `after`; at most `limit`. Type and domain must belong to the
/// same capability. Searches an index once for each domain, whatever the number of agents.
///
/// Source:  R20.
Result<std::vector<std::string>> matched_agents(db::Transaction& transaction, std::string_view type,
                                                const std::vector<std::string>& domains,
                                                std::string_view after, std::int64_t limit);

/// Whether `agent_id` currently matches the RFP `rfp_id`.
Result<bool> is_matched(db::Transaction& transaction, std::string_view rfp_id,
                        std::string_view agent_id);

}  // namespace a2h::market::store
