#include "daemon/health/watchdog.h"

#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "core/systemd/notify.h"

namespace a2h::health {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCheckInterval{1'000};
/// Checks per watchdog period; one late check is tolerated.
constexpr int kChecksPerPeriod = 4;

std::int64_t steady_ticks() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

milliseconds check_interval(std::chrono::microseconds period) {
    const auto share = std::chrono::duration_cast<milliseconds>(period / kChecksPerPeriod);
    return std::clamp(share, milliseconds(1), kCheckInterval);
}

}  // namespace

StepMark::Stay::Stay(StepMark& mark) : mark_(mark) {
    if (mark_.inside_ == 0) mark_.since_ = steady_ticks();
    ++mark_.inside_;
}

/// A thread that leaves the step proves progress, so the time starts again for those still inside.
StepMark::Stay::~Stay() {
    mark_.since_ = steady_ticks();
    --mark_.inside_;
}

std::optional<SteadyTime> StepMark::since() const {
    if (inside_ == 0) return std::nullopt;
    return SteadyTime(SteadyTime::duration(since_));
}

Watchdog::Watchdog(Environment environment, std::chrono::microseconds period,
                   std::vector<Watched> steps)
    : environment_(std::move(environment)),
      interval_(check_interval(period)),
      limit_(period / 2),
      steps_(std::move(steps)) {}

void Watchdog::start() {
    check();
}

void Watchdog::check() {
    const auto stuck = stuck_step();
    if (!stuck) {
        environment_.feed();
    } else if (!is_stuck_) {
        log::error("A step is stuck; withholding the watchdog ping", {{"step", *stuck}});
    }
    is_stuck_ = stuck.has_value();
    environment_.call_after(interval_, [this] { check(); });
}

std::optional<std::string_view> Watchdog::stuck_step() const {
    const SteadyTime now = environment_.now();
    for (const Watched& step : steps_) {
        const auto since = step.since();
        if (since && now - *since > limit_ + step.network_wait) return step.name;
    }
    return std::nullopt;
}

std::unique_ptr<Watchdog> start_watchdog(Loop& loop, const HangFault& hang,
                                         std::vector<Watched> steps) {
    const auto period = systemd::watchdog_period();
    if (!period) return nullptr;
    auto watchdog = std::make_unique<Watchdog>(
        Watchdog::Environment{
            .call_after =
                [&loop, &hang](std::chrono::milliseconds delay, std::function<void()> check) {
                    loop.call_after(delay, [&hang, check = std::move(check)] {
                        hang.pass("loop");
                        check();
                    });
                },
            .now = std::chrono::steady_clock::now,
            .feed = systemd::notify_watchdog},
        *period, std::move(steps));
    watchdog->start();
    return watchdog;
}

}  // namespace a2h::health
