#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// The lease: the instance that acts for the agent, and its end.
struct Lease {
    std::string instance_id;  ///< empty: there was never one
    std::string client_id;
    std::int64_t epoch = 0;  ///< grows with every new leader
    UnixMs lease_until_ms = 0;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// An empty lease for an agent that never had one.
Result<Lease> find_lease(db::Transaction& transaction, std::string_view agent_id);

/// Gives the lease to `instance_id` until `until_ms` if nobody has it at `now_ms`, if it already
/// has it, or if `force` is set. Returns the holder.
Result<Lease> acquire_lease(db::Transaction& transaction, std::string_view agent_id,
                            const Lease& wanted, UnixMs now_ms, bool force);

/// Extends the lease of an instance that still has it, by its epoch; an expired lease that no other
/// instance has taken counts. Returns the holder.
Result<Lease> extend_lease(db::Transaction& transaction, std::string_view agent_id,
                           std::string_view instance_id, std::int64_t epoch, UnixMs until_ms);

}  // namespace a2h::market::store
