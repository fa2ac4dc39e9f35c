#include "tests/support/terminal.h"

#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/check.h"

namespace a2h::test {
namespace {

/// Starts the program; returns its id and the other end of its terminal.
std::pair<pid_t, int> start(std::vector<std::string>& arguments,
                            const std::map<std::string, std::string>& environment) {
    std::vector<char*> argv;
    for (auto& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    int terminal = -1;
    const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    A2H_CHECK(pid >= 0);
    if (pid == 0) {
        for (const auto& [name, value] : environment)
            ::setenv(name.c_str(), value.c_str(), 1);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    return {pid, terminal};
}

}  // namespace

RanOnTerminal run_on_terminal(std::vector<std::string> argv,
                              const std::map<std::string, std::string>& environment,
                              const Dialogue& dialogue) {
    const auto [pid, terminal] = start(argv, environment);
    RanOnTerminal ran;
    std::size_t seen = 0;
    auto turn = dialogue.begin();
    char chunk[1024];
    for (ssize_t got = 0; (got = ::read(terminal, chunk, sizeof chunk)) > 0;) {
        ran.shown.append(chunk, static_cast<std::size_t>(got));
        if (turn == dialogue.end()) continue;
        const auto found = ran.shown.find(turn->first, seen);
        if (found == std::string::npos) continue;
        seen = found + turn->first.size();
        A2H_CHECK(::write(terminal, turn->second.data(), turn->second.size()) > 0);
        ++turn;
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    ::close(terminal);
    if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
    return ran;
}

}  // namespace a2h::test
