#pragma once

#include <string>
#include <vector>

#include "core/domain/message.h"
#include "core/i18n/messages.h"
#include "daemon/decide/decision.h"

namespace a2h::pipeline {

/// The last messages of a conversation as the human reads them beside a question: oldest first, one
/// line a message, marked with its direction. `current` (may be null) is the message in question
/// and comes last. It, or without it the peer's newest, is there whole, with all its members; the
/// others are previews. Peer text stays on its line, or further in, and cannot forge another.
std::string conversation_text(const std::vector<HistoryEntry>& newest_first,
                              const decide::Input* current, i18n::Language language);

}  // namespace a2h::pipeline
