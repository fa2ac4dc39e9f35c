#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Something of a finished plan that was made real.
struct StoredDeed {
    std::string channel_id;
    std::string realisation;
    std::string subject;
    std::string result_json;  ///< empty while it is being made, and for ever after a crash then
    UnixMs at_ms = 0;
};

/// Before it is made. False when somebody has claimed it before: then it must not be made again.
Result<bool> claim_deed(Database& db, const StoredDeed& deed);
Result<void> settle_deed(Database& db, const StoredDeed& deed);
/// Nothing came of it: it may be tried again.
Result<void> release_deed(Database& db, const StoredDeed& deed);
/// The row with the ids of `deed`.
Result<std::optional<StoredDeed>> get_deed(Database& db, const StoredDeed& deed);

}  // namespace a2h::store
