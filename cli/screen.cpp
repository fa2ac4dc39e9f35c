#include "cli/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace a2h::cli {
namespace {

constexpr std::string_view kEnter = "\033[?1049h\033[?25l";
constexpr std::string_view kLeave = "\033[?25h\033[?1049l";

/// Signals are blocked except while `wait` polls, so nothing else is interrupted.
volatile std::sig_atomic_t g_quit = 0;
volatile std::sig_atomic_t g_resized = 0;

void note_signal(int number) {
    if (number == SIGWINCH) {
        g_resized = 1;
    } else {
        g_quit = 1;
    }
}

/// A terminal that accepts no output has gone, which `wait` notices.
void put(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

Screen::Screen() {
    g_quit = 0;
    g_resized = 0;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int number : kSignals)
        sigaddset(&blocked, number);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &mask_);
    struct sigaction action {};
    action.sa_handler = note_signal;
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        ::sigaction(kSignals[i], &action, &actions_[i]);
    has_settings_ = ::tcgetattr(STDIN_FILENO, &settings_) == 0;
    if (has_settings_) {
        termios keys = settings_;
        keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
        ::tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    }
    put(kEnter);
}

Screen::~Screen() {
    put(kLeave);
    if (has_settings_) ::tcsetattr(STDIN_FILENO, TCSANOW, &settings_);
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        ::sigaction(kSignals[i], &actions_[i], nullptr);
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

ScreenSize Screen::size() const {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return {};
    return {size.ws_col, size.ws_row};
}

/// Overwrites each line. A line is erased before it is written, because after a line that fills its
/// row the cursor is still on its last character; and there is no line break after the last row,
/// because it would scroll the screen.
void Screen::draw(const std::string& frame) const {
    std::string out = "\033[H";
    std::string_view rest = frame;
    std::size_t rows = 0;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        if (rows++ > 0) out += "\r\n";
        out += "\033[K";
        out += rest.substr(0, end);
        rest.remove_prefix(end + 1);
    }
    if (rows < size().rows) out += "\r\n\033[J";
    put(out);
}

Screen::Wake Screen::wait(std::chrono::milliseconds time) const {
    const timespec limit{time.count() / 1000, static_cast<long>(time.count() % 1000 * 1'000'000)};
    pollfd input{has_settings_ ? STDIN_FILENO : -1, POLLIN, 0};
    const int ready = ::ppoll(&input, 1, &limit, &mask_);
    if (g_quit != 0) return Wake::Quit;
    if (g_resized != 0) {
        g_resized = 0;
        return Wake::Resized;
    }
    if (ready <= 0) return Wake::Time;
    char key = 0;
    const bool has_ended = ::read(STDIN_FILENO, &key, 1) <= 0;
    return has_ended || key == 'q' || key == 'Q' ? Wake::Quit : Wake::Resized;
}

}  // namespace a2h::cli
