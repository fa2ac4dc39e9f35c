#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/deal.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::deals {

// The book of deals: which deal an act belongs to, and what it changes there.
//
// Errors:  those of the database.
// Thread:  that of `db`; functions that write: the store writer, inside its transaction.
// Source:  docs/architecture.md, "Deals".

/// What a message, or the market's news, says about the deal to which it belongs.
struct Named {
    std::string agent_id;
    std::string peer_id;
    std::string works_id{};          ///< the listing; may be empty
    std::string order_id{};          ///< may be empty
    std::string rfp_id{};            ///< the request for proposals; may be empty
    std::string offer_message_id{};  ///< the offer that it answers; may be empty
};

/// What a message of ours names.
Named named_in(const OutboxMessage& message);
/// What a message of a peer names.
Named named_in(const InboxMessage& message);

/// Writes `acts`, which one message or one piece of news does, into the deal that `named` means,
/// and returns what each of them did. Acts that are recorded already, and courtesies, are left out.
Result<std::vector<Advanced>> record(store::Database& db, const Named& named,
                                     const std::vector<Act>& acts, UnixMs now_ms);

/// The same for acts that depend on their deal: `deal` is what `find` has returned for `named` in
/// this transaction.
Result<std::vector<Advanced>> record_in(store::Database& db, std::optional<Deal> deal,
                                        const Named& named, const std::vector<Act>& acts,
                                        UnixMs now_ms);

/// The deal to which `named` belongs; nullopt: it would begin one. Its terms are those at `now_ms`.
Result<std::optional<Deal>> find(store::Database& db, const Named& named, UnixMs now_ms);

/// `deal` as its acts make it at `now_ms`, also if one of them has never left. A stale deal is put
/// together at each reading until `record` stores it.
Result<Deal> refreshed(store::Database& db, Deal deal, UnixMs now_ms);

/// The name of a message's act in `Act::source`.
std::string source_of_inbox(std::int64_t inbox_id, int number);
std::string source_of_outbox(std::int64_t outbox_id, int number);

}  // namespace a2h::deals
