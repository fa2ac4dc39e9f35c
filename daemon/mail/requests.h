#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"

namespace a2h::pipeline {

/// The action of an approved message; the others are operations of the catalogue.
constexpr std::string_view kSendAction = "message.send";
/// That of an assistant's demand.
constexpr std::string_view kSubmitAction = "demand.submit";
/// The action of an approval that makes an agent with a share of a mandate.
constexpr std::string_view kSpawnAction = "agent.spawn";

/// The request of a `message.send` approval as an outbox row with effect key `approval:<id>`.
/// Errors: Corrupt when the stored action lacks a member; Conflict when what it answers held only
/// until a time that has passed.
Result<OutboxMessage> message_of_request(const Approval& approval, UnixMs now_ms);

/// The arguments of an approved call of the market. Errors: as above.
Result<nlohmann::json> arguments_of_request(const Approval& approval);

}  // namespace a2h::pipeline
