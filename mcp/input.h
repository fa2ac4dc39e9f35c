#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fd.h"
#include "mcp/outline.h"

namespace a2h::mcp {

/// One line of a client, without its end (LF or CR LF).
struct InputLine {
    std::string text;  ///< empty with `oversized`
    /// The line was too long, and only its outline was kept; of a batch of too many messages it
    /// comes in parts.
    std::optional<Outline> oversized;
};

/// Reads lines from `fd` until its end, or until the program has no purpose any more: nobody reads
/// `output_fd`, or the parent process has ended while another process still holds our stdin open
/// (otherwise such servers accumulate as orphans).
///
/// Thread:  one at a time.
class LineInput {
  public:
    /// Receives the lines that arrived together; empty ones are skipped.
    using OnLines = std::function<void(const std::vector<InputLine>& lines)>;

    /// The caller owns the descriptors, which must outlive the object. Of a line above
    /// `line_bytes_max` only the outline is kept.
    LineInput(int fd, int output_fd, std::size_t line_bytes_max, OnLines on_lines);

    /// Waits for input, or a short time, and passes complete lines on. False at the end; the rest
    /// is not a complete line.
    [[nodiscard]] bool read_some();

  private:
    void take(std::string_view part);
    InputLine finish_line();

    const int fd_;
    const int output_fd_;
    const OnLines on_lines_;
    const pid_t parent_;
    const Fd parent_ended_;
    const std::size_t line_bytes_max_;
    std::string line_;                        ///< the beginning of the present line
    std::optional<OutlineReader> oversized_;  ///< reads the present line instead
};

}  // namespace a2h::mcp
