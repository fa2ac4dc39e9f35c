#pragma once

#include <chrono>
#include <string>

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

}  // namespace a2h::stages
