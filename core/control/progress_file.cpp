#include "core/control/progress_file.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

namespace a2h::control {
namespace {

/// The whole line is always written and read, so that lines are never mixed.
constexpr std::size_t kLineBytes = 128;
constexpr std::size_t kKeyBytesMax = 40;
constexpr std::chrono::milliseconds kWriteEvery{50};

bool is_alive(pid_t process) {
    return ::kill(process, 0) == 0 || errno == EPERM;
}

}  // namespace

ProgressFile::~ProgressFile() {
    end();
}

void ProgressFile::show(std::string_view what, std::uint64_t done, std::uint64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (what == what_ && now - written_at_ < kWriteEvery) return;
    what_ = what.substr(0, kKeyBytesMax);
    written_at_ = now;
    write(what_ + " " + std::to_string(done) + " " + std::to_string(total) + " " +
          std::to_string(::getpid()));
}

void ProgressFile::end() {
    if (what_.empty()) return;
    what_.clear();
    write("");
}

void ProgressFile::write(const std::string& line) {
    if (!fd_) fd_.reset(::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    std::string all = line.substr(0, kLineBytes - 1);
    all.resize(kLineBytes - 1, ' ');
    all += '\n';
    // A failure is ignored; see the header.
    [[maybe_unused]] const ssize_t ignored = ::pwrite(fd_.get(), all.data(), all.size(), 0);
}

std::optional<ProgressStep> read_progress(const std::filesystem::path& file) {
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    std::string line(kLineBytes, '\0');
    if (!fd || ::pread(fd.get(), line.data(), line.size(), 0) != kLineBytes) return std::nullopt;
    std::istringstream words(line);
    ProgressStep step;
    pid_t process = 0;
    if (!(words >> step.what >> step.done >> step.total >> process)) return std::nullopt;
    if (process <= 0 || !is_alive(process)) return std::nullopt;
    return step;
}

}  // namespace a2h::control
