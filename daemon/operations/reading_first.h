#pragma once

#include <functional>

#include "daemon/operations/operation.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {

// Whether words may be sent without a yes depends on what the recipient has said, including mail
// that has not arrived from the broker. That mail is read first. Words wait for a yes
// (`Hold::Unread`) if this takes longer than `UnreadMail::kReadingMax`.
//
// Thread:  the loop.

/// Calls `then` at once, or when waiting mail has been read.
void read_first(const Sender& sender, std::function<void()> then);
/// A handler that does so before `handler`, for operations that may tell other agents something.
Handler after_reading(const Sender& sender, Handler handler);

}  // namespace a2h::operations
