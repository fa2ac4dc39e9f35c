#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace a2h::mcp {

/// Calls that run beside the reader, so that none of them delays another, a ping or a cancellation.
/// Threads are started when they are first needed; over `kRunningMax` calls wait in order.
///
/// With `read`, the threads read in turn: who has read a call makes it, and another one reads on.
/// So a call begins without waking anybody, which takes as long as all the rest of a short one.
/// Thread: any.
class Calls {
  public:
    static constexpr std::size_t kRunningMax = 8;
    static constexpr std::size_t kWaitingMax = 1000;

    using Job = std::function<void(std::stop_token cancelled)>;
    /// Reads once, submitting what it finds; false at the end. On one thread at a time.
    using Read = std::function<bool()>;

    Calls() = default;
    /// Cancels everything and waits for what runs.
    ~Calls();
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    /// Runs `job` soon; also when it was cancelled before it could begin. `key` is the call's
    /// `id_key`; a client that uses an id twice has both cancelled together.
    /// False when too many wait: `job` is not run.
    [[nodiscard]] bool submit(std::string key, Job job);
    /// Unknown keys are ignored: the call may just have ended.
    void cancel(const std::string& key);

    /// Reads until the end, once in the object's life; what runs then goes on running.
    void read_to_end(Read read);
    /// Until nothing waits or runs any more, or it is `deadline`.
    void wait_for_all(std::chrono::steady_clock::time_point deadline);

  private:
    struct Call {
        std::string key;
        Job job;
        std::stop_source stop;
    };

    void run();
    void make_call(std::unique_lock<std::mutex>& lock);
    void read_once(std::unique_lock<std::mutex>& lock);
    void wake_or_start_thread();
    bool wants_reader() const { return read_ && !reading_ && !input_ended_; }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Call> running_;
    std::list<Call> waiting_;
    std::size_t idle_threads_ = 0;
    bool stopping_ = false;
    Read read_;
    bool reading_ = false;  ///< one of the threads is in `read_`
    std::thread::id reader_;
    bool input_ended_ = false;
    std::condition_variable input_end_;
    std::condition_variable all_done_;
    std::vector<std::thread> threads_;
};

}  // namespace a2h::mcp
