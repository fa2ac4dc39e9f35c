#pragma once

#include <span>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "core/domain/permit.h"
#include "core/store/database.h"

namespace a2h::consent {

// Why a message was written (`OutboxMessage::cause`): the name of a row, followed by the id of the
// rule, approval, mandate, tool or negotiation. Consent has rows of its own in causes.cpp; features
// register theirs.

/// One kind of cause.
struct CauseRow {
    std::string_view name;  ///< with which the cause begins; ends with a colon
    /// The right that such a message has to leave.
    Right right = Right::None;
    /// Whether the message is judged again before it is sent late, because mail of its receiver may
    /// have arrived since (R46).
    bool is_judged_late = true;
    /// Whether what `id` names exists and gives the right. Without it, only a2hd's own code writes
    /// such messages, and they need nothing else. Errors: those of the database. Thread: that of
    /// `db`.
    Result<bool> (*holds)(store::Database& db, std::string_view id,
                          const OutboxMessage& message) = nullptr;
};

/// Adds `rows`, which must live until the process ends; known rows are not added again. Call before
/// other threads start.
void register_causes(std::span<const CauseRow> rows);

/// The right that a cause claims, and the rest of the cause after its name. `Door` examines the
/// claim.
struct Claim {
    Right right = Right::None;
    std::string_view id{};
    const CauseRow* row = nullptr;  ///< null if the cause is unknown
};
/// An unknown cause claims nothing. Thread: any.
Claim claim_of(std::string_view cause);

/// `CauseRow::is_judged_late` of the cause; unknown ones are. Thread: any.
bool is_judged_late(std::string_view cause);

}  // namespace a2h::consent
