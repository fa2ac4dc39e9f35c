#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "daemon/operations/sender.h"

namespace a2h::operations {

// Thread:  the loop.

/// A member of a payload that only says what a message is about.
struct Reference {
    std::string name;  ///< as spelt in the payload
    std::string id;    ///< empty: the member is not a text
};

/// True for names of references: `orderId`, `task_id`, `taskId`, …
bool is_reference_name(std::string_view name);
/// True if the market chooses the ids of such members (orders, listings); peers choose the others.
bool is_named_by_market(std::string_view name);
/// All references in `payload`, an object.
std::vector<Reference> references_in(const nlohmann::json& payload);

/// A message of an assistant to an agent of another home, before it is judged.
struct AboutMail {
    std::string target_id;
    std::string message_type;  ///< empty for an ordinary message
    std::string payload_json;
};

/// Calls `then` on the loop if every reference of `mail` is known: an order or a listing from the
/// market or its mail, a task from those of this agent, a message or a request from its mailbox. A
/// message that begins something must name it with a new UUID. Within this home nothing is checked.
/// Otherwise answers the call: InvalidArgument with the unknown member; Unavailable if the market
/// cannot be asked.
///
/// Source:  docs/rulings.md, R47.
void with_known_references(const Sender& sender, const Call& call, const AboutMail& mail,
                           const Reply& reply, std::function<void()> then);

}  // namespace a2h::operations
