#pragma once

namespace a2h {

/// Registers the rows that features add to the general parts. Call before other threads start.
void register_features();

}  // namespace a2h
