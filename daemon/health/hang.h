#pragma once

#include <filesystem>
#include <string_view>

#include "core/store/writer.h"

namespace a2h::health {

/// Blocks a step, for tests of the watchdog, as long as the file named by the environment variable
/// A2H_FAULT_HANG_FILE contains the step's name. Without the variable it costs one comparison.
class HangFault {
  public:
    HangFault();
    /// Returns once this step is not the blocked one.
    ///
    /// Thread:  any.
    void pass(std::string_view step) const;
    bool is_installed() const { return !file_.empty(); }

  private:
    bool names(std::string_view step) const;
    const std::filesystem::path file_;
};

/// For tests: commits fail while the file named by $A2H_FAULT_COMMIT_FILE exists, and the step
/// "writer" may be blocked. `hang` must outlive `writer`.
void install_commit_faults(store::Writer& writer, const HangFault& hang);

}  // namespace a2h::health
