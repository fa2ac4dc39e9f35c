#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/mandate.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Errors:  Conflict if the id exists.
Result<void> insert_mandate(Database& db, const Mandate& mandate);
Result<std::optional<Mandate>> get_mandate(Database& db, std::string_view id);
/// Mandates that were not revoked, oldest first.
Result<std::vector<Mandate>> live_mandates(Database& db, std::string_view agent_id,
                                           std::string_view action);
/// Whether the agent has a mandate that was not revoked, for any action.
Result<bool> has_live_mandate(Database& db, std::string_view agent_id);
/// The mandates of an agent, newest first; with `with_revoked`, also those that are no longer
/// valid.
Result<std::vector<Mandate>> list_mandates(Database& db, std::string_view agent_id,
                                           bool with_revoked, int limit);
/// Errors:  NotFound; Conflict if it was already revoked.
Result<void> revoke_mandate(Database& db, std::string_view agent_id, std::string_view id,
                            std::string_view by, UnixMs now_ms);

/// The valid shares of a mandate, oldest first.
Result<std::vector<Mandate>> live_shares(Database& db, std::string_view id);

/// Errors:  Conflict if this approval has already used a mandate.
Result<void> insert_mandate_use(Database& db, const MandateUse& use);
/// Whether something that the mandate has approved since `since_ms` has failed.
Result<bool> has_failed_use(Database& db, std::string_view id, UnixMs since_ms);
/// The use of a mandate and of all shares below it since `since_ms`, including times later than
/// now.
struct MandateUsage {
    std::int64_t count = 0;
    std::int64_t sum_minor = 0;  ///< the largest number if the sum exceeds it
};
Result<MandateUsage> mandate_usage(Database& db, std::string_view id, UnixMs since_ms);
/// The same for a mandate for haggling: its open and agreed bargains, each with its last amount;
/// without `except_id`.
Result<MandateUsage> bargain_usage(Database& db, std::string_view id, UnixMs since_ms,
                                   std::int64_t except_id);
/// The uses of a mandate, newest first; an empty `mandate_id` means all mandates of the agent.
Result<std::vector<MandateUse>> mandate_uses(Database& db, std::string_view agent_id,
                                             std::string_view mandate_id, int limit);

}  // namespace a2h::store
