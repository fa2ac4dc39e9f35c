#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// How sure it is that the sender has signed a message. AgentKeyOnly: the sender has a key of its
/// own and has not used it, so that the receiver counts the message as unverified.
enum class MailProof { Sure, AgentKeyOnly };

/// Adds a message that one agent sent another over the broker to their session, where it counts
/// like a message over HTTP: an acceptance makes a deal. The session is that of
/// `payload.session_id`, or of the offer that is accepted or rejected, or the one of the two agents
/// that is about nothing else; without one nothing happens. A session about an RFP or a proposal
/// must be named, because what it is about becomes part of its deals. Fields of the payload that
/// sessions do not have are left out.
///
/// What is not `Sure` has no effect. Both are notified of a deal; the sender is notified of an
/// acceptance or rejection that had no effect. A repeated message changes nothing.
///
/// Errors:  only those of the database.
/// Source:  docs/protocol.md, "Exchange".
Result<void> take_mail(db::Database& database, std::string_view envelope_json, MailProof proof,
                       UnixMs now_ms);

}  // namespace a2h::market
