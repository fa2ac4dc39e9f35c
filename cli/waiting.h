#pragma once

#include <string_view>
#include <thread>

#include "cli/command.h"
#include "core/base/progress_bar.h"

namespace a2h::cli {

/// The progress bar of a command, on stderr. If that is not a terminal, nothing is shown.
ProgressBar progress_bar(const Invocation& invocation);

/// During its lifetime, shows a person at a terminal the progress of a2hd; see
/// core/control/progress_file.h. In a pipe it does nothing and has no thread.
class Waiting {
  public:
    /// `otherwise` is the locale key of the text that is shown while a2hd reports nothing; empty:
    /// none.
    explicit Waiting(const Invocation& invocation, std::string_view otherwise = {});

  private:
    ProgressBar bar_;
    std::jthread thread_;  ///< ends first
};

}  // namespace a2h::cli
