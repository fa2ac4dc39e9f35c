#include "mcp/input.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/control/framing.h"
#include "core/control/socket_io.h"

namespace a2h::mcp {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
/// Where the kernel does not tell of the parent's end.
constexpr int kParentCheckMs = 3000;

/// Readable when process `pid` ends; nothing where the kernel has no such descriptors. Unlike
/// PR_SET_PDEATHSIG it does not take the end of the thread that started us for the end of the
/// parent.
control::Fd end_of_process(pid_t pid) {
    return control::Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace

void read_lines(int fd, int output_fd, std::size_t line_bytes_max,
                const std::function<void(std::string line)>& on_line) {
    const pid_t parent = ::getppid();
    const control::Fd parent_ended = end_of_process(parent);
    control::LineSplitter splitter(line_bytes_max);
    char bytes[kReadBytes];
    while (::getppid() == parent) {
        // poll() passes over a negative descriptor.
        pollfd waiting[] = {{fd, POLLIN, 0}, {output_fd, 0, 0}, {parent_ended.get(), POLLIN, 0}};
        const int ready = ::poll(waiting, 3, kParentCheckMs);
        if (ready < 0 && errno != EINTR) return;
        if (ready <= 0) continue;
        // A pipe without a reader is an error, a socket without one is hung up.
        if ((waiting[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return;
        if (waiting[0].revents == 0) continue;
        const ssize_t got = ::read(fd, bytes, sizeof bytes);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return;
        splitter.append({bytes, static_cast<std::size_t>(got)});
        while (auto line = splitter.next())
            on_line(std::move(line->text));
    }
}

}  // namespace a2h::mcp
