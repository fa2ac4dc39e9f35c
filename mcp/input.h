#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace a2h::mcp {

/// Reads lines from `fd` until its end, or until the program is of no use any more: nobody reads
/// `output_fd`, or the parent process is gone while another process still holds our stdin open
/// (without that check such servers pile up as orphans).
///
/// `on_line` is called for each line; with an empty text for one over `line_bytes_max`, which was
/// dropped.
void read_lines(int fd, int output_fd, std::size_t line_bytes_max,
                const std::function<void(std::string line)>& on_line);

}  // namespace a2h::mcp
