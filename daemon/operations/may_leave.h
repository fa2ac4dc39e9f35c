#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/outbox.h"
#include "core/i18n/messages.h"
#include "core/store/open_matter_store.h"
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
/// The judge of words, the only one who lets a message leave without a yes.
///
/// Source:  docs/rulings.md, R46 and R58.
class Judge {
  public:
    /// Whether `message` may be sent without a yes. Within this home everything may, and
    /// so may the words of a proved person. To an agent of
    /// another home, what `is_free_mail` allows may be sent as long as nothing is open with it,
    /// unless the owner's settings differ (`[send] assistant`). If nothing holds it, `message` gets
    /// the verdict and its cause, which names `tool`, and must not be changed any more.
    ///
    /// Errors:  those of the database.
    /// Thread:  the loop.
    static Result<Hold> judge(const Sender& sender, const Call& call, std::string_view tool,
                              OutboxMessage& message);
    /// For a message that a2hd has written around words which were judged alone and are not held.
    ///
    /// Thread:  any.
    static void let_leave(const Caller& caller, std::string_view tool, OutboxMessage& message);
};
/// Whether words that are not a message wait, which reach each of `peers`. What the other members
/// of a peer name does not count as open with it. If the owner's settings hold every text, they
/// wait; otherwise they are judged.
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
/// A line for the question that says why it waits although its words alone would not have to;
/// otherwise empty.
///
/// Thread:  any.
std::string reason_of(Hold hold, i18n::Language language);

}  // namespace a2h::operations
