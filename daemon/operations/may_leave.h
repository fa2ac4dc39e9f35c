#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/invitation.h"
#include "core/domain/listing.h"
#include "core/i18n/messages.h"
#include "daemon/decide/draft_review.h"
#include "daemon/operations/references.h"

namespace a2h::operations {

/// True if an assistant's message may be sent to an agent of another home without asking the human
/// (R19): it has only references, harmless members and words that `decide::are_free_words` allows.
/// A message between agents (R41) may have other members, and each of their texts is judged alone;
/// it may contain no number, no name unknown to the protocol, and no `true`, which would accept
/// something. Everything else asks. `message_type` is empty for an ordinary message. If the message
/// names a listing, only that one of `facts.listings` counts.
///
/// Thread:  any.
bool is_free_mail(std::string_view message_type, const std::string& payload_json,
                  decide::DraftFacts facts);
/// The id of the offer that the payload declines; empty if it says anything else, such as the id of
/// a listing whose title could be an answer.
///
/// Thread:  any.
std::string rejected_offer(const std::string& payload_json);

/// Why an assistant's words wait for a yes.
enum class Hold {
    None,   ///< they do not wait
    Words,  ///< because of their content
    Open,   ///< a question or an offer of the recipient is open with an agent of this home
    Deaf,   ///< an agent of this home that has dealt with the recipient cannot receive mail now
};
/// Whether `mail` may be sent without a yes. Within this home everything may. To an agent of
/// another home, what `is_free_mail` allows may be sent, and while anything is open with it, only
/// the first rejection of an offer (`rejected_offer`).
///
/// Errors:  those of the database.
/// Source:  docs/rulings.md, R46.
Result<Hold> hold_of(const Sender& sender, const Call& call, const AboutMail& mail);
/// The same for words that are not a message and reach all of `peer_ids`. The invitation that they
/// answer does not count as open with its requester; `answered` is null for other words.
Result<Hold> hold_of_words(const Sender& sender, const Call& call, const std::string& words,
                           const std::vector<std::string>& peer_ids,
                           const Invitation* answered = nullptr);
/// The same for a call of the market that reaches `peer_id` and contains an id that the peer may
/// have chosen: making the call says something.
Result<Hold> hold_of_call(const Sender& sender, const std::string& peer_id);
/// What is open with the peer, word for word, for the question about a text that could answer it;
/// empty if nothing is. Of messages, news and things that were read it has the newest ten each, and
/// says if there are more.
std::string open_words(const Sender& sender, const std::string& peer_id, i18n::Language language);
/// A line for the question that says why it waits although its words alone would not have to;
/// otherwise empty.
std::string reason_of(Hold hold, i18n::Language language);

}  // namespace a2h::operations
