// The server that the conformance program tests, on stdin and stdout.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "mcp/framing.h"
#include "mcp/input.h"
#include "mcp/output.h"
#include "tests/integration/mcp_conformance/fixture.h"

int main() {
    ::signal(SIGPIPE, SIG_IGN);
    a2h::mcp::Output output(STDOUT_FILENO);
    a2h::test::Fixture fixture([&](std::string line) { output.write(std::move(line)); });
    a2h::mcp::LineInput input(STDIN_FILENO, STDOUT_FILENO, a2h::mcp::kLineBytesMax,
                              [&](const std::vector<a2h::mcp::InputLine>& lines) {
                                  for (const a2h::mcp::InputLine& line : lines)
                                      fixture.take_line(line);
                              });
    fixture.read_to_end([&] { return input.read_some(); });
    output.flush(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    ::_exit(0);
}
