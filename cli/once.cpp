#include "cli/once.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/fd.h"
#include "core/base/text.h"
#include "core/control/client.h"

namespace a2h::cli {
namespace {

constexpr std::size_t kAnswerBytesMax = 16 * 1024 * 1024;
constexpr std::string_view kDoctorAction = "doctor.run";
constexpr int kStatusHomeTaken = 3;  // exit status of a2hd, see daemon/app/once.h

Unexpected once_failed(std::string_view what) {
    return fail(ErrorCode::Unavailable, std::string(what) + ": " + std::strerror(errno));
}

Result<Fd> file_of(std::string_view text) {
    Fd file(::memfd_create("params", MFD_CLOEXEC));
    if (!file) return once_failed("memfd_create");
    while (!text.empty()) {
        const ssize_t written = ::write(file.get(), text.data(), text.size());
        if (written <= 0) return once_failed("write");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::lseek(file.get(), 0, SEEK_SET) != 0) return once_failed("lseek");
    return file;
}

/// Between fork and exec: only system calls.
[[noreturn]] void become_once(const char* const* argv, int input, int output, int log) {
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::close_range(3, ~0U, 0);
    ::execv(argv[0], const_cast<char* const*>(argv));
    ::_exit(127);
}

/// The log of an a2hd that was not started by hand; none if there is no home yet.
Fd open_log(const control::Home& home, std::string_view action) {
    const int makes = action == kDoctorAction ? 0 : O_CREAT;  // the doctor creates nothing
    Fd log(::open(home.log_file().c_str(), O_WRONLY | makes | O_APPEND | O_CLOEXEC, 0600));
    if (log) return log;
    return Fd(::open("/dev/null", O_WRONLY | O_CLOEXEC));
}

Result<std::string> read_to_end(const Fd& from) {
    std::string text;
    char buffer[64 * 1024];
    while (text.size() <= kAnswerBytesMax) {
        const ssize_t got = ::read(from.get(), buffer, sizeof buffer);
        if (got == 0) return text;
        if (got < 0 && errno != EINTR) return once_failed("read");
        if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    }
    return fail(ErrorCode::Unavailable, "the answer is too long");
}

int status_of(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<OnceAnswer> run_once(const Invocation& invocation, std::string_view action,
                            std::string_view params_json) {
    const auto program = control::find_program("a2hd");
    if (program.empty()) return fail(ErrorCode::NotFound, "the program a2hd was not found");
    A2H_ASSIGN_OR_RETURN(const auto params, file_of(params_json));
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return once_failed("pipe");
    const Fd answer(ends[0]);
    Fd output(ends[1]);
    const Fd log = open_log(invocation.home, action);
    const std::string name(action);
    const char* const argv[] = {program.c_str(), "--home",     invocation.home.root.c_str(),
                                "--once",        name.c_str(), "-",
                                nullptr};
    const pid_t child = ::fork();
    if (child < 0) return once_failed("fork");
    if (child == 0) become_once(argv, params.get(), output.get(), log.get());
    output = Fd();
    const auto text = read_to_end(answer);
    if (!text) ::kill(child, SIGKILL);  // it may be waiting for a reader
    const int status = status_of(child);
    if (!text) return fail(text.error());
    if (trim(*text).empty()) {
        return fail(ErrorCode::Unavailable, "a2hd ended with status " + std::to_string(status));
    }
    return OnceAnswer{std::string(trim(*text)), status == kStatusHomeTaken};
}

}  // namespace a2h::cli
