#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/mandate.h"
#include "core/store/database.h"

namespace a2h::store {

/// Errors: Conflict when the id exists.
Result<void> insert_mandate(Database& db, const Mandate& mandate);
Result<std::optional<Mandate>> get_mandate(Database& db, std::string_view id);
/// Those that were not revoked, the first given first.
Result<std::vector<Mandate>> live_mandates(Database& db, std::string_view agent_id,
                                           std::string_view action);
/// Newest first; `with_revoked`: those that no longer hold as well.
Result<std::vector<Mandate>> list_mandates(Database& db, std::string_view agent_id,
                                           bool with_revoked, int limit);
/// Errors: NotFound; Conflict when it was revoked before.
Result<void> revoke_mandate(Database& db, std::string_view agent_id, std::string_view id,
                            std::string_view by, UnixMs now_ms);

/// The live shares of a mandate, the first cut first.
Result<std::vector<Mandate>> live_shares(Database& db, std::string_view id);

/// Errors: Conflict when this approval has used a mandate before.
Result<void> insert_mandate_use(Database& db, const MandateUse& use);
/// Whether what it said yes to since `since_ms` has failed once.
Result<bool> has_failed_use(Database& db, std::string_view id, UnixMs since_ms);
/// What a mandate and all shares below it have used since `since_ms`, later times than now
/// included.
struct MandateUsage {
    std::int64_t count = 0;
    std::int64_t sum_minor = 0;  ///< the largest number there is when it would be more
};
Result<MandateUsage> mandate_usage(Database& db, std::string_view id, UnixMs since_ms);
/// The same of a mandate to negotiate: its bargains that are open or agreed, each with its last
/// amount; without `except_id`.
Result<MandateUsage> bargain_usage(Database& db, std::string_view id, UnixMs since_ms,
                                   std::int64_t except_id);
/// Newest first; empty `mandate_id`: of all mandates of the agent.
Result<std::vector<MandateUse>> mandate_uses(Database& db, std::string_view agent_id,
                                             std::string_view mandate_id, int limit);

}  // namespace a2h::store
