#include "daemon/outcome/requests.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/consent/action.h"
#include "daemon/effects/rows.h"

namespace a2h::outcome {

Result<OutboxMessage> message_of_request(const Approval& approval, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto request, consent::arguments_of(approval));
    const auto payload = request.find("payload");
    if (payload == request.end() || !payload->is_object()) {
        return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no payload");
    }
    const auto& named = wire::member(request, "act_before_ms");
    const UnixMs act_before_ms =
        named.is_number_integer() ? named.get<UnixMs>() : std::numeric_limits<UnixMs>::max();
    if (act_before_ms <= now_ms) {
        return fail(ErrorCode::Conflict, "the offer is no longer valid; nothing was sent");
    }
    OutboxMessage message = effects::new_outbox_message(approval.agent_id, approval.peer_id,
                                                        wire::canonical_json(*payload), "",
                                                        "approval:" + approval.id, now_ms);
    const std::string type = wire::text_member(request, "message_type");
    if (!type.empty()) message.message_type = type;
    message.effect_key = "approval:" + approval.id;
    message.expires_at_ms = std::min(message.expires_at_ms, act_before_ms);
    return message;
}

}  // namespace a2h::outcome
