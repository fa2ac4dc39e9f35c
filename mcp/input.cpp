#include "mcp/input.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/control/framing.h"

namespace a2h::mcp {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
constexpr int kParentCheckMs = 3000;

}  // namespace

void read_lines(int fd, int output_fd, std::size_t line_bytes_max,
                const std::function<void(std::string line)>& on_line) {
    const pid_t parent = ::getppid();
    control::LineSplitter splitter(line_bytes_max);
    char bytes[kReadBytes];
    while (::getppid() == parent) {
        pollfd waiting[] = {{fd, POLLIN, 0}, {output_fd, 0, 0}};
        const int ready = ::poll(waiting, 2, kParentCheckMs);
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
