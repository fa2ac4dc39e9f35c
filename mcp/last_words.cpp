#include "mcp/last_words.h"

#include <algorithm>
#include <chrono>

namespace a2h::mcp {
namespace {

using std::chrono::steady_clock;

/// How often it is checked whether anybody reads the answers.
constexpr std::chrono::milliseconds kReaderCheckInterval(100);

enum class Waited { ToTheEnd, TooLong, ForNobody };

/// Repeats `wait`, which returns whether it has succeeded until the time that it is given.
template <typename Wait>
Waited wait_in_parts(Output& output, steady_clock::time_point deadline, const Wait& wait) {
    while (output.has_reader()) {
        const auto now = steady_clock::now();
        if (wait(std::min(deadline, now + kReaderCheckInterval))) return Waited::ToTheEnd;
        if (output.gave_up() || now >= deadline) return Waited::TooLong;
    }
    return Waited::ForNobody;
}

Result<void> not_read() {
    return fail(
        ErrorCode::Timeout,
        "the client has closed the input and does not read its answers; they were not written");
}

}  // namespace

Result<void> finish(Dispatcher& dispatcher, Output& output) {
    const auto deadline = output.end();
    dispatcher.end_input();
    const Waited answered = wait_in_parts(output, deadline, [&](steady_clock::time_point until) {
        return dispatcher.wait_for_calls(until);
    });
    if (answered == Waited::ForNobody) return {};
    if (output.gave_up()) return not_read();
    if (answered == Waited::TooLong) {
        return fail(
            ErrorCode::Timeout,
            "the input has ended, and a call is still not answered: gave up waiting for it");
    }
    const Waited written = wait_in_parts(
        output, deadline, [&](steady_clock::time_point until) { return output.flush(until); });
    if (written == Waited::TooLong) return not_read();
    return {};
}

}  // namespace a2h::mcp
