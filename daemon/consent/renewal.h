#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/message.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::consent {

// A yes is for what its card showed. Whatever the peer has written since makes the card out of
// date, unless it is certainly harmless. The question is then asked again together with the newer
// words, and no answer to the older question counts.
//
// Errors:  those of the store.
// Source:  docs/rulings.md, R45.

/// The most questions that one message renews at once. Each further one is renewed when its yes
/// arrives.
constexpr int kRenewedAtOnce = 8;

/// Whether the message is a greeting or thanks in plain words: no other member that could say
/// something, no mark, number or sign. Pure.
bool is_harmless(std::string_view message_type, std::string_view payload_json);

/// Whether a sender has put no words into the fields of its envelope: the type is one of the
/// protocol's, and the ids have the form of generated ids. Pure.
bool has_plain_envelope(std::string_view message_type, std::string_view message_id,
                        std::string_view trace_id);
/// The payload with a member `envelope` for the fields that have words; otherwise the payload as it
/// is. Pure.
std::string all_said(std::string_view message_type, std::string_view message_id,
                     std::string_view trace_id, const std::string& payload_json);
std::string all_said_in(const InboxMessage& message);

/// Adds to `approval`, which is about to be asked, what the peer has said since what the card shows
/// already. For words of an assistant's own, that is everything that is open with the peer
/// (`said_and_open`); a person who writes has no need of it. False if a question about a message
/// cannot show all of it.
///
/// Errors:  PermissionDenied if words of an assistant's own cannot show all of it.
/// Thread:  the store writer, inside its transaction.
Result<bool> show_newer(store::Database& db, Approval& approval, const Policy& policy);

/// True if the peer of `approval` has said anything to another agent of this home or at the market
/// after what its card shows.
///
/// Thread:  any, with a connection of its own.
Result<bool> has_spoken_elsewhere(store::Database& db, const Approval& approval,
                                  i18n::Language language);

/// If the peer has said anything since what the card of `approval` shows, or our own offer to it is
/// another one, asks it again and returns the question that replaces it. That one has the same
/// deadline and voters, but no votes, and its action differs only in our offer (R78). If the peer
/// has said more than a card can show (`kSaidMax`), the human is asked to read the conversation
/// instead (flood.h). nullopt: nothing has changed.
///
/// Thread:  as above.
Result<std::optional<Approval>> renew(store::Database& db, const Approval& approval,
                                      const Policy& policy, UnixMs now_ms);

/// When people are notified of the question that replaces `before`: of the first renewal at once,
/// of later ones at most once a minute. Questions that have been replaced by then are not notified,
/// but their successors are.
///
/// Thread:  as above.
Result<UnixMs> news_time(store::Database& db, const Approval& before, UnixMs now_ms);

/// Renews the questions about the sender of message `inbox_id` whose yes sends it something,
/// accepts something of it or is about its terms. Returns how many questions changed.
///
/// Thread:  as above.
Result<int> renew_older(store::Database& db, std::int64_t inbox_id, const Policy& policy,
                        UnixMs now_ms);

/// The open question that replaces `approval`, following all replacements; nullopt if there is
/// none.
///
/// Thread:  any that may read.
Result<std::optional<Approval>> standing_for(store::Database& db, const Approval& approval);

}  // namespace a2h::consent
