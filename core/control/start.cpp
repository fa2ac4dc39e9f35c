#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "core/base/text.h"
#include "core/control/client.h"
#include "core/control/home.h"
#include "core/control/progress_file.h"
#include "core/control/socket_io.h"

namespace a2h::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kConnectInterval(5);
/// A daemon that ended at once may have found another one that is still opening its socket.
constexpr milliseconds kOtherDaemonGrace(2000);
constexpr std::size_t kLogTailBytes = 4096;

std::string by_hand(const Home& home) {
    return "start it with: a2h up --home " + home.root.string();
}

/// The last line of the daemon's log, one line of at most 100 characters.
std::string last_log_line(const Home& home) {
    std::ifstream file(home.log_file(), std::ios::binary | std::ios::ate);
    const auto size = static_cast<std::streamoff>(file.tellg());
    if (!file || size <= 0) return {};
    const auto tail = std::min<std::streamoff>(size, kLogTailBytes);
    file.seekg(size - tail);
    std::string text(static_cast<std::size_t>(tail), '\0');
    file.read(text.data(), tail);
    std::string_view rest = trim(text);
    const std::size_t line_begin = rest.rfind('\n');
    if (line_begin != std::string_view::npos) rest.remove_prefix(line_begin + 1);
    if (rest.size() > 3 && rest[0] == '<' && rest[2] == '>') rest.remove_prefix(3);
    return is_utf8(rest) ? preview(rest) : std::string();
}

/// Executes the daemon, or sends the errno to `alive`. Runs between fork and exec in a process that
/// may have had threads, so it only makes system calls.
[[noreturn]] void become_daemon(const char* const* argv, int log, int nothing, int alive) {
    ::setsid();
    ::umask(077);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // The descriptors are above 2 in every program that has its three standard streams. Otherwise
    // dup2 onto itself would keep close-on-exec, and the daemon would only lose its log.
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    // The daemon keeps `alive` open. When the daemon ends, the other side of the pipe is at its
    // end.
    ::dup2(alive, 3);
    ::close_range(4, ~0U, 0);
    const int flags = ::fcntl(3, F_GETFD);
    ::fcntl(3, F_SETFD, flags & ~FD_CLOEXEC);
    if (::chdir("/") == 0) ::execv(argv[0], const_cast<char* const*>(argv));
    const int error = errno;
    [[maybe_unused]] const ssize_t ignored = ::write(3, &error, sizeof error);
    ::_exit(127);
}

/// Starts `program` detached. Returns a descriptor that reaches its end when the daemon ends;
/// before that it is readable only with the errno of a failed exec.
Result<Fd> start_daemon(const Home& home, const std::filesystem::path& program) {
    std::error_code ignored;
    // Only for a folder that we have created: --home may name a shared one.
    if (std::filesystem::create_directories(home.root, ignored)) ::chmod(home.root.c_str(), 0700);
    ::mkdir(home.run_dir().c_str(), 0700);
    const Fd log(::open(home.log_file().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    int ends[2] = {-1, -1};
    if (!log || !nothing || ::pipe2(ends, O_CLOEXEC) != 0) {
        return fail(ErrorCode::Unavailable, home.log_file().string() + ": " + errno_text());
    }
    Fd watch(ends[0]);
    const Fd alive(ends[1]);
    const char* const argv[] = {program.c_str(), "--home", home.root.c_str(), nullptr};

    // Forks twice, so that the daemon is not a child of this process and leaves no zombie.
    const pid_t middle = ::fork();
    if (middle < 0) return fail(ErrorCode::Unavailable, "fork: " + errno_text());
    if (middle == 0) {
        if (::fork() == 0) become_daemon(argv, log.get(), nothing.get(), alive.get());
        ::_exit(0);
    }
    while (::waitpid(middle, nullptr, 0) < 0 && errno == EINTR) {
    }
    return watch;
}

/// True if the daemon behind `watch` has ended; waits at most `timeout` for it.
Result<bool> has_ended(const Fd& watch, milliseconds timeout) {
    pollfd readable{watch.get(), POLLIN, 0};
    if (::poll(&readable, 1, static_cast<int>(timeout.count())) <= 0) return false;
    int error = 0;
    if (::read(watch.get(), &error, sizeof error) == sizeof error) {
        errno = error;
        return fail(ErrorCode::Unavailable, errno_text());
    }
    return true;
}

/// Polls for the socket, because a daemon is ready only when it answers. A daemon that reports
/// progress is working, however long that takes.
Result<std::unique_ptr<Client>> wait_for_daemon(const Home& home, const Fd& watch,
                                                milliseconds timeout) {
    auto deadline = steady_clock::now() + timeout;
    bool ended = false;
    while (true) {
        auto client = Client::connect(home.socket_file());
        if (client) return client;
        const bool is_late = steady_clock::now() >= deadline;
        if (is_late && (ended || !read_progress(home.progress_file()))) break;
        if (ended) {
            std::this_thread::sleep_for(kConnectInterval);
            continue;
        }
        A2H_ASSIGN_OR_RETURN(const auto now_ended, has_ended(watch, kConnectInterval));
        ended = now_ended;
        if (ended) deadline = std::min(deadline, steady_clock::now() + kOtherDaemonGrace);
    }
    const std::string line = last_log_line(home);
    return fail(ErrorCode::Unavailable,
                (ended ? "a2hd ended at once" : "a2hd did not open its socket in time") +
                    (line.empty() ? std::string() : "; its log says: " + line));
}

bool is_program(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::filesystem::path find_program(std::string_view name) {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside = self.parent_path() / name;
    if (!error && is_program(beside)) return beside;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const auto candidate = std::filesystem::path(folder) / name;
        if (candidate.is_absolute() && is_program(candidate)) return candidate;
    }
    return {};
}

Result<std::unique_ptr<Client>> connect_or_start(const std::filesystem::path& home_root,
                                                 const std::filesystem::path& start_program,
                                                 milliseconds timeout) {
    const Home home{home_root};
    auto client = Client::connect(home.socket_file());
    if (client || client.error().code != ErrorCode::Unavailable) return client;
    if (start_program.empty()) {
        return fail(ErrorCode::Unavailable, "a2hd is not running; " + by_hand(home));
    }
    auto watch = start_daemon(home, start_program);
    if (watch) client = wait_for_daemon(home, *watch, timeout);
    if (!watch || !client) {
        const Error& error = watch ? client.error() : watch.error();
        return fail(ErrorCode::Unavailable, "a2hd (" + start_program.string() +
                                                ") could not be started: " + error.message + "; " +
                                                by_hand(home));
    }
    return client;
}

}  // namespace a2h::control
