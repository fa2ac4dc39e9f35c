#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/invitation.h"
#include "core/domain/listing.h"
#include "core/i18n/messages.h"
#include "daemon/operations/references.h"

namespace a2h::operations {

/// True when the words of a message of an assistant may go to an agent elsewhere without asking the
/// human (R19): nothing in it but references, harmless members and words that say no more than the
/// listings do. A message between agents (R41) may hold other members, whose names, words and
/// numbers are read like its text, but none that is `true`: that accepts something. Anything else
/// that is not known asks, and so does every text, word or name of the sender's own that is so
/// short that it may say yes to anything (R47). `message_type` is empty for an ordinary one.
/// Thread: any.
bool may_leave(std::string_view message_type, const std::string& payload_json,
               const std::vector<Listing>& listings);
/// True for what says nothing but that an offer is declined. Thread: any.
bool only_rejects(const std::string& payload_json);

/// The same judgement for words alone. Thread: any.
bool may_say(const std::string& words, const std::vector<Listing>& listings);

/// Why what an assistant says waits for a yes.
enum class Hold {
    None,   ///< it does not
    Words,  ///< for what it says
    Open,   ///< a question or an offer of whom it reaches is open with an agent of the house
    Deaf,   ///< an agent of the house that has dealt with them cannot hear what they say now
};
/// Whether `mail` leaves without a yes: within the house anything does; to an agent elsewhere what
/// `may_leave` lets go, and while anything is open with it only what `only_rejects`. Errors: the
/// database's. Source: docs/rulings.md, R46.
Result<Hold> hold_of(const Sender& sender, const Call& call, const AboutMail& mail);
/// The same for words that are no message and reach all of `peer_ids`. The invitation that they
/// answer does not count as open with its requester; `answered` is null for other words.
Result<Hold> hold_of_words(const Sender& sender, const Call& call, const std::string& words,
                           const std::vector<std::string>& peer_ids,
                           const Invitation* answered = nullptr);
/// A line for the question: why it waits although its words would not have to. Else empty.
std::string reason_of(Hold hold, i18n::Language language);

}  // namespace a2h::operations
