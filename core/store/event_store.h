#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/notification.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// At most `kEventRowsMax` rows are kept; the oldest are deleted first.
constexpr std::int64_t kEventRowsMax = 100'000;
Result<std::int64_t> insert_event(Database& db, const Event& event);
/// Ids of the oldest and the newest stored event; (0, 0) if there is none.
struct EventRange {
    std::int64_t oldest = 0;
    std::int64_t newest = 0;
};
Result<EventRange> event_range(Database& db);

/// Events with an id above `after_id`, oldest first; an empty `agent_id` means all agents.
Result<std::vector<Event>> events_after(Database& db, std::string_view agent_id,
                                        std::int64_t after_id, int limit);

struct ApprovalEvents {
    std::string_view agent_id;
    std::string_view approval_id;          ///< empty: all approvals
    std::optional<std::int64_t> after_id;  ///< empty: the newest ones
    int limit = 100;
};
/// Events about approvals, oldest first.
Result<std::vector<Event>> approval_events(Database& db, const ApprovalEvents& wanted);

}  // namespace a2h::store
