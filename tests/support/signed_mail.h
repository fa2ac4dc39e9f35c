#pragma once

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/platform/client.h"
#include "core/wire/envelope.h"
#include "tests/support/queued_message.h"

namespace a2h::test {

/// An envelope from `account`, signed now, as it is sent over the broker; with a new trace id if
/// none is given.
inline std::string signed_mail(const platform::Account& account, std::string target_id,
                               std::string message_type, const nlohmann::json& payload,
                               std::string trace_id = {}) {
    OutboxMessage message = queued_message(account.agent_id, std::move(target_id),
                                           std::move(message_type), payload.dump(), {});
    if (!trace_id.empty()) message.trace_id = std::move(trace_id);
    const auto envelope = wire::sign_envelope(message, account.keys, message.created_at_ms);
    A2H_CHECK(envelope.has_value());
    return *envelope;
}

}  // namespace a2h::test
