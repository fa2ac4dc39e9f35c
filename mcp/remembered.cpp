#include "mcp/remembered.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace a2h::mcp {
namespace {

/// Their results contain only stored data and the state of a2hd, never data of the market or the
/// time.
constexpr std::array<std::string_view, 2> kOfTheDaemon = {"status", "inbox.history"};

bool may_be_remembered(const ToolCall& call) {
    return !call.resumes && std::find(kOfTheDaemon.begin(), kOfTheDaemon.end(),
                                      call.operation->action) != kOfTheDaemon.end();
}

std::string key_of(const ToolCall& call) {
    std::string key(call.operation->action);
    key += '\n';
    key += to_string(call.version);
    key += '\n';
    key += call.arguments().dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return key;
}

}  // namespace

std::optional<std::string> Remembered::find(const ToolCall& call) {
    if (!change_count_ || !may_be_remembered(call)) return std::nullopt;
    const auto count = change_count_();
    const std::lock_guard lock(mutex_);
    if (!count || *count != count_) return std::nullopt;
    const auto found = results_.find(key_of(call));
    if (found == results_.end()) return std::nullopt;
    return found->second;
}

std::optional<std::uint64_t> Remembered::count_before(const ToolCall& call) const {
    if (!change_count_ || !may_be_remembered(call)) return std::nullopt;
    return change_count_();
}

void Remembered::keep(const ToolCall& call, std::uint64_t count, std::string result_text) {
    const std::lock_guard lock(mutex_);
    if (count < count_) return;  // a newer result is already stored
    if (count > count_ || results_.size() >= kResultsMax) results_.clear();
    count_ = count;
    results_[key_of(call)] = std::move(result_text);
}

}  // namespace a2h::mcp
