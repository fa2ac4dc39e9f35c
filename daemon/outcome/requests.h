#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"

namespace a2h::outcome {

/// The action of an approved message. Other actions are operations of the catalogue.
constexpr std::string_view kSendAction = "message.send";

/// The outbox row for the request of a `message.send` approval, with effect key `approval:<id>`.
///
/// Errors:  Corrupt if the stored action lacks a member; Conflict if the offer that it answers has
///          expired.
Result<OutboxMessage> message_of_request(const Approval& approval, UnixMs now_ms);

}  // namespace a2h::outcome
