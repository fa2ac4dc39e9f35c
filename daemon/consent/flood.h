#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/policy.h"
#include "daemon/consent/question.h"

namespace a2h::consent {

// A peer can write more than a card shows, or more than a2hd reads. Then no draft may be approved,
// because what was not shown could change it. One question without a draft takes the place of all
// open questions about the peer's messages: it asks the human to read the conversation and to
// answer in their own words. Whatever the peer writes then renews this one question.
//
// Errors:  those of the store.
// Thread:  the store writer, inside its transaction.
// Source:  docs/rulings.md, R79.

/// The cause of the question that asks the human to read the conversation.
inline constexpr std::string_view kFloodCause = "rule:guard.flood";

/// Whether `question` asks the human to read the conversation. Thread: any.
bool asks_to_read(const Approval& question);

/// Asks the human to read the conversation instead of asking `asked`, under the id of `asked`, if
/// that is about a peer's message and its card is not `whole`, or if the human is asked to read
/// this conversation already. nullopt: neither.
Result<std::optional<Approval>> read_first(store::Database& db, const Question& asked, bool whole,
                                           const Policy& policy, UnixMs now_ms);

/// Closes `open`, whose card cannot show what its only peer has said since, and asks the human to
/// read the conversation.
Result<Approval> read_instead(store::Database& db, const Approval& open, const Policy& policy,
                              UnixMs now_ms);

/// The same for the questions that the unread message `unread` makes out of date. Does nothing if
/// there are none.
Result<void> leave_unread(store::Database& db, const Later& unread, const Policy& policy,
                          UnixMs now_ms);

}  // namespace a2h::consent
