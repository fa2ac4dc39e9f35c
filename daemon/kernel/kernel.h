#pragma once

#include <functional>
#include <utility>

#include "core/base/clock.h"
#include "core/store/writer.h"
#include "daemon/kernel/loop.h"
#include "daemon/kernel/workers.h"

namespace a2h::kernel {

/// References to what every part uses: time, the loop, the database, and threads that may block.
/// `Parts` owns it and most of what it refers to. It outlives all other parts.
///
/// Thread:  `reader` belongs to the loop; the others state their own rules.
struct Kernel {
    const Clock& clock;
    Loop& loop;
    store::Writer& writer;
    store::Database& reader;
    Workers& workers;

    /// Runs `work` on the store writer and `done` on the loop after the commit.
    void write(store::Writer::Priority priority, store::Writer::Work work,
               std::function<void(Result<void>)> done) const {
        writer.submit(priority, std::move(work),
                      [this, done = std::move(done)](Result<void> result) {
                          loop.post([done, result = std::move(result)] { done(result); });
                      });
    }

    /// Runs `blocking` on a worker and passes its value to `done` on the loop. If too many jobs are
    /// waiting, `done` gets the value of `refused`.
    template <typename T>
    void run_blocking(std::function<T()> blocking, std::function<void(T)> done,
                      std::function<T()> refused) const {
        const bool accepted = workers.submit([this, blocking = std::move(blocking), done] {
            loop.post([done, value = blocking()]() mutable { done(std::move(value)); });
        });
        if (!accepted) {
            loop.post([done, refused = std::move(refused)] { done(refused()); });
        }
    }
};

}  // namespace a2h::kernel
