#pragma once

namespace a2h {

/// Releases memory that only the start of a long-running program needed: freed heap, and pages of
/// code and constants that it has mapped. Pages that are used again come from the page cache,
/// without disk access.
///
/// Thread:  any; others may run at the same time.
void release_start_memory();

}  // namespace a2h
