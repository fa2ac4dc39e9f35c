#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include <nlohmann/json_fwd.hpp>

namespace a2h::mcp {

/// Tells a client that gave a progress token, every few seconds, that its request is still at work:
/// clients give up what they hear nothing of.
/// Thread: any.
/// Source: MCP, "Progress".
class Progress {
  public:
    using Write = std::function<void(std::string line)>;
    static constexpr std::chrono::milliseconds kEvery{3000};

    explicit Progress(Write write, std::chrono::milliseconds every = kEvery)
        : write_(std::move(write)), every_(every) {}

    /// While it lives, progress is told; nothing is after it.
    class Watch {
      public:
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

      private:
        friend class Progress;
        struct Entry {
            std::string token;  ///< JSON text
            std::string message;
            std::chrono::steady_clock::time_point begun;
            std::chrono::steady_clock::time_point next;
        };
        Watch(Progress& progress, const nlohmann::json& params, const std::string& message);

        Progress* progress_ = nullptr;  ///< nullptr: no token, nothing is told
        std::list<Entry>::iterator entry_;
    };

    /// For a request with `params`. Nothing happens when these hold no token.
    Watch watch(const nlohmann::json& params, const std::string& message) {
        return Watch(*this, params, message);
    }

  private:
    void run(const std::stop_token& stop);

    const Write write_;
    const std::chrono::milliseconds every_;
    std::mutex mutex_;  ///< held while writing: nothing may follow the end of a watch
    std::condition_variable_any changed_;
    std::list<Watch::Entry> entries_;
    std::jthread thread_;  ///< last: uses everything above
};

}  // namespace a2h::mcp
