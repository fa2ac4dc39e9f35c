#pragma once

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

/// Tool calls that run beside the reader, so that none of them delays another, a ping or a
/// cancellation. Threads are started when they are first needed, `kThreadsMax` at most; further
/// calls wait in order.
/// Thread: any.
class Calls {
  public:
    static constexpr std::size_t kThreadsMax = 8;
    static constexpr std::size_t kWaitingMax = 1000;

    using Job = std::function<void(std::stop_token cancelled)>;

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

  private:
    struct Call {
        std::string key;
        Job job;
        std::stop_source stop;
    };

    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Call> running_;
    std::list<Call> waiting_;
    std::size_t idle_threads_ = 0;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace a2h::mcp
