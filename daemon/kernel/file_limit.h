#pragma once

namespace a2h::kernel {

/// Raises the limit of open files and sockets to the hard limit, at most 4 096: each follower of a
/// negotiation needs one, and most systems begin with 1 024. If this fails, the limit stays, and
/// connections beyond it are refused. Call at the start.
void raise_file_limit();

}  // namespace a2h::kernel
