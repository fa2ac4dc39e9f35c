#pragma once

#include <filesystem>
#include <string_view>

#include "core/store/writer.h"

namespace a2h::health {

/// Makes a step stand still, for tests of the watchdog: as long as the file that the environment
/// variable A2H_FAULT_HANG_FILE names holds the step's name. Without the variable it costs a
/// comparison.
class HangFault {
  public:
    HangFault();
    /// Returns when this step is not the one that hangs. Thread: any.
    void pass(std::string_view step) const;
    bool is_installed() const { return !file_.empty(); }

  private:
    bool names(std::string_view step) const;
    const std::filesystem::path file_;
};

/// For tests: commits fail while the file exists that $A2H_FAULT_COMMIT_FILE names, and the step
/// "writer" may hang. `hang` must outlive `writer`.
void install_commit_faults(store::Writer& writer, const HangFault& hang);

}  // namespace a2h::health
