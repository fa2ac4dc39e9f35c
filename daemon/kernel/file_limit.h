#pragma once

namespace a2h::kernel {

/// Lets the process open as many files and sockets as its hard limit allows, 4 096 at most: those
/// who follow a negotiation need one each, and most systems begin with 1 024. An error leaves the
/// limit as it is; then the last ones are refused. Call at the start.
void raise_file_limit();

}  // namespace a2h::kernel
