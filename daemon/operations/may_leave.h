#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/listing.h"
#include "daemon/operations/references.h"

namespace a2h::operations {

/// True when the words of a message of an assistant may go to an agent elsewhere without asking the
/// human (R19): nothing in it but references, harmless members and words that say no more than the
/// listings do. A message between agents (R41) may hold other members, whose names, words and
/// numbers are read like its text, but none that is `true`: that accepts something. Anything else
/// that is not known asks. `message_type` is empty for an ordinary one. Thread: any.
bool may_leave(std::string_view message_type, const std::string& payload_json,
               const std::vector<Listing>& listings);
/// True for what says nothing but that an offer is declined. Thread: any.
bool only_rejects(const std::string& payload_json);

/// True as long as anything that `peer_id` has asked or offered is open with whichever agent of the
/// house. Errors: the database's. Source: docs/rulings.md, R46.
Result<bool> is_open_with(Runtime& runtime, const std::string& peer_id);

/// Whether `mail` leaves without a yes: within the house anything does; to an agent elsewhere what
/// `may_leave` lets go, and while `is_open_with` only what `only_rejects`. Errors: the database's.
Result<bool> is_free_to_leave(Runtime& runtime, const Call& call, const AboutMail& mail);

}  // namespace a2h::operations
