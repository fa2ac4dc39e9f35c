#pragma once

#include <string>
#include <string_view>

#include "daemon/agents/residents.h"
#include "daemon/mail/dispatcher.h"
#include "daemon/operations/ask.h"

namespace a2h::operations {

/// What is needed to send an assistant's words, or to ask people before they are sent.
///
/// Thread:  the loop.
struct Sender : Asker {
    const agents::Residents& residents;
    mail::Dispatcher& dispatcher;
};

/// The cause of a message that `call` sends at once; `tool` names what the assistant used.
inline std::string cause_of_mail(const Call& call, std::string_view tool) {
    return (call.face == Face::Human ? "hand:" : "tool:") + std::string(tool);
}

}  // namespace a2h::operations
