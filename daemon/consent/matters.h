#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "daemon/consent/continuing.h"

namespace a2h::consent {

// The matter that a message of ours answers or continues, such as a bargain or an invitation. The
// feature to which it belongs finds it; the code that sends a message late knows only this header.
//
// Errors:  those of the database.
// Thread:  that of the database.
// Source:  docs/rulings.md, R46 and R52.

/// The matter of one message. It does not count as open when its own message is judged. As long as
/// a feature says nothing else, it does not end, is about no listing, and nobody continues it by
/// hand.
class Matter {
  public:
    virtual ~Matter() = default;

    /// Whether the matter has ended, so that its message must not be sent any more.
    virtual Result<bool> has_ended(store::Database&) const { return false; }
    /// Whether anything else is open with the receiver, for any agent in `home`, the ids of all
    /// agents of this home.
    virtual Result<bool> is_other_open(store::Database& db,
                                       const std::vector<std::string>& home) const = 0;
    /// The listing that must be read again before the message is sent; nullopt if none must.
    virtual std::optional<Subject> subject() const { return std::nullopt; }
    /// Whether that listing says what it said at the beginning, by the digest that was read now.
    virtual Result<bool> says_the_same(store::Database&,
                                       const std::string& /*listing_digest*/) const {
        return true;
    }
    /// Leaves the matter to the human, because its message is given up. Runs on the store writer,
    /// inside its transaction.
    virtual Result<void> hand_over(store::Database&) const { return {}; }
};

using MatterPtr = std::shared_ptr<const Matter>;

/// Finds the matter of `message`, null if it is none of the feature's. `yes` is the yes of a
/// mandate that has released the message; null if none has.
using FindMatter = Result<MatterPtr> (*)(store::Database& db, const OutboxMessage& message,
                                         const Approval* yes);

/// Adds a feature's finder, once. Call before other threads start.
void register_matter(FindMatter find);

/// The matter that the first finder that knows `message` returns; null if none does.
Result<MatterPtr> matter_of(store::Database& db, const OutboxMessage& message, const Approval* yes);

}  // namespace a2h::consent
