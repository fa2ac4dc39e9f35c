#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/base/clock.h"
#include "core/base/current.h"
#include "core/store/writer.h"
#include "daemon/config/config.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/pins.h"
#include "daemon/decide/rules.h"
#include "daemon/kernel/loop.h"
#include "daemon/kernel/metrics.h"
#include "daemon/kernel/workers.h"

namespace a2h {

/// What every stage and handler of the daemon works with. Owned by `App`, outlives all of them.
/// Thread: `reader` belongs to the loop; the others may be used as they say themselves.
struct Context {
    const Clock& clock;
    Loop& loop;
    store::Writer& writer;
    store::Database& reader;
    Workers& workers;
    const Current<Config>& config;  ///< a reload replaces it
    const consent::HumanSecrets& secrets;
    const consent::Pins& pins;
    const decide::RuleSet& rules;
    kernel::Metrics& metrics;

    /// Runs `work` on the store writer and `done` on the loop after the commit.
    void write(store::Writer::Priority priority, store::Writer::Work work,
               std::function<void(Result<void>)> done) const {
        writer.submit(priority, std::move(work),
                      [this, done = std::move(done)](Result<void> result) {
                          loop.post([done, result = std::move(result)] { done(result); });
                      });
    }

    /// Runs `blocking` on a worker and hands its value to `done` on the loop. When too much waits
    /// already, `done` gets the value of `refused`.
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

/// The part of the present configuration that says how people are asked.
inline std::shared_ptr<const consent::Policy> policy_of(const Current<Config>& config) {
    const auto now = config.get();
    return {now, &now->approval};
}

}  // namespace a2h
