#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// A yes where several people must agree.
struct Vote {
    std::string approval_id;
    std::string person;
    std::string digest;  ///< digest of the form that the person agreed to
    AnswerSurface surface = AnswerSurface::Page;
    UnixMs given_at_ms = 0;
};

/// Replaces the person's earlier vote if that was for another digest.
///
/// Errors:  Conflict if the person has already voted for this digest.
Result<void> insert_vote(Database& db, const Vote& vote);
/// Errors:  NotFound if the person has not voted for this digest.
Result<void> withdraw_vote(Database& db, std::string_view approval_id, std::string_view person,
                           std::string_view digest);
/// The votes that count for `digest`, oldest first.
Result<std::vector<Vote>> votes_for(Database& db, std::string_view approval_id,
                                    std::string_view digest);

}  // namespace a2h::store
