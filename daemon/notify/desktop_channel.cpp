#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "core/base/text.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

/// Servers show only the beginning of a longer text without saying so; the specification gives no
/// number.
constexpr std::size_t kDesktopTextMax = 400;

/// How a program ended.
struct Ended {
    int status = -1;        ///< exit status; -1 if a signal or the limit ended it
    std::string complaint;  ///< the beginning of its stderr
};

/// Waits for `pid`, and kills it after the limit.
int wait_for(pid_t pid, std::chrono::milliseconds limit) {
    const int watched = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    pollfd ended{watched, POLLIN, 0};
    if (watched < 0 || poll(&ended, 1, static_cast<int>(limit.count())) <= 0) {
        kill(pid, SIGKILL);
    }
    if (watched >= 0) close(watched);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Reads what is in the pipe now; a grandchild process may keep it open for ever.
std::string read_what_is_there(int fd) {
    char buffer[512];
    fcntl(fd, F_SETFL, O_NONBLOCK);
    const ssize_t count = read(fd, buffer, sizeof buffer);
    return count > 0 ? std::string(buffer, static_cast<std::size_t>(count)) : std::string();
}

/// Runs `argv` (found in PATH, no shell); nullopt if it could not be started.
std::optional<Ended> run(std::vector<std::string> argv, std::chrono::milliseconds limit) {
    std::vector<char*> pointers;
    for (std::string& argument : argv)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    int complaints[2];
    if (pipe2(complaints, O_CLOEXEC) != 0) return std::nullopt;

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, complaints[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t pid = -1;
    const int failed =
        posix_spawnp(&pid, pointers[0], &files, &attributes, pointers.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    close(complaints[1]);
    std::optional<Ended> ended;
    if (failed == 0) {
        const int status = wait_for(pid, limit);
        ended = Ended{status, read_what_is_there(complaints[0])};
    }
    close(complaints[0]);
    return ended;
}

bool has_desktop() {
    for (const char* name : {"DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') return true;
    }
    return false;
}

/// Text for the body of a notification. Servers interpret a subset of HTML there, and notify-send
/// escape sequences of C, such as `\n` and `\74`; it passes the title on as it is.
///
/// Source:  libnotify 0.8, tools/notify-send.c: `g_strcompress` of the body only.
std::string in_body(std::string_view text) {
    std::string out;
    for (const char c : escape_markup(text)) {
        if (c == '\\') out += '\\';
        out += c;
    }
    return out;
}

class DesktopChannel final : public Channel {
  public:
    explicit DesktopChannel(std::chrono::milliseconds run_limit) : run_limit_(run_limit) {}

    std::string_view name() const override { return "desktop"; }
    std::string_view kind() const override { return "desktop"; }

    Result<Delivered> deliver(const Message& whole) override {
        const Message message = fitted(whole, [](const Message& shown) {
            return code_point_count(shown.text) <= kDesktopTextMax;
        });
        const auto unavailable = [&](std::string_view key, i18n::Arguments arguments = {}) {
            return fail(ErrorCode::Unavailable, i18n::text(message.language, key, arguments));
        };
        if (!has_desktop()) return unavailable("notify.no_desktop");
        const auto ended = run({"notify-send", "--app-name=A2H", "--urgency=critical", "--",
                                message.title, in_body(message.text)},
                               run_limit_);
        // posix_spawnp of glibc reports a missing program itself; other libraries exit with 127.
        if (!ended || ended->status == 127) return unavailable("notify.no_notify_send");
        if (ended->status != 0) {
            const std::string why = preview(printable(ended->complaint));
            return unavailable("notify.desktop_failed", {{"why", why.empty() ? "?" : why}});
        }
        return Delivered{i18n::text(message.language, "notify.desktop_reached")};
    }

  private:
    std::chrono::milliseconds run_limit_;
};

}  // namespace

std::unique_ptr<Channel> make_desktop_channel(std::chrono::milliseconds run_limit) {
    return std::make_unique<DesktopChannel>(run_limit);
}

}  // namespace a2h::notify
