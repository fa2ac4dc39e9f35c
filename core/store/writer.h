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

/// The only thread that writes. It takes all waiting jobs, runs each in its own savepoint, and
/// commits them together, so that one fsync serves many.
///
/// A failed job undoes only its own changes. If the commit fails, every job of the group gets that
/// error and nothing is stored. Jobs of one priority run in the order in which they were submitted;
/// of jobs that wait together, urgent ones run first and background ones last. The queue holds
/// `kQueueJobsMax` jobs; a further one is refused with ResourceExhausted.
///
/// Thread:  any for `submit`. Work runs on the writer thread. `done` runs on the writer thread
///          after the commit (or at once on the caller's thread if the queue is full), and must
///          only pass the result on (Poster::post, promise).
class Writer {
  public:
    static constexpr std::size_t kQueueJobsMax = 100'000;

    using Work = std::function<Result<void>(Database&)>;
    using Done = std::function<void(Result<void>)>;

    /// Urgent jobs (received messages) are committed at once. Grouped ones may wait up to a
    /// millisecond for others while urgent jobs keep coming. Background ones go with the next
    /// commit of others, or alone if there was none for 2 ms.
    enum class Priority { Urgent, Grouped, Background };

    /// The result of a group of jobs.
    struct GroupEnd {
        bool failed = false;  ///< the disk or one of its jobs failed
        /// The time of its work and commit; absent if there was nothing to commit, or if it failed.
        std::optional<std::chrono::microseconds> took{};
    };
    using AfterGroup = std::function<void(const GroupEnd& end)>;

    /// Takes over `database`, which no other code may use from now on. `after_group` runs on the
    /// writer thread after each group, stored or not, and before any `done` of it.
    explicit Writer(std::unique_ptr<Database> database, AfterGroup after_group = {});
    /// Finishes the queued jobs, then ends the thread.
    ~Writer();

    void submit(Priority priority, Work work, Done done);

    /// Calls `submit(Urgent, …)`. The future is ready after the commit.
    std::future<Result<void>> submit_urgent(Work work);

    /// The number of jobs that wait now.
    ///
    /// Thread:  any.
    std::size_t backlog() const;
    /// The message of the last failure of a commit or of the disk (not of a job's own checks);
    /// empty if the last commit succeeded.
    ///
    /// Thread:  any.
    std::string last_failure() const;
    /// The duration of the last successful commit, in microseconds.
    ///
    /// Thread:  any.
    std::int64_t last_commit_us() const;
    /// Since when it has been busy with the current group, its commit and its callbacks; absent
    /// while it waits for jobs.
    ///
    /// Thread:  any.
    std::optional<std::chrono::steady_clock::time_point> busy_since() const;

    /// Calls `gate` on the writer thread before every commit and makes the commit fail with its
    /// error; an empty function removes it. Only for fault tests; a2hd uses it if the environment
    /// variable A2H_FAULT_COMMIT_FILE is set (commits fail while that file exists).
    void set_commit_gate(std::function<Result<void>()> gate);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::store
