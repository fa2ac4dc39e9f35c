#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/control/framing.h"
#include "core/control/socket_io.h"

namespace a2h::mcp {

/// Reads lines from `fd` until its end, or until the program is of no use any more: nobody reads
/// `output_fd`, or the parent process is gone while another process still holds our stdin open
/// (without that check such servers pile up as orphans).
/// Thread: one at a time.
class LineInput {
  public:
    /// Gets the lines that came together; an empty text stands for one over `line_bytes_max`,
    /// which was dropped.
    using OnLines = std::function<void(const std::vector<std::string>& lines)>;

    /// The descriptors stay the caller's and outlive the object.
    LineInput(int fd, int output_fd, std::size_t line_bytes_max, OnLines on_lines);

    /// Waits until something comes, or a moment, and hands on the lines that are whole. False at
    /// the end, which was none of the lines'.
    [[nodiscard]] bool read_some();

  private:
    const int fd_;
    const int output_fd_;
    const OnLines on_lines_;
    const pid_t parent_;
    const control::Fd parent_ended_;
    control::LineSplitter splitter_;
};

}  // namespace a2h::mcp
