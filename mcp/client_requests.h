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

    explicit ClientRequests(Write write);

    /// The member `result` of the first answer. An empty object if there is none: the client
    /// answered with an error or not in time, or `cancelled` was requested before it answered (the
    /// client is informed). Nullopt if `kOpenMax` requests are open: nothing was asked.
    ///
    /// Thread:  any but the reader's.
    std::optional<nlohmann::json> ask(std::string_view method, std::string_view params_json,
                                      std::chrono::milliseconds timeout, std::stop_token cancelled);

    /// `message` is a Response. Unknown ids are ignored, and so is what follows the first answer
    /// to a request, or its cancellation.
    ///
    /// Thread:  the reader's.
    void take_response(const Message& message);

  private:
    struct Slot;

    const Write write_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::string, Slot*> open_;  ///< keyed by `id_key`
    std::size_t number_ = 0;
};

}  // namespace a2h::mcp
