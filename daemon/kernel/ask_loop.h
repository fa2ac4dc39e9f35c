#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "daemon/kernel/loop.h"

namespace a2h {

/// The longest wait for a result of the loop.
constexpr std::chrono::seconds kLoopPatience{5};

/// Runs `start` on the loop and waits for the value that it, or what it began, provides.
///
/// Errors:  Timeout after `patience`; Unavailable if the loop ended in the meantime.
/// Thread:  any but the loop.
template <typename T>
Result<T> ask_loop(Loop& loop, std::function<void(std::function<void(Result<T>)>)> start,
                   std::chrono::seconds patience = kLoopPatience) {
    auto promise = std::make_shared<std::promise<Result<T>>>();
    std::future<Result<T>> future = promise->get_future();
    loop.post([start = std::move(start), promise = std::move(promise)] {
        start([promise](Result<T> value) { promise->set_value(std::move(value)); });
    });
    // The promise may be kept until long after the loop has ended, so check for the end.
    constexpr std::chrono::milliseconds kCheckEvery{20};
    const auto until = std::chrono::steady_clock::now() + patience;
    while (future.wait_for(kCheckEvery) != std::future_status::ready) {
        if (loop.is_stopping()) return fail(ErrorCode::Unavailable, "the daemon is stopping");
        if (std::chrono::steady_clock::now() < until) continue;
        return fail(ErrorCode::Timeout,
                    "the daemon did not answer within " + std::to_string(patience.count()) + " s");
    }
    try {
        return future.get();
    } catch (const std::future_error&) {
        // The loop ended and discarded the task together with the promise.
        return fail(ErrorCode::Unavailable, "the daemon is stopping");
    }
}

}  // namespace a2h
