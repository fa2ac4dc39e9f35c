#pragma once

namespace a2h {

/// Registers what every feature adds to the general parts. Before other threads start.
void register_features();

}  // namespace a2h
