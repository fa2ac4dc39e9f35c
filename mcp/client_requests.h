#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "mcp/framing.h"

namespace a2h::mcp {

/// Our requests to the client, up to 2025-11-25: the call that makes one waits for the answer.
class ClientRequests {
  public:
    /// Each request holds a thread of `Calls`; the others stay free for calls that need no request.
    static constexpr std::size_t kOpenMax = 4;
    using Write = std::function<void(std::string line)>;

    /// Until when an answer is waited for.
    struct Wait {
        std::chrono::milliseconds timeout;
        std::stop_token cancelled;
        /// Whether an answer has become pointless; asked every `look_every` on the waiting thread,
        /// and may block. Empty: never.
        std::function<bool()> is_over = {};
        std::chrono::milliseconds look_every = std::chrono::seconds(1);
    };

    explicit ClientRequests(Write write);

    /// The member `result` of the first answer. An empty object if there is none: the client
    /// answered with an error, or `wait` ended before it answered (the client is informed). Nullopt
    /// if `kOpenMax` requests are open: nothing was asked.
    ///
    /// Thread:  any but the reader's.
    std::optional<nlohmann::json> ask(std::string_view method, std::string_view params_json,
                                      const Wait& wait);

    /// The client answers nothing any more: ends all requests, and those that follow, without an
    /// answer.
    ///
    /// Thread:  any.
    void end();

    /// `message` is a Response. Unknown ids are ignored, and so is what follows the first answer
    /// to a request, or its cancellation.
    ///
    /// Thread:  the reader's.
    void take_response(const Message& message);

  private:
    struct Slot;

    /// Whether the answer has come before the end of `wait`. `lock` holds the mutex.
    bool wait_for_answer(const Slot& slot, const Wait& wait, std::unique_lock<std::mutex>& lock);

    const Write write_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::string, Slot*> open_;  ///< keyed by `id_key`
    std::size_t number_ = 0;
    bool ended_ = false;
};

}  // namespace a2h::mcp
