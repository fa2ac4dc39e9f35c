#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/consent/approvals.h"

namespace a2h::consent {

/// The canonical JSON of what a yes to `ask` covers; see core/domain/approval.h.
std::string canonical_action(const Ask& ask, std::string_view policy_version);

/// Whether a yes answers a peer's offer of its own type with its acceptance.
bool accepts_offer(const Approval& approval);

/// The same approval for another text, with a new action and digest. A yes that accepts a typed
/// offer still does so if the text is a plain yes; all other words are sent as words, and the
/// amount, which belonged to the old text, is removed.
Approval with_reply_text(Approval approval, std::string_view text);

/// Whether the stored question says what its digest was made of. Codes, links and buttons are bound
/// to the digest, so a row that was changed in the database must not be answered or carried out.
bool is_intact(const Approval& approval);

/// The arguments of a call, or the members of a message, that a yes covers.
///
/// Errors:  Corrupt if the stored action has no request.
Result<nlohmann::json> arguments_of(const Approval& approval);

/// The part of a call's result that is kept with its approval, as canonical JSON. Long parts of a
/// result of more than 4 000 bytes are left out.
std::string outcome_detail(const nlohmann::json& result);

/// The ids that the outbox row of a reply needs from the action.
struct ActionIds {
    std::string order_id;
    std::string works_id;
};
ActionIds ids_of_action(std::string_view action_json);

/// The payload of a reply that contains more than words, in canonical form; empty if it is only
/// words.
std::string payload_of_action(std::string_view action_json);

/// The payload of a no that is a message of its own type, with `reject_text` as its words, in
/// canonical form; empty if the no is only words.
std::string refusal_of_action(const Approval& approval);

/// The time before which what a yes sends must leave, unix ms; 0: none.
UnixMs act_before_ms(std::string_view action_json);

}  // namespace a2h::consent
