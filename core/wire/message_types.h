#pragma once

#include <string_view>

namespace a2h::wire {

/// The type of a message of words (`PayloadView`).
constexpr std::string_view kChatMessageType = "chat.request";

/// Whether `type` is one of the `message_type`s of docs/protocol.md, so that it says nothing else.
///
/// Thread:  any.
bool is_message_type(std::string_view type);

}  // namespace a2h::wire
