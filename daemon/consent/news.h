#pragma once

namespace a2h::consent {

/// Registers how notifications about expired questions and about wrong codes and PINs are worded.
/// Call before other threads start.
void register_news();

}  // namespace a2h::consent
