#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/notification.h"
#include "core/store/database.h"

namespace a2h::store {

Result<std::int64_t> insert_notification(Database& db, const Notification& notification);
/// Queued ones whose time has come, the longest waiting first.
Result<std::vector<Notification>> due_notifications(Database& db, UnixMs now_ms, int limit);
/// Writes state, outcome, attempts, next_attempt_ms and updated_at_ms. Errors: NotFound.
Result<void> update_notification(Database& db, const Notification& notification);
/// Oldest first.
Result<std::vector<Notification>> notifications_of_approval(Database& db,
                                                            std::string_view approval_id);

}  // namespace a2h::store
