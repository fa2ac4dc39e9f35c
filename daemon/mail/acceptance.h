#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/deal.h"
#include "core/domain/message.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"

namespace a2h::mail {

// Answers to an offer that is a message of its own type. The market makes a deal only of a typed
// acceptance, so a yes to such an offer never sends words alone.
//
// Errors:  those of the database, unless stated otherwise.
// Thread:  any, with a connection of its own.
// Source:  docs/protocol.md, "Exchange"; R26, R73.

/// The price of an offer, decimal major units with their currency (R27). Pure.
///
/// Errors:  InvalidArgument if it cannot be read or is 0.
Result<Money> price_in(const nlohmann::json& payload);

/// The end of an offer (`valid_until`), unix ms; 0: none. Pure.
///
/// Errors:  InvalidArgument if it cannot be read; Conflict if it has passed.
Result<UnixMs> end_of_offer(const nlohmann::json& payload, UnixMs now_ms);

/// The deal to which `payload`, from `agent_id` to `peer_id`, would belong; nullopt: it would begin
/// one.
Result<std::optional<Deal>> deal_of(store::Database& db, const std::string& agent_id,
                                    const std::string& peer_id, const nlohmann::json& payload,
                                    UnixMs now_ms);

/// `payload`, an offer or an acceptance from `agent_id` to `peer_id`, in place of the typed
/// offer to which the agent stands: one bargain is to make one deal. One that names what it
/// replaces stays as it is.
Result<nlohmann::json> in_place_of_open_offer(store::Database& db, const std::string& agent_id,
                                              const std::string& peer_id, nlohmann::json payload,
                                              UnixMs now_ms);

struct Acceptance {
    nlohmann::json payload;
    Money amount;
    UnixMs until_ms = 0;  ///< the end of the offer, unix ms; 0: none
};

/// Makes `payload`, which may hold words and ids, the acceptance of `offer`. It names the offer by
/// id and content, so that the market makes a deal of what was shown and of nothing else, and takes
/// the place of the own open offer. Whether the peer still stands to it is not checked.
///
/// Errors:  NotFound if the message is no offer; InvalidArgument if its price or end cannot be
///          read; Conflict if it has ended.
Result<Acceptance> acceptance_of(store::Database& db, const InboxMessage& offer,
                                 nlohmann::json payload, UnixMs now_ms);

/// Makes a yes to `ask`, whose `reply_text` agrees to the typed `offer`, send the acceptance of the
/// offer with these words, and a no that has words send its rejection. False, and nothing changes,
/// if the offer cannot be accepted, or if the amount of `ask` is not its price.
Result<bool> accept_by_yes(store::Database& db, const InboxMessage& offer, consent::Ask& ask,
                           UnixMs now_ms);

}  // namespace a2h::mail
