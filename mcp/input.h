#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/base/fd.h"
#include "core/control/framing.h"

namespace a2h::mcp {

/// Reads lines from `fd` until its end, or until the program has no purpose any more: nobody reads
/// `output_fd`, or the parent process has ended while another process still holds our stdin open
/// (otherwise such servers accumulate as orphans).
///
/// Thread:  one at a time.
class LineInput {
  public:
    /// Receives the lines that arrived together; an empty text stands for a dropped line above
    /// `line_bytes_max`.
    using OnLines = std::function<void(const std::vector<std::string>& lines)>;

    /// The caller owns the descriptors, which must outlive the object.
    LineInput(int fd, int output_fd, std::size_t line_bytes_max, OnLines on_lines);

    /// Waits for input, or a short time, and passes complete lines on. False at the end; the rest
    /// is not a complete line.
    [[nodiscard]] bool read_some();

  private:
    const int fd_;
    const int output_fd_;
    const OnLines on_lines_;
    const pid_t parent_;
    const Fd parent_ended_;
    control::LineSplitter splitter_;
};

}  // namespace a2h::mcp
