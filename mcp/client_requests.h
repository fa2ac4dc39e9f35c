#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
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

    /// The member `result` of the answer. An empty object if there is none: the client answered
    /// with an error or not in time, `cancelled` was requested (the client is informed), or too
    /// many requests are open.
    ///
    /// Thread:  any but the reader's.
    nlohmann::json ask(std::string_view method, std::string_view params_json,
                       std::chrono::milliseconds timeout, std::stop_token cancelled);

    /// `message` is a Response; unknown ids are ignored.
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
