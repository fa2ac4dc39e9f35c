#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "daemon/notify/channels.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kWriteLimit{5};
// Without O_NONBLOCK a terminal stopped with Ctrl-S would block a worker for ever.
constexpr int kOpenFlags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;

/// An open terminal, or -1.
int open_terminal(const std::string& path) {
    int fd = open(path.empty() ? "/dev/tty" : path.c_str(), kOpenFlags);
    char name[256];
    if (fd < 0 && path.empty() && ttyname_r(STDERR_FILENO, name, sizeof name) == 0) {
        fd = open(name, kOpenFlags);
    }
    if (fd >= 0 && isatty(fd) == 0) {
        close(fd);
        return -1;
    }
    return fd;
}

bool write_all(int fd, std::string_view text) {
    const auto deadline = steady_clock::now() + kWriteLimit;
    while (!text.empty()) {
        const ssize_t written = write(fd, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
            continue;
        }
        if (written < 0 && errno != EAGAIN && errno != EINTR) return false;
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
        pollfd ready{fd, POLLOUT, 0};
        if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) == 0) return false;
    }
    return true;
}

/// A background process that writes to a terminal with `stty tostop` is stopped, unless the signal
/// for it is blocked.
class BlockedTerminalStop {
  public:
    BlockedTerminalStop() {
        sigset_t stop;
        sigemptyset(&stop);
        sigaddset(&stop, SIGTTOU);
        pthread_sigmask(SIG_BLOCK, &stop, &before_);
    }
    ~BlockedTerminalStop() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedTerminalStop(const BlockedTerminalStop&) = delete;
    BlockedTerminalStop& operator=(const BlockedTerminalStop&) = delete;

  private:
    sigset_t before_{};
};

std::string page_of(const Message& message) {
    std::string page = "\n== " + message.title + " ==\n" + message.text + "\n";
    if (!message.link.empty()) {
        page += i18n::text(message.language, "notify.link_line", {{"link", message.link}}) + "\n";
    }
    if (!message.code.empty()) {
        page += code_line(message) + "\n";
    }
    return page + "\n";
}

class TerminalChannel final : public Channel {
  public:
    explicit TerminalChannel(std::string path) : path_(std::move(path)) {}

    std::string_view name() const override { return "terminal"; }
    std::string_view kind() const override { return "terminal"; }

    Result<Delivered> deliver(const Message& message) override {
        const BlockedTerminalStop blocked;
        const int fd = open_terminal(path_);
        if (fd < 0) {
            return fail(ErrorCode::Unavailable, i18n::text(message.language, "notify.no_terminal"));
        }
        const bool written = write_all(fd, page_of(message));
        close(fd);
        if (!written) {
            return fail(ErrorCode::Unavailable,
                        i18n::text(message.language, "notify.terminal_stuck"));
        }
        return Delivered{i18n::text(message.language, "notify.terminal_reached")};
    }

  private:
    std::string path_;
};

}  // namespace

std::unique_ptr<Channel> make_terminal_channel(std::string terminal_path) {
    return std::make_unique<TerminalChannel>(std::move(terminal_path));
}

}  // namespace a2h::notify
