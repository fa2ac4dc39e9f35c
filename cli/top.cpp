#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <thread>

#include "cli/daemon_call.h"
#include "cli/number.h"
#include "cli/rows.h"
#include "cli/screen.h"
#include "cli/top_frame.h"
#include "core/base/clock.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// If an answer takes longer, a2hd hangs.
constexpr std::chrono::seconds kTopTimeout{5};
constexpr std::int64_t kIntervalSeconds = 2;
constexpr std::int64_t kIntervalSecondsMax = 3'600;
constexpr int kTopLogLines = 100;

/// The result of one reading: for people, and unchanged.
struct Snapshot {
    TopReading reading;
    json data;
};

std::variant<Snapshot, Failure> take_snapshot(control::Client& client,
                                              const Invocation& invocation) {
    json data = json::object();
    const std::pair<const char*, json> kCalls[] = {{"metrics", json::object()},
                                                   {"status", json::object()},
                                                   {"logs", {{"limit", kTopLogLines}}}};
    for (const auto& [action, params] : kCalls) {
        Outcome outcome = call(client, invocation, action, params, nothing_to_show, kTopTimeout);
        if (auto* failed = std::get_if<Failure>(&outcome)) return std::move(*failed);
        data[action] = data_of(outcome);
    }
    TopReading reading =
        read_top(invocation, SystemClock().now_ms(), data["metrics"], data["status"], data["logs"]);
    data["metrics"].erase("text");  // the same data as `series`
    return Snapshot{std::move(reading), std::move(data)};
}

bool fills_screen(const Invocation& invocation) {
    const char* terminal = std::getenv("TERM");
    return !invocation.json && !invocation.has("--once") && ::isatty(STDOUT_FILENO) != 0 &&
           terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// The outcome after a reading failed: no error if a2hd has just ended.
Outcome ended(const Invocation& invocation, Failure failed, bool has_snapshot) {
    if (!has_snapshot || failed.code != to_string(ErrorCode::Unavailable)) return failed;
    return Report{.envelope = {}, .text = invocation.json ? "" : invocation.text("watch.ended")};
}

Outcome show_live(control::Client& client, const Invocation& invocation,
                  std::chrono::seconds interval) {
    const Colours colours = colours_for(stdout);
    std::optional<TopReading> before;
    const auto failed = [&]() -> std::optional<Failure> {
        const Screen screen;
        while (true) {
            auto now = take_snapshot(client, invocation);
            if (auto* wrong = std::get_if<Failure>(&now)) return std::move(*wrong);
            TopReading& reading = std::get<Snapshot>(now).reading;
            Screen::Wake wake = Screen::Wake::Resized;
            while (wake == Screen::Wake::Resized) {
                screen.draw(top_frame(invocation, reading, before ? &*before : nullptr,
                                      screen.size(), colours));
                wake = screen.wait(interval);
            }
            if (wake == Screen::Wake::Quit) return std::nullopt;
            before = std::move(reading);
        }
    }();
    return failed ? ended(invocation, *failed, before.has_value()) : Report{};
}

/// Frame by frame, without escape codes.
Outcome show_frames(control::Client& client, const Invocation& invocation,
                    std::chrono::seconds interval) {
    std::optional<TopReading> before;
    while (true) {
        auto now = take_snapshot(client, invocation);
        if (auto* wrong = std::get_if<Failure>(&now))
            return ended(invocation, std::move(*wrong), before.has_value());
        Snapshot& seen = std::get<Snapshot>(now);
        const ScreenSize size{terminal_columns(), ScreenSize{}.rows};
        const Outcome frame =
            report("top", seen.data,
                   top_frame(invocation, seen.reading, before ? &*before : nullptr, size, {}));
        if (invocation.has("--once")) return frame;
        if (print(frame, "top", invocation.json) != kDone)
            return Report{};  // nobody reads the output any more
        before = std::move(seen.reading);
        std::this_thread::sleep_for(interval);
    }
}

Outcome run_top(const Invocation& invocation) {
    std::chrono::seconds interval(kIntervalSeconds);
    if (invocation.has("--interval")) {
        const auto seconds = number_of(invocation, "--interval");
        if (const auto* wrong = std::get_if<Failure>(&seconds)) return *wrong;
        interval = std::chrono::seconds(std::min(std::get<0>(seconds), kIntervalSecondsMax));
    }
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    return fills_screen(invocation) ? show_live(client, invocation, interval)
                                    : show_frames(client, invocation, interval);
}

}  // namespace

std::vector<Command> top_rows() {
    using enum ParameterKind;
    return {
        {"top",
         "top",
         "cli.top",
         {{"--once", Flag, "cli.option_once"},
          {"--interval", Value, "cli.option_interval", "SECONDS"}},
         run_top},
    };
}

}  // namespace a2h::cli
