#pragma once

#include "daemon/agents/residents.h"
#include "daemon/mail/dispatcher.h"
#include "daemon/operations/ask.h"

namespace a2h::operations {

/// The parts that are needed to send an assistant's words, or to ask people before they are sent.
///
/// Thread:  the loop.
struct Sender : Asker {
    const agents::Residents& residents;
    mail::Dispatcher& dispatcher;
};

}  // namespace a2h::operations
