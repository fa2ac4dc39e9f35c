#include "core/control/change_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <new>
#include <string>

#include "core/control/socket_io.h"

namespace a2h::control {
namespace {

constexpr std::uint64_t kPageKind = 0x3130'6567'6e61'6863;  // "chang01" with the version

/// The machine's monotonic clock, which is the same for all processes and not affected by setting
/// the time.
std::int64_t monotonic_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000LL + now.tv_nsec / 1'000'000;
}

}  // namespace

struct ChangePage::Page {
    std::uint64_t kind = kPageKind;
    std::atomic<std::uint64_t> count{0};
    std::atomic<std::int64_t> beat_ms{0};  ///< 0: the writer has ended
};

Result<std::unique_ptr<ChangePage>> ChangePage::create(const std::filesystem::path& file) {
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
    const std::string fresh = file.string() + ".new";
    ::unlink(fresh.c_str());
    const Fd fd(::open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    void* memory = MAP_FAILED;
    // Allocated, not only extended: on a full disk the first write to a hole would end the process.
    if (fd.get() >= 0 && ::posix_fallocate(fd.get(), 0, sizeof(Page)) == 0) {
        memory = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    }
    if (memory == MAP_FAILED) {
        return fail(ErrorCode::Unavailable, "cannot create " + file.string());
    }
    std::unique_ptr<ChangePage> page(new ChangePage(new (memory) Page));
    page->beat();
    if (::rename(fresh.c_str(), file.c_str()) != 0) {
        return fail(ErrorCode::Unavailable, "cannot create " + file.string());
    }
    return page;
}

ChangePage::~ChangePage() {
    page_->beat_ms = 0;
    ::munmap(page_, sizeof(Page));
}

void ChangePage::note_change() {
    page_->count.fetch_add(1);
}

void ChangePage::beat() {
    note_change();
    page_->beat_ms = monotonic_ms();
}

Result<std::unique_ptr<ChangeWatch>> ChangeWatch::open(const std::filesystem::path& file) {
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (fd.get() < 0 || ::fstat(fd.get(), &status) != 0) {
        return fail(ErrorCode::NotFound, "there is no " + file.string());
    }
    const auto unknown = fail(ErrorCode::Unsupported, file.string() + " has another version");
    if (status.st_size < static_cast<off_t>(sizeof(ChangePage::Page))) return unknown;
    void* memory = ::mmap(nullptr, sizeof(ChangePage::Page), PROT_READ, MAP_SHARED, fd.get(), 0);
    if (memory == MAP_FAILED) return fail(ErrorCode::NotFound, "cannot read " + file.string());
    std::unique_ptr<ChangeWatch> watch(
        new ChangeWatch(static_cast<const ChangePage::Page*>(memory)));
    if (watch->page_->kind != kPageKind) return unknown;
    return watch;
}

ChangeWatch::~ChangeWatch() {
    ::munmap(const_cast<ChangePage::Page*>(page_), sizeof(ChangePage::Page));
}

std::optional<std::uint64_t> ChangeWatch::count() const {
    const std::int64_t beat_ms = page_->beat_ms;
    if (beat_ms == 0 || monotonic_ms() - beat_ms > ChangePage::kBeatMs * 5 / 2) {
        return std::nullopt;
    }
    return page_->count.load();
}

}  // namespace a2h::control
