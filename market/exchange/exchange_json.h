#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/money.h"
#include "market/store/deal_store.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"
#include "market/store/session_store.h"

namespace a2h::market {

// The JSON forms of the exchange in answers, events and terms.
//
// Source:  docs/protocol.md, "Exchange".

/// Decimal major units: a number if every reader preserves it exactly, otherwise a text (R27).
nlohmann::json amount_json(const Money& money);
/// `{"currency","amount"}`
nlohmann::json price_json(const Money& price);

/// With its status as of `now_ms`.
nlohmann::json rfp_json(const Rfp& rfp, UnixMs now_ms);
nlohmann::json proposal_json(const Proposal& proposal);
/// The session as `agent_id`, one of its two, sees it.
nlohmann::json session_json(const Session& session, std::string_view agent_id);
nlohmann::json message_json(const SessionMessage& message);
/// The state of an offer: `open`, `accepted`, `rejected` or `expired`.
std::string_view offer_state(const SessionMessage& offer, UnixMs now_ms);
/// Without its terms.
nlohmann::json deal_json(const Deal& deal);

}  // namespace a2h::market
