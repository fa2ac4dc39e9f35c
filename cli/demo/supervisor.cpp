#include "cli/demo/supervisor.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

namespace a2h::cli {
namespace {

using std::chrono::steady_clock;

timespec to_timespec(std::chrono::milliseconds duration) {
    return {.tv_sec = static_cast<time_t>(duration.count() / 1000),
            .tv_nsec = static_cast<long>(duration.count() % 1000) * 1'000'000};
}

/// In the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* argv, int out, int err, const sigset_t& mask, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);  // the parent died before prctl
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::execv(argv[0], argv);
    ::_exit(127);
}

Result<pid_t> spawn(std::vector<std::string> argv, const std::filesystem::path& out,
                    bool with_stderr, const sigset_t& mask) {
    const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    std::vector<char*> pointers;
    for (auto& argument : argv)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t pid = file < 0 ? -1 : ::fork();
    if (pid == 0) become(pointers.data(), file, with_stderr ? file : 2, mask, parent);
    const std::string why = std::generic_category().message(errno);
    if (file >= 0) ::close(file);
    if (pid < 0) return fail(ErrorCode::Unavailable, "cannot start " + argv[0] + ": " + why);
    return pid;
}

bool wait_until(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
    const auto deadline = steady_clock::now() + timeout;
    while (!condition()) {
        if (steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(Supervisor::kPoll);
    }
    return true;
}

}  // namespace

Supervisor::Supervisor() {
    ::sigemptyset(&signals_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD})
        ::sigaddset(&signals_, number);
    ::pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
}

Supervisor::~Supervisor() {
    stop_all();
    // Discards a second Ctrl-C that arrived while the children ended.
    const timespec now{};
    while (::sigtimedwait(&signals_, nullptr, &now) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Supervisor::stop_all() {
    while (!children_.empty()) {
        stop(children_.back());
        children_.pop_back();
    }
}

Result<void> Supervisor::start(const std::string& name, std::vector<std::string> argv,
                               const std::filesystem::path& log) {
    A2H_ASSIGN_OR_RETURN(const auto pid, spawn(std::move(argv), log, true, mask_before_));
    children_.push_back({name, pid, log});
    return {};
}

Result<void> Supervisor::run(std::vector<std::string> argv, const std::filesystem::path& out) {
    const std::string program = argv.front();
    A2H_ASSIGN_OR_RETURN(const auto pid, spawn(std::move(argv), out, false, mask_before_));
    int status = 0;
    if (!wait_until([&] { return ::waitpid(pid, &status, WNOHANG) != 0; }, kStopTimeout)) {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, &status, 0);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    return fail(ErrorCode::Unavailable,
                program + " failed" +
                    (WIFEXITED(status) ? " with " + std::to_string(WEXITSTATUS(status)) : ""));
}

Supervisor::Wake Supervisor::wait(const std::function<bool()>& condition,
                                  std::chrono::milliseconds timeout) {
    const auto deadline = steady_clock::now() + timeout;
    while (true) {
        if (condition()) return Wake::Done;
        reap();
        if (ended_child_) return Wake::ChildEnded;
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
        if (left.count() <= 0) return Wake::TimedOut;
        const timespec pause = to_timespec(std::min(left, kPoll));
        const int number = ::sigtimedwait(&signals_, nullptr, &pause);
        if (number > 0 && number != SIGCHLD) return Wake::Interrupted;
    }
}

void Supervisor::reap() {
    for (auto child = children_.begin(); child != children_.end(); ++child) {
        if (::waitpid(child->pid, nullptr, WNOHANG) != child->pid) continue;
        ended_child_ = *child;
        children_.erase(child);
        return;
    }
}

void Supervisor::stop(const Child& child) {
    ::kill(child.pid, SIGTERM);
    const auto ended = [&] { return ::waitpid(child.pid, nullptr, WNOHANG) != 0; };
    if (wait_until(ended, kStopTimeout)) return;
    ::kill(-child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
}

}  // namespace a2h::cli
