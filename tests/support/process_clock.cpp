#include "tests/support/process_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ctime>
#include <new>

#include "core/base/check.h"
#include "tests/support/process.h"

namespace a2h::test {
namespace {

std::int64_t machine_ns(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

ProcessClock::ProcessClock(const std::filesystem::path& file) : file_(file) {
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    A2H_CHECK(fd >= 0 && ::ftruncate(fd, sizeof(ClockPage)) == 0);
    void* memory = ::mmap(nullptr, sizeof(ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ::close(fd);
    A2H_CHECK(memory != MAP_FAILED);
    page_ = new (memory) ClockPage{};
    begun_ns_ = machine_ns(CLOCK_MONOTONIC);
    page_->real_ns = begun_ns_;
    page_->steady_ns = begun_ns_;
    page_->wall_ns = machine_ns(CLOCK_REALTIME);
    page_->rate = 1;
}

ProcessClock::~ProcessClock() {
    ::munmap(page_, sizeof(ClockPage));
}

std::map<std::string, std::string> ProcessClock::environment() const {
    auto chosen = preloading(A2H_CLOCK_LIBRARY);
    chosen["A2H_TEST_CLOCK"] = file_.string();
    return chosen;
}

void ProcessClock::run_at(int rate) {
    write(0, rate);
}

void ProcessClock::jump(std::chrono::seconds by) {
    write(std::chrono::nanoseconds(by).count(), reading().rate);
}

UnixMs ProcessClock::now_ms() const {
    return reading().wall_ns / 1'000'000;
}

std::chrono::milliseconds ProcessClock::elapsed() const {
    return std::chrono::milliseconds((reading().steady_ns - begun_ns_) / 1'000'000);
}

ClockReading ProcessClock::reading() const {
    return read_clock(*page_, machine_ns(CLOCK_MONOTONIC));
}

void ProcessClock::write(std::int64_t wall_step_ns, std::int64_t rate) {
    const std::int64_t real_ns = machine_ns(CLOCK_MONOTONIC);
    const ClockReading now = read_clock(*page_, real_ns);
    ++page_->version;
    page_->real_ns = real_ns;
    page_->steady_ns = now.steady_ns;
    page_->wall_ns = now.wall_ns + wall_step_ns;
    page_->rate = rate;
    ++page_->version;
}

}  // namespace a2h::test
