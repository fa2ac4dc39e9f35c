#include <doctest/doctest.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "core/base/progress_bar.h"
#include "core/control/progress_file.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace std::chrono_literals;

namespace {

std::string label(std::string_view what) {
    return "<" + std::string(what) + ">";
}

/// A terminal of `columns`, and what was written to it.
class Terminal {
  public:
    explicit Terminal(unsigned short columns) {
        const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
        int slave = -1;
        REQUIRE(::openpty(&master_, &slave, nullptr, nullptr, &size) == 0);
        ::fcntl(master_, F_SETFL, O_NONBLOCK);
        stream_ = ::fdopen(slave, "w");
        ::setenv("TERM", "xterm", 1);
    }
    ~Terminal() {
        std::fclose(stream_);
        ::close(master_);
    }
    std::FILE* stream() { return stream_; }
    std::string seen() {
        char bytes[4096];
        const ssize_t size = ::read(master_, bytes, sizeof bytes);
        return size > 0 ? std::string(bytes, static_cast<std::size_t>(size)) : std::string();
    }

  private:
    int master_ = -1;
    std::FILE* stream_ = nullptr;
};

}  // namespace

TEST_CASE("a terminal shows a bar, which is gone at the end") {
    Terminal terminal(80);
    ProgressBar bar(terminal.stream(), label, 0ms);
    bar.show("a", 1, 4);
    CHECK(terminal.seen() == "\r<a>  [######..................]  25 %\x1b[K");
    bar.end();
    CHECK(terminal.seen() == "\r\x1b[K");
    bar.end();
    CHECK(terminal.seen().empty());
    bar.show("b", 0, 0);
    CHECK(terminal.seen() == "\r<b> …\x1b[K");
}

TEST_CASE("a narrow terminal shows the number alone") {
    Terminal terminal(40);
    ProgressBar bar(terminal.stream(), label, 0ms);
    bar.show("a", 9, 4);
    CHECK(terminal.seen() == "\r<a>  100 %\x1b[K");
}

TEST_CASE("short work shows no progress") {
    Terminal terminal(80);
    {
        ProgressBar bar(terminal.stream(), label, 1h);
        bar.show("a", 1, 4);
    }
    CHECK(terminal.seen().empty());
}

TEST_CASE("a pipe and a dumb terminal get nothing") {
    int ends[2];
    REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
    std::FILE* pipe = ::fdopen(ends[1], "w");
    {
        ProgressBar bar(pipe, label, 0ms);
        CHECK_FALSE(bar.is_seen());
        bar.show("a", 1, 4);
    }
    char byte = 0;
    CHECK(::read(ends[0], &byte, 1) == -1);
    std::fclose(pipe);
    ::close(ends[0]);
    Terminal terminal(80);
    ::setenv("TERM", "dumb", 1);
    ProgressBar bar(terminal.stream(), label, 0ms);
    bar.show("a", 1, 4);
    CHECK(terminal.seen().empty());
}

TEST_CASE("another process reads how far it is, until it is over") {
    const test::TempDir dir;
    const auto path = dir.path() / "progress";
    CHECK_FALSE(control::read_progress(path));
    control::ProgressFile file(path);
    file.show("progress.backup", 3, 7);
    const auto step = control::read_progress(path);
    REQUIRE(step);
    CHECK(step->what == "progress.backup");
    CHECK(step->done == 3);
    CHECK(step->total == 7);
    file.show("progress.index", 1, 0);
    CHECK(control::read_progress(path)->what == "progress.index");
    file.end();
    CHECK_FALSE(control::read_progress(path));
}

TEST_CASE("progress of a process that has ended is not shown") {
    const test::TempDir dir;
    const auto path = dir.path() / "progress";
    const pid_t child = ::fork();
    if (child == 0) {
        control::ProgressFile file(path);
        file.show("progress.backup", 3, 7);
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    CHECK_FALSE(control::read_progress(path));
    std::ofstream(path) << "nonsense";
    CHECK_FALSE(control::read_progress(path));
}

TEST_CASE("the work goes on where nothing can be written") {
    control::ProgressFile file("/nonexistent/progress");
    file.show("a", 1, 2);
    CHECK_FALSE(control::read_progress("/nonexistent/progress"));
}
