#include "mcp/input.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace a2h::mcp {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
/// Used if the kernel cannot report the parent's end.
constexpr int kParentCheckMs = 3000;

/// Readable when process `pid` ends; empty if the kernel has no such descriptors. Unlike
/// PR_SET_PDEATHSIG, the end of the thread that started us does not count as the end of the parent.
Fd end_of_process(pid_t pid) {
    return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace

LineInput::LineInput(int fd, int output_fd, std::size_t line_bytes_max, OnLines on_lines)
    : fd_(fd),
      output_fd_(output_fd),
      on_lines_(std::move(on_lines)),
      parent_(::getppid()),
      parent_ended_(end_of_process(parent_)),
      line_bytes_max_(line_bytes_max) {}

bool LineInput::read_some() {
    if (::getppid() != parent_) return false;
    // poll() ignores a negative descriptor.
    pollfd waiting[] = {{fd_, POLLIN, 0}, {output_fd_, 0, 0}, {parent_ended_.get(), POLLIN, 0}};
    const int ready = ::poll(waiting, 3, kParentCheckMs);
    if (ready < 0) return errno == EINTR;
    if (ready == 0) return true;
    // A pipe without a reader reports an error; a socket without one reports a hang-up.
    if ((waiting[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return false;
    if (waiting[0].revents == 0) return true;
    char bytes[kReadBytes];
    const ssize_t got = ::read(fd_, bytes, sizeof bytes);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (got == 0) return false;
    std::string_view rest(bytes, static_cast<std::size_t>(got));
    std::vector<InputLine> lines;
    for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos;) {
        take(rest.substr(0, end));
        rest.remove_prefix(end + 1);
        auto line = finish_line();
        if (line.oversized || !line.text.empty()) lines.push_back(std::move(line));
    }
    take(rest);
    if (oversized_) {
        if (auto part = oversized_->take_part()) lines.push_back({{}, std::move(part)});
    }
    if (!lines.empty()) on_lines_(lines);
    return true;
}

void LineInput::take(std::string_view part) {
    if (!oversized_ && line_.size() + part.size() > line_bytes_max_) {
        oversized_.emplace();
        oversized_->take(line_);
        line_.clear();
        line_.shrink_to_fit();
    }
    if (oversized_) {
        oversized_->take(part);
    } else {
        line_ += part;
    }
}

InputLine LineInput::finish_line() {
    InputLine line;
    if (oversized_) {
        line.oversized = oversized_->finish();
        oversized_.reset();
        return line;
    }
    if (line_.ends_with('\r')) line_.pop_back();
    line.text.swap(line_);
    return line;
}

}  // namespace a2h::mcp
