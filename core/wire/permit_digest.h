#pragma once

#include <string>

#include "core/domain/outbox.h"

namespace a2h::wire {

/// The hex SHA-256 of the canonical JSON of all that leaves with `message`: sender, receiver, ids,
/// type and payload. Its times and its signature are made when it is sent.
///
/// Thread:  any.
/// Source:  docs/rulings.md, R58.
std::string permit_digest(const OutboxMessage& message);

}  // namespace a2h::wire
