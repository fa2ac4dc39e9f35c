#pragma once

namespace a2h::mail {

/// Registers how notifications about reports, changed keys and lost mail are worded. Call before
/// other threads start.
void register_news();

}  // namespace a2h::mail
