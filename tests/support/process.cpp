#include "tests/support/process.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/base/check.h"
#include "core/base/loopback.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {
namespace {

using std::chrono::steady_clock;

std::filesystem::path find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    std::istringstream folders(path + ":/usr/sbin:/usr/local/sbin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const auto candidate = std::filesystem::path(folder) / name;
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return name;
}

int open_for_writing(const std::filesystem::path& file) {
    return ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

int decode(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_file(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream content;
    content << in.rdbuf();
    return content.str();
}

}  // namespace

Process::Process(Options options) {
    int out[2] = {-1, -1};
    int in[2] = {-1, -1};
    int started[2] = {-1, -1};
    A2H_CHECK(::pipe2(started, O_CLOEXEC) == 0);
    const bool pipe_stdout = options.stdout_file.empty();
    if (pipe_stdout) A2H_CHECK(::pipe2(out, O_CLOEXEC) == 0);
    if (options.pipe_stdin) A2H_CHECK(::pipe2(in, O_CLOEXEC) == 0);
    const std::string program = find_program(options.argv.front()).string();
    std::vector<char*> argv;
    for (auto& argument : options.argv)
        argv.push_back(argument.data());
    argv.push_back(nullptr);

    pid_ = ::fork();
    A2H_CHECK(pid_ >= 0);
    if (pid_ == 0) {
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (const auto& [name, value] : options.environment) {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
        ::dup2(pipe_stdout ? out[1] : open_for_writing(options.stdout_file), STDOUT_FILENO);
        if (!options.stderr_file.empty()) {
            ::dup2(open_for_writing(options.stderr_file), STDERR_FILENO);
        }
        ::dup2(options.pipe_stdin ? in[0] : ::open("/dev/null", O_RDONLY), STDIN_FILENO);
        ::execv(program.c_str(), argv.data());
        ::_exit(127);
    }
    // The child's end closes on exec, so read() returns once the program runs. A later signal then
    // reaches the program and not the forked child.
    ::close(started[1]);
    char nothing = 0;
    while (::read(started[0], &nothing, 1) < 0 && errno == EINTR) {
    }
    ::close(started[0]);
    if (pipe_stdout) {
        ::close(out[1]);
        stdout_ = out[0];
    }
    if (options.pipe_stdin) {
        ::close(in[0]);
        stdin_ = in[1];
    }
}

Process::~Process() {
    if (running() && !stop(std::chrono::seconds(3))) kill();
    close_stdout();
    close_stdin();
}

bool Process::running() {
    return !wait(std::chrono::milliseconds(0)).has_value();
}

void Process::signal(int number) {
    if (!exit_status_) ::kill(pid_, number);
}

void Process::kill() {
    if (exit_status_) return;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    exit_status_ = decode(status);
}

std::optional<int> Process::stop(std::chrono::milliseconds timeout) {
    signal(SIGTERM);
    return wait(timeout);
}

std::optional<int> Process::wait(std::chrono::milliseconds timeout) {
    const auto deadline = steady_clock::now() + kSlowdown * timeout;
    while (!exit_status_) {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            exit_status_ = decode(status);
            break;
        }
        if (steady_clock::now() >= deadline) return std::nullopt;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return exit_status_;
}

std::optional<std::string> Process::read_line(std::chrono::milliseconds timeout) {
    const auto deadline = steady_clock::now() + kSlowdown * timeout;
    while (true) {
        const auto end = buffer_.find('\n');
        if (end != std::string::npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
        pollfd waiting{stdout_, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) {
            return std::nullopt;
        }
        char chunk[4096];
        const ssize_t got = ::read(stdout_, chunk, sizeof chunk);
        if (got <= 0) return std::nullopt;
        buffer_.append(chunk, static_cast<std::size_t>(got));
    }
}

std::string Process::read_all(std::chrono::milliseconds timeout) {
    std::string all;
    while (auto line = read_line(timeout))
        all += *line + "\n";
    return all + buffer_;
}

void Process::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::write(stdin_, text.data(), text.size());
        if (sent <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void Process::close_stdin() {
    if (stdin_ >= 0) ::close(stdin_);
    stdin_ = -1;
}

void Process::close_stdout() {
    if (stdout_ >= 0) ::close(stdout_);
    stdout_ = -1;
}

Ran run(std::vector<std::string> argv, std::map<std::string, std::string> environment,
        std::string_view input, std::chrono::milliseconds timeout) {
    const TempDir dir;
    Process process({.argv = std::move(argv),
                     .environment = std::move(environment),
                     .stdout_file = dir.path() / "out",
                     .stderr_file = dir.path() / "err",
                     .pipe_stdin = true});
    process.write(input);
    process.close_stdin();
    const auto status = process.wait(timeout);
    if (!status) process.kill();
    return {status.value_or(-1), read_file(dir.path() / "out"), read_file(dir.path() / "err")};
}

std::map<std::string, std::string> preloading(const std::string& library) {
    // ASan requires its own library to be loaded first; this option turns that check off.
    const char* options = std::getenv("ASAN_OPTIONS");
    return {{"LD_PRELOAD", library},
            {"ASAN_OPTIONS", (options == nullptr ? std::string() : std::string(options) + ":") +
                                 "verify_asan_link_order=0"}};
}

std::uint16_t free_port() {
    const auto port = free_loopback_port();
    A2H_CHECK(port.has_value());
    return *port;
}

Fd hold_port(std::uint16_t port) {
    Fd held(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int yes = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    A2H_CHECK(held && ::setsockopt(held.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0);
    A2H_CHECK(::bind(held.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return held;
}

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
    constexpr std::chrono::milliseconds kPauseMax(40);
    const auto deadline = steady_clock::now() + kSlowdown * timeout;
    for (std::chrono::milliseconds pause(2); !condition(); pause = std::min(2 * pause, kPauseMax)) {
        if (steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(pause);
    }
    return true;
}

}  // namespace a2h::test
