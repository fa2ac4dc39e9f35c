#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/invitation.h"
#include "core/domain/listing.h"
#include "core/i18n/messages.h"
#include "daemon/decide/free_words.h"
#include "daemon/operations/references.h"

namespace a2h::operations {

/// What of a message of an assistant may go to an agent elsewhere without asking the human (R19):
/// nothing in it but references, harmless members and words that `decide::free_words` lets go. A
/// message between agents (R41) may hold other members, each of whose texts is judged alone, but no
/// number, no name that the protocol does not know and none that is `true`: that accepts something.
/// Anything else that is not known asks. `message_type` is empty for an ordinary one; of
/// `facts.listings` only the one counts that the message names, if it names one. Thread: any.
decide::FreeWords judge_mail(std::string_view message_type, const std::string& payload_json,
                             decide::DraftFacts facts);
/// True for what says nothing but that an offer is declined. Thread: any.
bool only_rejects(const std::string& payload_json);

/// Why what an assistant says waits for a yes.
enum class Hold {
    None,   ///< it does not
    Words,  ///< for what it says
    Open,   ///< a question or an offer of whom it reaches is open with an agent of the house
    Deaf,   ///< an agent of the house that has dealt with them cannot hear what they say now
};
/// Whether `mail` leaves without a yes: within the house anything does; to an agent elsewhere what
/// `judge_mail` lets go, and while anything is open with it only what `only_rejects`. To a question
/// that a rule has answered, and that may have said more than it asked, only facts go. Errors: the
/// database's. Source: docs/rulings.md, R46.
Result<Hold> hold_of(const Sender& sender, const Call& call, const AboutMail& mail);
/// The same for words that are no message and reach all of `peer_ids`. The invitation that they
/// answer does not count as open with its requester; `answered` is null for other words.
Result<Hold> hold_of_words(const Sender& sender, const Call& call, const std::string& words,
                           const std::vector<std::string>& peer_ids,
                           const Invitation* answered = nullptr);
/// The same for a call of the market that reaches `peer_id` and carries an id that may be of its
/// choice: it says something by being made.
Result<Hold> hold_of_call(const Sender& sender, const std::string& peer_id);
/// A line for the question: why it waits although its words would not have to. Else empty.
std::string reason_of(Hold hold, i18n::Language language);

}  // namespace a2h::operations
