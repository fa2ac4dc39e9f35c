#pragma once

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

namespace fs = std::filesystem;

inline const std::string kDemoProgram = A2H_BIN_DIR "/a2h";

/// All files of a demo are below `temp`.
std::map<std::string, std::string> demo_environment(const fs::path& temp,
                                                    const std::string& language);

/// A demo that waits for its human, in English, with everything it has started.
class Running {
  public:
    explicit Running(const std::vector<std::string>& options);

    /// Fails the test when the demo ends, or does not say `words` in time; keeps its children.
    void wait_for(const std::string& words, std::chrono::seconds timeout);
    std::string told() const;
    std::string complaints() const;
    const fs::path& temp() const { return temp_.path(); }
    /// The child processes of the last `wait_for`.
    const std::vector<pid_t>& children() const { return children_; }
    pid_t pid() const { return demo_.pid(); }
    void signal(int number) { demo_.signal(number); }
    std::optional<int> wait(std::chrono::seconds timeout) { return demo_.wait(timeout); }
    void check_nothing_is_left() const;

  private:
    TempDir temp_;
    TempDir output_;
    Process demo_;
    std::vector<pid_t> children_;
};

}  // namespace a2h::test
