#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "mcp/tool_calls.h"

namespace a2h::mcp {

/// Returns the number of `DaemonLink::change_count`.
///
/// Thread:  any.
using ChangeCount = std::function<std::optional<std::uint64_t>()>;

/// Remembers results of tools that contain only a2hd's own data until a2hd reports a change,
/// because assistants request the status before almost everything they do.
///
/// Thread:  any.
class Remembered {
  public:
    explicit Remembered(ChangeCount change_count) : change_count_(std::move(change_count)) {}

    /// The text of the result of `call`, if it was made before and would be the same again.
    std::optional<std::string> find(const ToolCall& call);

    /// The count before `call` is made, if its result may be remembered.
    std::optional<std::uint64_t> count_before(const ToolCall& call) const;
    /// Stores the result of `call`; `count` is what `count_before` returned. Does nothing if
    /// results of a later count are stored.
    void keep(const ToolCall& call, std::uint64_t count, std::string result_text);

  private:
    static constexpr std::size_t kResultsMax = 32;

    const ChangeCount change_count_;
    std::mutex mutex_;
    std::uint64_t count_ = 0;                               ///< valid for everything in `results_`
    std::unordered_map<std::string, std::string> results_;  ///< keyed by call
};

}  // namespace a2h::mcp
