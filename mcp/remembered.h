#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "mcp/tool_calls.h"

namespace a2h::mcp {

/// The number that `DaemonLink::change_count` tells. Thread: any.
using ChangeCount = std::function<std::optional<std::uint64_t>()>;

/// Results of tools that tell only what a2hd itself has, for as long as a2hd says that nothing has
/// changed: assistants ask for the status before almost everything they do.
/// Thread: any.
class Remembered {
  public:
    explicit Remembered(ChangeCount change_count) : change_count_(std::move(change_count)) {}

    /// The text of the result of `call`, when it was made before and would be the same again.
    std::optional<std::string> find(const ToolCall& call);

    /// The count before `call` is made, when its result may be remembered.
    std::optional<std::uint64_t> count_before(const ToolCall& call) const;
    void keep(const ToolCall& call, std::uint64_t count, std::string result_text);

  private:
    static constexpr std::size_t kResultsMax = 32;

    const ChangeCount change_count_;
    std::mutex mutex_;
    std::uint64_t count_ = 0;                               ///< of everything in `results_`
    std::unordered_map<std::string, std::string> results_;  ///< by call
};

}  // namespace a2h::mcp
