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

/// Runs calls beside the reader, so that none of them delays another, a ping or a cancellation.
/// Threads are started when first needed; above the number of a lane its calls wait in order.
///
/// With `read`, the threads take turns at reading: the thread that has read a call makes it, and
/// another one continues to read. So a call begins without waking a thread, which would take as
/// long as the rest of a short call.
///
/// Thread:  any.
class Calls {
  public:
    /// Calls that take long have a lane of their own, so that they hold up no others. Those with a
    /// time limit, for instance for a human's answer, have one as well: there a call begins at once
    /// or is refused, because its time would pass while it is queued.
    enum class Lane { Short, Long, Timed };
    static constexpr std::size_t kRunningMax = 8;        ///< in the short lane
    static constexpr std::size_t kLongRunningMax = 24;   ///< in the long lane
    static constexpr std::size_t kTimedRunningMax = 24;  ///< in the lane of timed calls
    static constexpr std::size_t kWaitingMax = 1000;

    using Job = std::function<void(std::stop_token cancelled)>;
    /// Reads once and submits what it finds; false at the end. Called on one thread at a time.
    using Read = std::function<bool()>;

    Calls() = default;
    /// Cancels all calls and waits for running ones.
    ~Calls();
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    /// Runs `job` soon, also if it was cancelled before it could begin. `key` is the call's
    /// `id_key`; if a client uses an id twice, both calls are cancelled together. False if too many
    /// calls wait, or too many timed ones run; `job` is then not run.
    [[nodiscard]] bool submit(std::string key, Job job, Lane lane = Lane::Short);
    /// Unknown keys are ignored, because the call may just have ended.
    void cancel(const std::string& key);

    /// Reads until the end; call at most once. Running calls continue.
    void read_to_end(Read read);
    /// Waits until no call waits or runs, or until `deadline`. False: some still do.
    bool wait_for_all(std::chrono::steady_clock::time_point deadline);

  private:
    struct Call {
        std::string key;
        Job job;
        std::stop_source stop;
        Lane lane = Lane::Short;
    };
    using Queue = std::list<Call>;

    void run();
    static std::size_t count_in(const Queue& calls, Lane lane);
    /// The first waiting call whose lane has room; the end if there is none.
    Queue::iterator next_call();
    void make_call(std::unique_lock<std::mutex>& lock, Queue::iterator next);
    void read_once(std::unique_lock<std::mutex>& lock);
    void wake_or_start_thread();
    bool wants_reader() const { return read_ && !reading_ && !input_ended_; }

    std::mutex mutex_;
    std::condition_variable changed_;
    Queue running_;
    Queue waiting_;
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
