#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace a2h::mcp {

/// The only writer of stdout: whole lines, in the order in which they were passed.
///
/// The caller writes what fits into the pipe or socket at once; a thread writes the rest, so that
/// the reader sees the end of stdin even while the client does not read. `write` waits once
/// `kQueueBytesMax` is queued, which slows a client down that sends without reading and limits
/// memory. It does not wait for ever for a client that has closed its side: what has no room when
/// the patience ends is dropped with all that is queued, and so is everything after it.
///
/// Thread:  any.
class Output {
  public:
    static constexpr std::size_t kQueueBytesMax = 32 * 1024 * 1024;

    /// How long the client may take to read everything once it sends nothing more. Less than the
    /// time after which a call of a2hd is given up (60 s), so that which of them is first does not
    /// depend on chance.
    static constexpr std::chrono::seconds kPatienceAfterEnd{59};

    /// The client sends what `input_fd` receives; -1: unknown. The caller owns the descriptors,
    /// which must outlive the object.
    explicit Output(int fd, int input_fd = -1,
                    std::chrono::milliseconds patience = kPatienceAfterEnd);
    /// Writes what is queued, unless the reader has gone.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    /// During its lifetime, lines are collected and written by one system call: many answers to
    /// requests that arrived together cost little more than one. One at a time.
    class Together {
      public:
        explicit Together(Output& output) : output_(output) { output_.gather(); }
        ~Together() { output_.write_gathered(); }
        Together(const Together&) = delete;
        Together& operator=(const Together&) = delete;

      private:
        Output& output_;
    };

    /// `line` must contain no line feed. Dropped once the other end is closed.
    void write(std::string line);
    /// Whether lines are dropped because the client has closed its side and does not read.
    bool gave_up();
    /// The client sends nothing more. Returns when the patience ends, which has begun already if
    /// this was noticed before; no `write` waits longer.
    std::chrono::steady_clock::time_point end();
    /// False once the other end is closed.
    bool has_reader();
    /// Waits until everything is written or nobody reads it any more. False: until `deadline` in
    /// vain, or lines were dropped, see `gave_up`.
    bool flush(std::chrono::steady_clock::time_point deadline);

  private:
    static constexpr std::size_t kGatheredBytesMax = 64 * 1024;

    void run();
    void gather();
    void write_gathered();
    /// Writes whole lines. The caller holds the lock, which is released while waiting.
    void put(std::unique_lock<std::mutex>& lock, std::string lines);
    /// Without waiting, and at most every 100 ms.
    void notice_end_of_input();
    /// Returns when there is room for a line or none is written any more.
    void wait_for_room(std::unique_lock<std::mutex>& lock);
    /// Writes as much of `line` as is possible without waiting and removes it from `line`. False:
    /// the reader has gone.
    bool write_what_fits(std::string& line) const;

    const int fd_;
    const int input_fd_;
    const std::chrono::milliseconds patience_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> queue_;
    bool gathers_ = false;
    std::string gathered_;
    std::size_t queued_bytes_ = 0;  ///< in `queue_` and in the line that is being written
    bool stopping_ = false;
    bool closed_ = false;   ///< writing failed, because the reader has gone or reads nothing
    bool gave_up_ = false;  ///< `closed_` although the reader may still be there
    std::chrono::steady_clock::time_point check_input_at_;
    std::optional<std::chrono::steady_clock::time_point> give_up_at_;
    std::thread thread_;
};

}  // namespace a2h::mcp
