#pragma once

namespace a2h::collab {

/// Registers how the negotiation of a message is found: one of our own, or one that we are invited
/// to (`consent::FindMatter`). Call before other threads start.
void register_matter();

}  // namespace a2h::collab
