#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"

namespace a2h::outcome {

/// The action of an approved message; the others are operations of the catalogue.
constexpr std::string_view kSendAction = "message.send";

/// The request of a `message.send` approval as an outbox row with effect key `approval:<id>`.
/// Errors: Corrupt when the stored action lacks a member; Conflict when what it answers held only
/// until a time that has passed.
Result<OutboxMessage> message_of_request(const Approval& approval, UnixMs now_ms);

/// The arguments of an approved call. Errors: as above.
Result<nlohmann::json> arguments_of_request(const Approval& approval);

/// The share of a mandate that an approved message or call gives away, as JSON text for
/// `mandates::cut_share`; empty when it gives none.
std::string share_of_request(const Approval& approval);

}  // namespace a2h::outcome
