#include "cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>

#include "core/base/fd.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

constexpr std::size_t kSecretBytesMax = 1024;

struct CodePoint {
    std::string_view bytes;
    utf8proc_int32_t value;
    std::size_t width;
};

/// Removes the first code point from `rest`. A byte that is not UTF-8 counts as one column.
CodePoint take(std::string_view& rest) {
    utf8proc_int32_t value = -1;
    const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(rest.data());
    const auto length = utf8proc_iterate(
        data, static_cast<utf8proc_ssize_t>(std::min<std::size_t>(rest.size(), 4)), &value);
    const std::size_t size = length < 1 ? 1 : static_cast<std::size_t>(length);
    const int width = length < 1 ? 1 : utf8proc_charwidth(value);
    const CodePoint point{rest.substr(0, size), value, static_cast<std::size_t>(width)};
    rest.remove_prefix(size);
    return point;
}

std::atomic<int> interrupted{0};

/// The terminal without echo; Ctrl-C is caught until echo is restored. It arrives only in
/// `can_read`, because a signal between the prompt and the waiting would go unnoticed.
class SilentTerminal {
  public:
    explicit SilentTerminal(int fd) : fd_(fd) {
        interrupted = 0;
        sigset_t caught;
        ::sigemptyset(&caught);
        for (const int number : kSignals)
            ::sigaddset(&caught, number);
        ::pthread_sigmask(SIG_BLOCK, &caught, &mask_);
        struct sigaction catching {};
        catching.sa_handler = [](int number) { interrupted = number; };
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            ::sigaction(kSignals[i], &catching, &before_[i]);
        }
        ::tcgetattr(fd_, &settings_);
        termios silent = settings_;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(fd_, TCSAFLUSH, &silent);
    }
    ~SilentTerminal() {
        ::tcsetattr(fd_, TCSAFLUSH, &settings_);
        for (std::size_t i = 0; i < kSignals.size(); ++i) {
            ::sigaction(kSignals[i], &before_[i], nullptr);
        }
        ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
        if (interrupted != 0) ::raise(interrupted);
    }
    /// Waits until something was typed; false if Ctrl-C came first.
    bool can_read() const {
        pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
        return ::ppoll(&waiting, 1, nullptr, &mask_) > 0;
    }
    SilentTerminal(const SilentTerminal&) = delete;
    SilentTerminal& operator=(const SilentTerminal&) = delete;

  private:
    static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
    int fd_;
    termios settings_{};
    sigset_t mask_{};
    std::array<struct sigaction, 3> before_{};
};

/// `can_read` waits for each byte.
template <typename CanRead>
Result<std::string> read_line(int fd, CanRead can_read) {
    std::string line;
    char byte = 0;
    while (true) {
        const ssize_t got = can_read() ? ::read(fd, &byte, 1) : 0;
        if (got <= 0 && line.empty())
            return fail(ErrorCode::InvalidArgument, "nothing was entered");
        if (got <= 0 || byte == '\n' || line.size() == kSecretBytesMax) break;
        line += byte;
    }
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

std::string padded(std::string_view text, std::size_t columns) {
    std::string out(text);
    out.append(columns - std::min(columns, display_width(text)), ' ');
    return out;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    while (!text.empty())
        width += take(text).width;
    return width;
}

std::string fit(std::string_view text, std::size_t columns) {
    if (display_width(text) <= columns) return std::string(text);
    std::string out;
    std::size_t used = 1;
    while (!text.empty()) {
        const CodePoint point = take(text);
        if (used + point.width > columns) break;
        out += point.bytes;
        used += point.width;
    }
    return out + "…";
}

namespace {

/// Breaks one line of a text; see `wrap`.
std::string wrap_line(std::string_view text, std::size_t columns, std::size_t indent,
                      std::size_t hang) {
    const std::size_t own = std::min(text.find_first_not_of(' '), std::size_t{20});
    std::string out;
    std::string line(indent, ' ');
    std::string word;  // must not be broken
    std::size_t margin = indent;
    const std::size_t next_margin = indent + (hang == 0 ? 0 : own + hang);
    const auto room_after = [&](std::size_t from) {
        return columns > from + 20 ? columns - from : 20;
    };
    const std::size_t word_max = room_after(next_margin);
    const auto flush_word = [&] {
        const bool is_begun = line.size() > margin;
        if (is_begun && display_width(line) - margin + display_width(word) > room_after(margin)) {
            if (line.ends_with(' ')) line.pop_back();
            out += line + "\n";
            margin = next_margin;
            line.assign(margin, ' ');
        }
        line += word;
        word.clear();
    };
    for (std::string_view rest = text; !rest.empty();) {
        const CodePoint point = take(rest);
        if (point.width == 2) flush_word();
        word += point.bytes;
        if (point.width == 2 || point.value == ' ' || display_width(word) >= word_max) flush_word();
    }
    flush_word();
    return out + line + "\n";
}

}  // namespace

std::string with_hang(std::string_view text) {
    std::string lines;
    for (const char c : text) {
        lines += c;
        if (c == '\n') lines.append(kHang, ' ');
    }
    return lines;
}

std::string wrap(std::string_view text, std::size_t columns, std::size_t indent, std::size_t hang) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out += wrap_line(text.substr(0, end), columns, indent, hang);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

std::string table(const std::vector<std::string>& headings,
                  const std::vector<std::vector<std::string>>& rows, std::size_t columns) {
    if (rows.empty()) return {};
    std::vector<std::vector<std::string>> lines = {headings};
    for (const auto& row : rows) {
        auto& line = lines.emplace_back();
        for (const auto& cell : row) {
            std::string one_line = printable(cell);
            std::replace(one_line.begin(), one_line.end(), '\n', ' ');
            line.push_back(std::move(one_line));
        }
    }
    std::vector<std::size_t> widths(headings.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths[i], display_width(line[i]));
        }
    }
    std::string out;
    for (const auto& line : lines) {
        std::size_t used = 0;
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
            out += padded(line[i], widths[i]) + "  ";
            used += widths[i] + 2;
        }
        out += fit(line.back(), columns > used + 10 ? columns - used : 10) + "\n";
    }
    return out;
}

std::size_t terminal_columns() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
    return 80;
}

Colours colours_for(std::FILE* stream) {
    const char* terminal = std::getenv("TERM");
    const char* refused = std::getenv("NO_COLOR");
    const bool wanted = ::isatty(::fileno(stream)) != 0 && terminal != nullptr &&
                        std::string_view(terminal) != "dumb" &&
                        (refused == nullptr || *refused == '\0');
    if (!wanted) return {};
    return {"\033[1m", "\033[2m", "\033[32m", "\033[33m", "\033[31m", "\033[36m", "\033[0m"};
}

bool has_terminal() {
    return static_cast<bool>(Fd(::open("/dev/tty", O_RDWR | O_CLOEXEC)));
}

Result<std::string> ask_secret(std::string_view prompt) {
    const Fd fd(::open("/dev/tty", O_RDWR | O_CLOEXEC));
    if (!fd) return fail(ErrorCode::Unavailable, "there is no terminal to ask on");
    const SilentTerminal silent(fd.get());
    const bool asked = ::write(fd.get(), prompt.data(), prompt.size()) >= 0;
    auto line = asked ? read_line(fd.get(), [&] { return silent.can_read(); })
                      : Result<std::string>(std::string());
    if (::write(fd.get(), "\n", 1) < 0) return fail(ErrorCode::Unavailable, "the terminal is gone");
    return line;
}

Result<std::string> ask_line(std::string_view prompt) {
    const Fd fd(::open("/dev/tty", O_RDWR | O_CLOEXEC));
    if (!fd) return fail(ErrorCode::Unavailable, "there is no terminal to ask on");
    const bool asked = ::write(fd.get(), prompt.data(), prompt.size()) >= 0;
    return asked ? read_line(fd.get(), [] { return true; }) : Result<std::string>(std::string());
}

Result<std::string> read_stdin_line() {
    return read_line(STDIN_FILENO, [] { return true; });
}

}  // namespace a2h::cli
