#pragma once

namespace a2h {

/// Gives back what only the start of a program needed, for one that then runs for months: freed
/// heap, and the pages of code and constants that it has mapped so far. What is used again comes
/// back from the page cache, without the disk.
/// Thread: any; the others may run meanwhile.
void release_start_memory();

}  // namespace a2h
