#pragma once

#include <filesystem>
#include <string_view>

namespace a2h::service {

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

}  // namespace a2h::service
