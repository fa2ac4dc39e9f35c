#pragma once

#include <string>
#include <vector>

#include "core/domain/message.h"
#include "core/i18n/messages.h"
#include "daemon/decide/decision.h"

namespace a2h::mail {

/// The last messages of a conversation as the human reads them beside a question: oldest first,
/// each marked with the direction. `current` (may be null) is the message in question and comes
/// last. It, or without it the peer's newest message, is shown with all its members. Other messages
/// have one line with their text, or one for each member if they say more than a text: an offer's
/// amount, summary and terms. What is longer than what rules read is cut, and says so; our own
/// members are not cut. Unverified messages are marked unless `current` is unverified too. A peer's
/// text stays on its line or is indented, so it cannot imitate another line.
std::string conversation_text(const std::vector<HistoryEntry>& newest_first,
                              const decide::Input* current, i18n::Language language);

/// Everything in a message: its text, and then each other member except its type on a line of its
/// own, as "name: value".
std::string whole_message(const std::string& payload_json);

}  // namespace a2h::mail
