#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace a2h::stages {

/// `[stages]` of config.toml: the agent ids of programs that carry out stages. If an id is empty,
/// a2hd carries out that stage.
struct Options {
    std::string context;  ///< builds prompt blocks
    std::string agent;    ///< drafts
    std::string review;   ///< reviews what would be sent
    /// The time that each stage has for its answer.
    std::chrono::milliseconds timeout{std::chrono::seconds(60)};
    int max_attempts = 3;  ///< attempts of a draft or a review before the human is asked
};

/// Checks that no own agent is a stage, because a2hd does not answer messages of stages.
///
/// Errors:  InvalidArgument if `options` names one of `own_ids`.
Result<void> check_are_others(const Options& options, const std::vector<std::string>& own_ids);

}  // namespace a2h::stages
