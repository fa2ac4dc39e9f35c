#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::consent {

// The effect of an answer to a peer on a typed offer of our own. The market reads no words, so the
// peer could still accept that offer after a person has said something else. A message that answers
// a question therefore names the offer as replaced, and the market no longer makes a deal of it.
//
// Source:  docs/rulings.md, R78.

/// Names in the action of `approval`, and so in its digest, the offer that ends with any answer, or
/// the one that stays open: while the peer only asks for facts or an assistant asks of its own
/// accord, and the text says nothing about the terms. Returns whether the action has changed.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<bool> name_own_offer(store::Database& db, Approval& approval, UnixMs now_ms);

/// Whether the peer still stands to the typed offer that a yes to `approval` accepts; true if it
/// accepts none, or if no deal knows the offer.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<bool> accepts_what_stands(store::Database& db, const Approval& approval, UnixMs now_ms);

/// The message id of the offer that ends with any answer; empty: none does. Pure.
std::string offer_ended_by(std::string_view action_json);

/// `payload_json` with the offer that it ends; the same if it ends none. Pure.
std::string ending_offer(std::string payload_json, std::string_view action_json);

}  // namespace a2h::consent
