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

/// Reports every few seconds, to a client that gave a progress token, that its request is still
/// running, because clients give up requests without a report.
///
/// Thread:  any.
/// Source:  MCP, "Progress".
class Progress {
  public:
    using Write = std::function<void(std::string line)>;
    static constexpr std::chrono::milliseconds kEvery{3000};

    explicit Progress(Write write, std::chrono::milliseconds every = kEvery)
        : write_(std::move(write)), every_(every) {}

    /// Progress is reported during its lifetime, and not afterwards.
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

        Progress* progress_ = nullptr;  ///< nullptr: no token, so nothing is reported
        std::list<Entry>::iterator entry_;
    };

    /// For a request with `params`. Does nothing if they contain no token.
    Watch watch(const nlohmann::json& params, const std::string& message) {
        return Watch(*this, params, message);
    }

  private:
    void run(const std::stop_token& stop);

    const Write write_;
    const std::chrono::milliseconds every_;
    std::mutex mutex_;  ///< held while writing, because nothing may follow the end of a watch
    std::condition_variable_any changed_;
    std::list<Watch::Entry> entries_;
    std::jthread thread_;  ///< last, because it uses everything above
};

}  // namespace a2h::mcp
