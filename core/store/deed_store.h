#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Something of a finished plan that was put to people as a question of its own.
struct StoredDeed {
    std::string negotiation_id;
    std::string realisation;
    std::string subject;
    std::string approval_id;  ///< empty: an older a2hd did not keep what became of it
    UnixMs at_ms = 0;
};

/// In the transaction that puts its question. `replaced` is the approval of the row that was there;
/// empty: none was. Errors: Conflict when somebody else has put it since.
Result<void> put_deed(Database& db, const StoredDeed& deed, const std::string& replaced);
/// The row with the ids of `deed`.
Result<std::optional<StoredDeed>> get_deed(Database& db, const StoredDeed& deed);

}  // namespace a2h::store
