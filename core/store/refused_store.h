#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/store/database.h"

namespace a2h::store {

// Messages that were not accepted (table `refused_message`).
//
// Errors:  those of the database.
// Thread:  the store writer for changes, any other with a connection of its own.

/// Records a refused message, unless its claimed sender has sent the same before (`digest`). All
/// are counted by reason. The newest `kRefusedRowsMax` rows are kept for each agent and, apart from
/// them, the newest `kRefusedOfSenderMax` of each authentic sender.
constexpr std::int64_t kRefusedRowsMax = 1'000;
constexpr std::int64_t kRefusedOfSenderMax = 8;
Result<void> insert_refused(Database& db, const RefusedMessage& refused);
/// Whether a message with this digest, which could be its claimed sender's, is recorded.
Result<bool> has_refused(Database& db, std::string_view agent_id, std::string_view claimed_sender,
                         std::string_view digest);
/// Records whose message the row with this digest is. It counts as received now, because questions
/// that were asked before could not know it.
Result<void> set_refused_provenance(Database& db, std::string_view agent_id,
                                    std::string_view claimed_sender, std::string_view digest,
                                    Provenance provenance, UnixMs now_ms);

/// (reason, count) of all refusals since the beginning, by name of the reason.
Result<std::vector<std::pair<std::string, std::int64_t>>> refused_by_reason(
    Database& db, std::string_view agent_id);

}  // namespace a2h::store
