#include "core/wire/message_types.h"

#include "core/domain/agent_message_types.h"
#include "core/wire/demand_messages.h"

namespace a2h::wire {

bool is_message_type(std::string_view type) {
    return type == "chat.request" || parse_agent_message_type(type) ||
           parse_demand_message_type(type);
}

}  // namespace a2h::wire
