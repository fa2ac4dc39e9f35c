#include "core/base/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace a2h {
namespace {

constexpr std::chrono::milliseconds kDrawEvery{80};
constexpr std::size_t kBarCells = 24;
/// A long label, a bar and a number need this many columns; a narrower terminal shows no bar.
constexpr int kColumnsForBar = 72;

bool draws_on(std::FILE* stream) {
    const char* term = std::getenv("TERM");
    return ::isatty(::fileno(stream)) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

int columns_of(std::FILE* stream) {
    winsize size{};
    const bool is_known = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known ? size.ws_col : 80;
}

/// Shows nothing.
class Silence : public Progress {
  public:
    void show(std::string_view, std::uint64_t, std::uint64_t) override {}
    void end() override {}
};

}  // namespace

Progress& no_progress() {
    static Silence silence;  // has no state
    return silence;
}

ProgressBar::ProgressBar(std::FILE* stream, Label label, std::chrono::milliseconds quiet)
    : stream_(stream), label_(std::move(label)), quiet_(quiet), is_terminal_(draws_on(stream)) {}

ProgressBar::~ProgressBar() {
    end();
}

void ProgressBar::show(std::string_view what, std::uint64_t done, std::uint64_t total) {
    if (!is_terminal_) return;
    const Time now = std::chrono::steady_clock::now();
    if (begun_ == Time{}) begun_ = now;
    if (now - begun_ < quiet_ || (!drawn_.empty() && now - drawn_at_ < kDrawEvery)) return;
    std::string text = line(what, done, total);
    drawn_at_ = now;
    if (text == drawn_) return;
    drawn_ = std::move(text);
    // Returns to the beginning of the line, and erases what follows the new text.
    std::fputs(("\r" + drawn_ + "\x1b[K").c_str(), stream_);
    std::fflush(stream_);
}

void ProgressBar::end() {
    begun_ = {};
    if (drawn_.empty()) return;
    drawn_.clear();
    std::fputs("\r\x1b[K", stream_);
    std::fflush(stream_);
}

std::string ProgressBar::line(std::string_view what, std::uint64_t done,
                              std::uint64_t total) const {
    std::string text = label_(what);
    if (total == 0) return text + (done == 0 ? " …" : " … " + std::to_string(done));
    const double share = static_cast<double>(std::min(done, total)) / static_cast<double>(total);
    if (columns_of(stream_) >= kColumnsForBar) {
        const auto full = static_cast<std::size_t>(share * kBarCells);
        text += "  [" + std::string(full, '#') + std::string(kBarCells - full, '.') + "]";
    }
    return text + "  " + std::to_string(static_cast<int>(share * 100)) + " %";
}

}  // namespace a2h
