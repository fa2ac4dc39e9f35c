#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/listing.h"

namespace a2h::operations {

/// True when a message of an assistant may go to an agent elsewhere without asking the human (R19):
/// nothing in it but references, harmless members and words that say no more than the listings do.
/// A message between agents (R41) may hold other members, whose names, words and numbers are read
/// like its text; anything else that is not known asks. `message_type` is empty for an ordinary
/// one. Thread: any.
bool may_leave(std::string_view message_type, const std::string& payload_json,
               const std::vector<Listing>& listings);

}  // namespace a2h::operations
