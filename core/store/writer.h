#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// The only thread that writes. It takes all waiting jobs, runs each in a savepoint of its own,
/// and commits them together, so that one fsync serves many.
///
/// A job whose work fails undoes only itself. When the commit fails, every job of the group gets
/// that error and nothing of it is stored. Jobs of one priority run in the order of their submit,
/// and of those that wait together the urgent ones first, the background ones last. The queue holds
/// `kQueueJobsMax` jobs; one more answers ResourceExhausted at once. Thread: `submit` from any;
/// work runs on the writer thread; `done` runs on the writer thread, after the commit (at once, on
/// the caller's thread, when the queue is full), and must only hand on (Poster::post, promise).
class Writer {
  public:
    static constexpr std::size_t kQueueJobsMax = 100'000;

    using Work = std::function<Result<void>(Database&)>;
    using Done = std::function<void(Result<void>)>;

    /// Urgent jobs (receive) are committed at once. Grouped ones may wait up to a millisecond for
    /// company while urgent jobs keep coming. Nobody waits for Background ones: they go with the
    /// next commit of others, or alone when there was none for 2 ms.
    enum class Priority { Urgent, Grouped, Background };

    /// How a group of jobs ended.
    struct GroupEnd {
        bool failed = false;  ///< the disk refused it, or one of its jobs
        /// Its work and its commit; absent when there was nothing to commit, or it failed.
        std::optional<std::chrono::microseconds> took{};
    };
    using AfterGroup = std::function<void(const GroupEnd& end)>;

    /// Takes over `database`, which nobody else may use from now on. `after_group` runs on the
    /// writer thread after each group, stored or not, before any `done` of it.
    explicit Writer(std::unique_ptr<Database> database, AfterGroup after_group = {});
    /// Finishes what is queued, then ends the thread.
    ~Writer();

    void submit(Priority priority, Work work, Done done);

    /// Like `submit(Urgent, …)`; the future is ready after the commit.
    std::future<Result<void>> submit_urgent(Work work);

    /// Jobs that wait now. Thread: any.
    std::size_t backlog() const;
    /// Message of the last commit or job failure of the disk (not of a job's own rule); empty when
    /// the last commit succeeded. Thread: any.
    std::string last_failure() const;
    /// Time the last successful commit took, in microseconds. Thread: any.
    std::int64_t last_commit_us() const;
    /// Since when it has been busy with the present group, its commit and who is told of it; absent
    /// while it waits for jobs. Thread: any.
    std::optional<std::chrono::steady_clock::time_point> busy_since() const;

    /// Asks `gate` on the writer thread before every commit and makes the commit fail with its
    /// error; an empty function takes it away. For fault tests only; reached through the
    /// environment variable A2H_FAULT_COMMIT_FILE in a2hd (commits fail while that file exists).
    void set_commit_gate(std::function<Result<void>()> gate);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::store
