#pragma once

#include <string>
#include <vector>

#include "core/domain/message.h"
#include "core/i18n/messages.h"
#include "daemon/decide/decision.h"

namespace a2h::mail {

/// The last messages of a conversation as the human reads them beside a question: oldest first, one
/// line a message, marked with its direction. `current` (may be null) is the message in question
/// and comes last. It, or without it the peer's newest, is there with all its members; of the
/// others the words, whole, unless they are longer than what rules read: then the line says so.
/// What nobody could check is marked as such, unless `current` is no surer itself.
/// Peer text stays on its line, or further in, and cannot forge another.
std::string conversation_text(const std::vector<HistoryEntry>& newest_first,
                              const decide::Input* current, i18n::Language language);

/// All that a message says: its text, then each other member that is neither its type nor its text
/// in a line of its own, as "name: value".
std::string whole_message(const std::string& payload_json);

}  // namespace a2h::mail
