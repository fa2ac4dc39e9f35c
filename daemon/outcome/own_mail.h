#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/store/database.h"

namespace a2h::outcome {

/// Mail that a feature settles by itself: rules do not decide about it, and it is not answered like
/// chat.
class OwnMail {
  public:
    /// Called on the loop: success, Conflict (it was settled before), or an error after which it
    /// may be tried again.
    using Done = std::function<void(const Result<void>&)>;

    virtual ~OwnMail() = default;

    /// Whether `message` belongs to this feature.
    ///
    /// Thread:  the loop.
    virtual bool takes(const InboxMessage& message) const = 0;
    /// Settles `job` of `message` with all effects, in one transaction.
    ///
    /// Thread:  the loop.
    virtual void receive(const Job& job, const InboxMessage& message, Done done) = 0;

    /// Whether a message of this type, sent by an agent of this home, belongs to this feature.
    ///
    /// Thread:  any.
    virtual bool takes_at_home(std::string_view message_type) const = 0;
    /// Settles, as `receive` does, a message that has just arrived within this home, in the
    /// transaction that delivers it. Returns what the loop does after the commit. If the result is
    /// empty, nothing was settled, and the message is processed after its delivery like any other.
    ///
    /// Errors:  those of the database.
    /// Thread:  the store writer.
    virtual Result<std::function<void()>> take_at_home(store::Database& db,
                                                       const InboxMessage& arrival) const;
};

/// The mail of all features. The first row that takes a message settles it.
class OwnMailTable {
  public:
    /// The rows must outlive the table.
    explicit OwnMailTable(std::vector<OwnMail*> rows) : rows_(std::move(rows)) {}

    /// nullptr: rules decide about `message`.
    ///
    /// Thread:  the loop.
    OwnMail* find(const InboxMessage& message) const;
    /// `OwnMail::take_at_home` of the row that takes `arrival`; empty if there is none.
    ///
    /// Errors:  those of the database.
    /// Thread:  the store writer.
    Result<std::function<void()>> take_at_home(store::Database& db,
                                               const InboxMessage& arrival) const;

  private:
    const std::vector<OwnMail*> rows_;
};

}  // namespace a2h::outcome
