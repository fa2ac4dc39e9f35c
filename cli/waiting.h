#pragma once

#include <string>
#include <string_view>
#include <thread>

#include "cli/command.h"
#include "core/base/progress_bar.h"

namespace a2h::cli {

/// The bar of a command, on stderr. Where that is no terminal nothing is ever shown.
ProgressBar progress_bar(const Invocation& invocation);

/// While it lives, a person at a terminal sees how far a2hd is with what they wait for; see
/// core/control/progress_file.h. In a pipe it does nothing and has no thread.
class Waiting {
  public:
    /// `otherwise` is the locale key that is shown while a2hd tells nothing; empty: none is.
    explicit Waiting(const Invocation& invocation, std::string_view otherwise = {});

  private:
    ProgressBar bar_;
    std::jthread thread_;  ///< ends first
};

}  // namespace a2h::cli
