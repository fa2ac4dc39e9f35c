#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace a2h::stages {

/// `[stages]` of config.toml: which stages are other programs, by their agent ids; an empty one is
/// ours.
struct Options {
    std::string context;  ///< builds prompt blocks
    std::string agent;    ///< drafts
    std::string review;   ///< judges what would leave
    /// How long each stage has for its answer.
    std::chrono::milliseconds timeout{std::chrono::seconds(60)};
    int max_attempts = 3;  ///< tries of a draft or a review, then the human is asked
};

/// a2hd answers no messages of stages, so its own agents cannot be one.
/// Errors: InvalidArgument when `options` names one of `own_ids`.
Result<void> check_are_others(const Options& options, const std::vector<std::string>& own_ids);

}  // namespace a2h::stages
