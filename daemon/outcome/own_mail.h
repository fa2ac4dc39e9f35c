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

/// Mail that a feature settles by itself: rules do not decide about it, and nothing of it is
/// answered as chat is.
class OwnMail {
  public:
    /// Told on the loop: success, Conflict (somebody else was first), or an error after which it
    /// may be tried again.
    using Done = std::function<void(const Result<void>&)>;

    virtual ~OwnMail() = default;

    /// Whether `message` is mail of this feature. Thread: the loop.
    virtual bool takes(const InboxMessage& message) const = 0;
    /// Settles `job`, that of `message`, with all that follows, in one transaction. Thread: the
    /// loop.
    virtual void receive(const Job& job, const InboxMessage& message, Done done) = 0;

    /// Whether a message of this type, sent by an agent of this house, is mail of this feature.
    /// Thread: any.
    virtual bool takes_at_home(std::string_view message_type) const = 0;
    /// As `receive`, for what has just arrived within the house, in the transaction that delivers
    /// it. Returns what the loop does after the commit; nothing is settled, and the message is
    /// received after its delivery like any other, where that is empty. Thread: the store writer.
    virtual Result<std::function<void()>> take_at_home(store::Database& db,
                                                       const InboxMessage& arrival) const;
};

/// The mail of all features. The first row that takes a message settles it.
class OwnMailTable {
  public:
    /// The rows outlive the table.
    explicit OwnMailTable(std::vector<OwnMail*> rows) : rows_(std::move(rows)) {}

    /// nullptr: rules decide about `message`. Thread: the loop.
    OwnMail* find(const InboxMessage& message) const;
    /// `OwnMail::take_at_home` of the row that takes `arrival`; empty when none does. Thread: the
    /// store writer.
    Result<std::function<void()>> take_at_home(store::Database& db,
                                               const InboxMessage& arrival) const;

  private:
    const std::vector<OwnMail*> rows_;
};

}  // namespace a2h::outcome
