#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/i18n/messages.h"
#include "core/store/unanswered_store.h"
#include "daemon/operations/references.h"

namespace a2h::operations {

/// True if an assistant's message may be sent to an agent of another home without asking the human
/// (R19): it has only references, harmless members and words that `decide::are_free_words` allows.
/// A message between agents (R41) may have other members, and each of their texts is judged alone;
/// it may contain no number, no name unknown to the protocol, and no `true`, which would accept
/// something. Everything else asks. `message_type` is empty for an ordinary message.
///
/// Without `judges_words`, texts may say anything.
///
/// Thread:  any.
bool is_free_mail(std::string_view message_type, const std::string& payload_json,
                  bool judges_words = true);

/// Why an assistant's words wait for a yes.
enum class Hold {
    None,    ///< they do not wait
    Words,   ///< because of their content
    Owner,   ///< by the owner's settings, all of them do (`[send] assistant`)
    Open,    ///< a question or an offer of the recipient is open with an agent of this home
    Unread,  ///< mail of the recipient may be waiting unread for an agent of this home
};
/// Whether `mail` may be sent without a yes. Within this home everything may. To an agent of
/// another home, what `is_free_mail` allows may be sent as long as nothing is open with it, unless
/// the owner's settings differ (`[send] assistant`).
///
/// Errors:  those of the database.
/// Thread:  the loop.
/// Source:  docs/rulings.md, R46.
Result<Hold> hold_of(const Sender& sender, const Call& call, const AboutMail& mail);
/// The same for words that are not a message and reach each of `peers`. What the other members of a
/// peer name does not count as open with it. If the owner's settings hold every text, they wait;
/// otherwise they are judged.
///
/// Thread:  the loop.
Result<Hold> hold_of_words(const Sender& sender, const std::string& words,
                           const std::vector<store::Between>& peers);
/// The same for an act without words that each of `peers` learns of, such as beginning a session: a
/// peer may have announced what such an act will mean.
///
/// Thread:  the loop.
Result<Hold> hold_of_act(const Sender& sender, const std::vector<store::Between>& peers);
/// The same for an act that refuses, withdraws or ends something, which is an answer: outside this
/// home it always waits.
///
/// Thread:  the loop.
Result<Hold> hold_of_refusal(const Sender& sender, const std::vector<store::Between>& peers);
/// The cause of a message that `call` sends without a yes; `tool` names what the assistant used.
///
/// Thread:  the loop.
std::string cause_of_mail(const Sender& sender, const Call& call, std::string_view tool);
/// The same for words that are judged in any case.
///
/// Thread:  any.
std::string cause_of_judged(const Call& call, std::string_view tool);
/// A line for the question that says why it waits although its words alone would not have to;
/// otherwise empty.
///
/// Thread:  any.
std::string reason_of(Hold hold, i18n::Language language);

}  // namespace a2h::operations
