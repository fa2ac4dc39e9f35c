#include "cli/waiting.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "core/control/progress_file.h"

namespace a2h::cli {
namespace {

constexpr std::chrono::milliseconds kProgressReadEvery{100};

ProgressBar::Label label_in(i18n::Language language) {
    return [language](std::string_view what) {
        // A newer a2hd may do work for which this program has no text.
        const bool is_known = i18n::has_key(language, what);
        return i18n::text(language, is_known ? what : "progress.working");
    };
}

void watch(const std::stop_token& stop, ProgressBar& bar, const std::filesystem::path& file,
           const std::string& otherwise) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    while (!stop.stop_requested()) {
        if (const auto step = control::read_progress(file)) {
            bar.show(step->what, step->done, step->total);
        } else if (!otherwise.empty()) {
            bar.show(otherwise, 0, 0);
        } else {
            bar.end();
        }
        std::unique_lock lock(mutex);
        stopped.wait_for(lock, stop, kProgressReadEvery, [] { return false; });
    }
}

}  // namespace

ProgressBar progress_bar(const Invocation& invocation) {
    return ProgressBar(stderr, label_in(invocation.language));
}

Waiting::Waiting(const Invocation& invocation, std::string_view otherwise)
    : bar_(progress_bar(invocation)) {
    if (!bar_.is_seen()) return;
    thread_ =
        std::jthread([this, file = invocation.home.progress_file(), what = std::string(otherwise)](
                         const std::stop_token& stop) { watch(stop, bar_, file, what); });
}

}  // namespace a2h::cli
