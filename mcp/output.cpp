#include "mcp/output.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string_view>
#include <utility>

namespace a2h::mcp {
namespace {

using std::chrono::steady_clock;

/// How often a `write` that waits checks whether the client has closed its side.
constexpr std::chrono::milliseconds kInputCheckInterval(100);

/// Whether the other end will write nothing more that `fd` could read. What it has written before
/// may still be unread.
bool is_closed_at_other_end(int fd) {
    pollfd input{fd, POLLRDHUP, 0};
    return ::poll(&input, 1, 0) > 0;
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            if (errno != EAGAIN) return false;
            // Another process that shares our stdout, such as a terminal, has made it non-blocking.
            pollfd writable{fd, POLLOUT, 0};
            ::poll(&writable, 1, -1);
            continue;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

Output::Output(int fd, int input_fd, std::chrono::milliseconds patience)
    : fd_(fd), input_fd_(input_fd), patience_(patience), thread_([this] { run(); }) {}

Output::~Output() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Output::write(std::string line) {
    line += '\n';
    std::unique_lock lock(mutex_);
    if (!gathers_) return put(lock, std::move(line));
    gathered_ += line;
    if (gathered_.size() >= kGatheredBytesMax) put(lock, std::exchange(gathered_, {}));
}

void Output::gather() {
    const std::lock_guard lock(mutex_);
    gathers_ = true;
}

void Output::write_gathered() {
    std::unique_lock lock(mutex_);
    gathers_ = false;
    if (!gathered_.empty()) put(lock, std::exchange(gathered_, {}));
}

void Output::put(std::unique_lock<std::mutex>& lock, std::string lines) {
    wait_for_room(lock);
    if (closed_) return;
    // Waking the thread costs more than writing most lines.
    if (queued_bytes_ == 0) {
        closed_ = !write_what_fits(lines);
        if (closed_ || lines.empty()) return;
    }
    queued_bytes_ += lines.size();
    queue_.push_back(std::move(lines));
    changed_.notify_all();
}

void Output::notice_end_of_input() {
    const auto now = steady_clock::now();
    if (give_up_at_ || now < check_input_at_) return;
    check_input_at_ = now + kInputCheckInterval;
    if (is_closed_at_other_end(input_fd_)) give_up_at_ = now + patience_;
}

bool Output::gave_up() {
    const std::lock_guard lock(mutex_);
    return gave_up_;
}

void Output::wait_for_room(std::unique_lock<std::mutex>& lock) {
    const auto is_ready = [&] { return closed_ || queued_bytes_ < kQueueBytesMax; };
    if (queued_bytes_ > 0) notice_end_of_input();
    while (!changed_.wait_for(lock, kInputCheckInterval, is_ready)) {
        notice_end_of_input();
        if (!give_up_at_ || steady_clock::now() < *give_up_at_) continue;
        gave_up_ = true;
        closed_ = true;
        queue_.clear();
        changed_.notify_all();
    }
}

bool Output::write_what_fits(std::string& line) const {
    ssize_t written = ::send(fd_, line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK) {
        // If a pipe is writable, a whole PIPE_BUF fits; a file accepts everything.
        pollfd writable{fd_, POLLOUT, 0};
        if (::poll(&writable, 1, 0) != 1 || (writable.revents & POLLOUT) == 0) return true;
        written = ::write(fd_, line.data(), std::min<std::size_t>(line.size(), PIPE_BUF));
    }
    if (written < 0) return errno == EAGAIN || errno == EINTR;
    line.erase(0, static_cast<std::size_t>(written));
    return true;
}

steady_clock::time_point Output::end() {
    const std::lock_guard lock(mutex_);
    if (!give_up_at_) give_up_at_ = steady_clock::now() + patience_;
    return *give_up_at_;
}

bool Output::has_reader() {
    {
        const std::lock_guard lock(mutex_);
        if (closed_ && !gave_up_) return false;
    }
    // A pipe without a reader reports an error; a socket without one reports a hang-up.
    pollfd output{fd_, 0, 0};
    return ::poll(&output, 1, 0) <= 0;
}

bool Output::flush(steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    const bool is_over =
        changed_.wait_until(lock, deadline, [&] { return closed_ || queued_bytes_ == 0; });
    return is_over && !gave_up_;
}

void Output::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
        if (queue_.empty()) return;
        const std::string line = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        const bool written = write_all(fd_, line);
        lock.lock();
        queued_bytes_ -= line.size();
        if (!written) {
            closed_ = true;
            queue_.clear();
            queued_bytes_ = 0;
        }
        changed_.notify_all();
        if (closed_) return;
    }
}

}  // namespace a2h::mcp
