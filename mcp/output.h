#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace a2h::mcp {

/// The one writer of stdout: whole lines, in the order in which they were handed over.
///
/// What fits into the pipe or socket at once is written by the caller; the rest by a thread of its
/// own, so that the reader sees the end of stdin even while the client does not read. `write` waits
/// once `kQueueBytesMax` is queued: a client that sends without reading is slowed down, not served
/// from endless memory.
/// Thread: `write` and `flush` from any.
class Output {
  public:
    static constexpr std::size_t kQueueBytesMax = 32 * 1024 * 1024;

    /// `fd` stays the caller's and outlives the object.
    explicit Output(int fd);
    /// Writes what is queued, unless nobody reads any more.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// While it lives, lines are gathered and leave with one system call: many answers to what came
    /// together cost little more than one. One at a time.
    class Together {
      public:
        explicit Together(Output& output) : output_(output) { output_.gather(); }
        ~Together() { output_.write_gathered(); }
        Together(const Together&) = delete;
        Together& operator=(const Together&) = delete;

      private:
        Output& output_;
    };

    /// `line` has no line feed. Dropped once the other end is closed.
    void write(std::string line);
    /// Waits until everything is written or it is `deadline`.
    void flush(std::chrono::steady_clock::time_point deadline);

  private:
    static constexpr std::size_t kGatheredBytesMax = 64 * 1024;

    void run();
    void gather();
    void write_gathered();
    /// Whole lines. Under the lock, which is released while it waits.
    void put(std::unique_lock<std::mutex>& lock, std::string lines);
    /// Writes as much of `line` as needs no waiting and takes that off it. False: nobody reads.
    bool write_what_fits(std::string& line) const;

    const int fd_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> queue_;
    bool gathers_ = false;
    std::string gathered_;
    std::size_t queued_bytes_ = 0;  ///< of `queue_` and of the line that is being written
    bool stopping_ = false;
    bool closed_ = false;  ///< writing failed: nobody reads
    std::thread thread_;
};

}  // namespace a2h::mcp
