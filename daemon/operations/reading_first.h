#pragma once

#include <functional>

#include "daemon/operations/operation.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {

// Whether words may leave without a yes depends on what the recipient has said, also on what is at
// the broker and has not arrived. So it is read first; what has not been read after
// `UnreadMail::kReadingMax`
// holds the words (`Hold::Unread`).
//
// Thread:  the loop.

/// Calls `then` at once, or when waiting mail has been read.
void read_first(const Sender& sender, std::function<void()> then);
/// A handler that does so before `handler`, for operations that may tell other agents something.
Handler after_reading(const Sender& sender, Handler handler);

}  // namespace a2h::operations
