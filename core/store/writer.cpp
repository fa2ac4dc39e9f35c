#include "core/store/writer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/guarded.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::microseconds kLinger{1'000};
/// The writer waits for further jobs of a group (`kLinger`). If none came, it does not wait in this
/// many of the following groups, after the next vain wait in twice as many, at most in
/// `kLingerPauseMax`. So traffic with one message in flight almost never waits.
constexpr int kLingerPauseMin = 16;
constexpr int kLingerPauseMax = 1'024;
/// Marking a message as sent waits for the next message instead of delaying it, which saves a flush
/// in a conversation with one message in flight. The time is counted from the end of the current
/// flush, because on a slow disk the next message can arrive only then.
constexpr std::chrono::milliseconds kBackgroundWait{2};
/// Limits the memory of one transaction, and how long its first job waits.
constexpr std::size_t kGroupJobsMax = 512;

// Pages have 4 KiB. After a pause in the traffic the log is written back from the first number of
// pages on, because a message would have to wait some milliseconds for it; and in any case from the
// second number on, so that the log stays a file of a few MiB that is overwritten in place.
constexpr int kCheckpointPages = 1'000;
constexpr int kCheckpointPagesMax = 4'000;
constexpr std::chrono::milliseconds kQuietBeforeCheckpoint{2};

struct Write {
    Writer::Work work;
    Writer::Done done;
    Result<void> result = {};
};

}  // namespace

struct Writer::Impl {
    Impl(std::unique_ptr<Database> opened, AfterGroup notify)
        : database(std::move(opened)), after_group(std::move(notify)) {}

    void run();
    std::deque<Write>& queue_of(Priority priority);
    std::size_t waiting_locked() const;
    void wait_for_jobs(std::unique_lock<std::mutex>& lock);
    std::vector<Write> take();
    void take_waiting(std::vector<Write>& group);
    std::size_t waiting() const;
    void linger(std::vector<Write>& group);
    GroupEnd commit(std::vector<Write>& group);
    Result<bool> transaction(std::vector<Write>& group);
    Result<void> run_jobs(std::vector<Write>& group, std::size_t first);
    Result<void> pass_gate();
    bool stays_quiet();
    void checkpoint_if_needed();

    std::unique_ptr<Database> database;  // used only by the writer thread
    const AfterGroup after_group;

    mutable std::mutex mutex;
    std::condition_variable wake;
    std::deque<Write> urgent;
    std::deque<Write> grouped;
    std::deque<Write> background;
    steady_clock::time_point background_due;  // of the oldest background write; unused if none
    steady_clock::time_point group_ended;     // used only by the writer thread
    bool stopping = false;

    // Lingering; used only by the writer thread.
    int linger_pause = kLingerPauseMin;
    int groups_until_linger = 0;
    bool lingers = false;  ///< for the current group

    Guarded<std::string> last_failure;
    std::atomic<std::int64_t> last_commit_us = 0;
    std::atomic<std::int64_t> busy_since = 0;  ///< in the unit of the steady clock; 0: it waits
    Guarded<std::function<Result<void>()>> gate;
    std::thread thread;  // last, because it uses all members above
};

/// Waits for further urgent jobs, each of which saves a disk flush.
void Writer::Impl::linger(std::vector<Write>& group) {
    std::unique_lock lock(mutex);
    const bool company =
        wake.wait_for(lock, kLinger, [this] { return !urgent.empty() || stopping; });
    if (company) {
        linger_pause = kLingerPauseMin;
    } else {
        groups_until_linger = linger_pause;
        linger_pause = std::min(2 * linger_pause, kLingerPauseMax);
    }
    take_waiting(group);
}

void Writer::Impl::wait_for_jobs(std::unique_lock<std::mutex>& lock) {
    const auto ready = [this] { return !urgent.empty() || !grouped.empty() || stopping; };
    wake.wait(lock, [&] { return ready() || !background.empty(); });
    if (ready()) return;
    wake.wait_until(lock, std::max(background_due, group_ended + kBackgroundWait), ready);
}

std::vector<Write> Writer::Impl::take() {
    std::unique_lock lock(mutex);
    wait_for_jobs(lock);
    if (groups_until_linger > 0) --groups_until_linger;
    lingers = groups_until_linger == 0 && urgent.empty() && !grouped.empty() && !stopping;
    std::vector<Write> group;
    take_waiting(group);
    return group;
}

void Writer::Impl::take_waiting(std::vector<Write>& group) {
    for (auto* queue : {&urgent, &grouped, &background}) {
        while (!queue->empty() && group.size() < kGroupJobsMax) {
            group.push_back(std::move(queue->front()));
            queue->pop_front();
        }
    }
}

void Writer::Impl::run() {
    for (auto group = take(); !group.empty(); group = take()) {
        busy_since = steady_clock::now().time_since_epoch().count();
        const GroupEnd end = commit(group);
        group_ended = steady_clock::now();
        if (after_group) after_group(end);
        for (Write& job : group) {
            if (job.done) job.done(std::move(job.result));
        }
        checkpoint_if_needed();
        busy_since = 0;
    }
}

Result<void> Writer::Impl::pass_gate() {
    const auto present = gate.with([](auto& value) { return value; });
    return present ? present() : Result<void>{};
}

/// A single job needs no savepoint: if it fails, the whole transaction is rolled back.
Result<void> Writer::Impl::run_jobs(std::vector<Write>& group, std::size_t first) {
    const bool alone = group.size() == 1 && !lingers;
    for (std::size_t i = first; i < group.size(); ++i) {
        Write& job = group[i];
        job.result =
            alone ? job.work(*database) : database->savepoint([&] { return job.work(*database); });
        if (!job.result && !database->in_transaction()) return job.result;
    }
    return {};
}

/// Returns whether there was something to commit; it is committed then.
Result<bool> Writer::Impl::transaction(std::vector<Write>& group) {
    A2H_TRY(database->begin());
    auto result = run_jobs(group, 0);
    if (result && lingers) {
        // The work is done while waiting, so that further jobs wait only for the disk.
        const std::size_t first = group.size();
        linger(group);
        result = run_jobs(group, first);
    }
    const bool nothing_to_commit =
        std::none_of(group.begin(), group.end(), [](const Write& job) { return bool(job.result); });
    if (result && !nothing_to_commit) result = pass_gate();
    if (!result || nothing_to_commit) {
        database->rollback();
        A2H_TRY(result);
        return false;
    }
    A2H_TRY(database->commit());
    return true;
}

Writer::GroupEnd Writer::Impl::commit(std::vector<Write>& group) {
    const auto begin = steady_clock::now();
    database->impl().disk_error.reset();
    const auto result = transaction(group);
    if (!result) {
        for (Write& job : group) {
            if (job.result) job.result = fail(result.error());
        }
    }
    const auto& disk_error = database->impl().disk_error;
    const std::string failure = !result      ? result.error().message
                                : disk_error ? disk_error->message
                                             : std::string();
    last_failure.with([&](std::string& value) { value = failure; });
    if (!failure.empty()) return {.failed = true, .took = {}};
    if (!*result) return {};
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin);
    last_commit_us = took.count();
    return {.failed = false, .took = took};
}

bool Writer::Impl::stays_quiet() {
    std::unique_lock lock(mutex);
    return !wake.wait_for(lock, kQuietBeforeCheckpoint,
                          [this] { return waiting_locked() > 0 || stopping; });
}

void Writer::Impl::checkpoint_if_needed() {
    const int pages = database->wal_pages();
    if (pages >= kCheckpointPagesMax || (pages >= kCheckpointPages && stays_quiet())) {
        database->checkpoint();
    }
}

std::size_t Writer::Impl::waiting_locked() const {
    return urgent.size() + grouped.size() + background.size();
}

std::size_t Writer::Impl::waiting() const {
    const std::lock_guard lock(mutex);
    return waiting_locked();
}

std::deque<Write>& Writer::Impl::queue_of(Priority priority) {
    switch (priority) {
        case Priority::Urgent:
            return urgent;
        case Priority::Grouped:
            return grouped;
        case Priority::Background:
            return background;
    }
    A2H_CHECK(false);
}

Writer::Writer(std::unique_ptr<Database> database, AfterGroup after_group)
    : impl_(std::make_unique<Impl>(std::move(database), std::move(after_group))) {
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

Writer::~Writer() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stopping = true;
    }
    impl_->wake.notify_one();
    impl_->thread.join();
}

void Writer::submit(Priority priority, Work work, Done done) {
    bool full = false;
    {
        const std::lock_guard lock(impl_->mutex);
        auto& queue = impl_->queue_of(priority);
        full = impl_->waiting_locked() >= kQueueJobsMax;
        if (priority == Priority::Background && queue.empty()) {
            impl_->background_due = steady_clock::now() + kBackgroundWait;
        }
        if (!full) queue.push_back(Write{std::move(work), std::move(done)});
    }
    if (!full) {
        impl_->wake.notify_one();
    } else if (done) {
        done(fail(ErrorCode::ResourceExhausted,
                  std::to_string(kQueueJobsMax) + " writes are already waiting for the disk"));
    }
}

std::future<Result<void>> Writer::submit_urgent(Work work) {
    // std::function needs a copyable callable, and a promise is not copyable.
    auto promise = std::make_shared<std::promise<Result<void>>>();
    auto future = promise->get_future();
    submit(Priority::Urgent, std::move(work),
           [promise](Result<void> result) { promise->set_value(std::move(result)); });
    return future;
}

std::size_t Writer::backlog() const {
    return impl_->waiting();
}

std::string Writer::last_failure() const {
    return impl_->last_failure.with([](const std::string& value) { return value; });
}

std::int64_t Writer::last_commit_us() const {
    return impl_->last_commit_us;
}

std::optional<steady_clock::time_point> Writer::busy_since() const {
    const std::int64_t since = impl_->busy_since;
    if (since == 0) return std::nullopt;
    return steady_clock::time_point(steady_clock::duration(since));
}

void Writer::set_commit_gate(std::function<Result<void>()> gate) {
    impl_->gate.with([&](auto& value) { value = std::move(gate); });
}

}  // namespace a2h::store
