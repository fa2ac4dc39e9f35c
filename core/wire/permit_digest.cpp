#include "core/wire/permit_digest.h"

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/crypto.h"

namespace a2h::wire {

std::string permit_digest(const OutboxMessage& message) {
    return sha256_hex(canonical_json({{"agent_id", message.agent_id},
                                      {"target_id", message.target_id},
                                      {"message_id", message.message_id},
                                      {"message_type", message.message_type},
                                      {"trace_id", message.trace_id},
                                      {"payload", message.payload_json}}));
}

}  // namespace a2h::wire
