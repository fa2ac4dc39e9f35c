#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::outcome {

/// A way on which messages leave without the broker, to the targets that it knows.
///
/// Thread:  the loop, unless a function says otherwise.
class Delivery {
  public:
    enum class Target {
        Unknown,  ///< its mail goes to the broker
        Open,
        Stopped  ///< it is known and takes no mail any more
    };

    /// A message on its way.
    class Passage {
      public:
        virtual ~Passage() = default;

        /// Writes the arrival and the end of the outbox row `outbox_id`, so that the message
        /// arrives exactly once; nothing if it was settled before.
        ///
        /// Thread:  the store writer, inside the caller's transaction.
        virtual Result<void> write(store::Database& db, std::int64_t outbox_id) = 0;
        /// Call after the commit of `write`.
        virtual void written() = 0;
    };

    virtual Target find(const std::string& target_id) const = 0;
    /// Begins to deliver `message`, whose target is open, as its sender has signed it.
    ///
    /// Errors:  InvalidArgument if the target would refuse it.
    virtual Result<std::shared_ptr<Passage>> begin(const OutboxMessage& message,
                                                   const std::string& envelope) const = 0;

  protected:
    ~Delivery() = default;
};

}  // namespace a2h::outcome
