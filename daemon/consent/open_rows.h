#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "core/store/open_matter_store.h"

namespace a2h::consent {

// Matters besides mail that are open with a peer, such as an order that waits at the market. The
// feature to which they belong registers a row.
//
// Errors:  those of the database.
// Thread:  any, with a connection of its own.
// Source:  docs/rulings.md, R46.

/// The row that a feature registers. All members are set.
struct OpenRow {
    /// Since when something of the peer is open; nullopt: nothing is.
    Result<std::optional<UnixMs>> (*open_since)(store::Database& db, const store::Between& between);
    /// Returns the newest `max` things that the peer has said there, newest first.
    Result<std::vector<store::Said>> (*said_after)(store::Database& db, std::string_view agent_id,
                                                   std::string_view peer_id,
                                                   const store::SaidAfter& after, int max);
    /// The words of news (`From::News`) or of a thing that was read (`From::Market`), as a card
    /// shows them; nullopt if it is not of this row. Pure.
    std::optional<std::string> (*in_words)(const store::Said& said, i18n::Language language);
};

/// Adds a row, once. Call before other threads start.
void register_open_row(const OpenRow& row);

/// `store::has_open_message` with what is open according to all rows.
Result<bool> has_open_mail_or_row(store::Database& db, const store::Between& between);

/// `store::said_after` with what the rows return: at most `max` entries of each kind.
Result<std::vector<store::Said>> all_said_after(store::Database& db, std::string_view agent_id,
                                                std::string_view peer_id,
                                                const store::SaidAfter& after, int max);

/// The words of the first row that knows `said`. If none does, its members are shown.
std::string row_in_words(const store::Said& said, i18n::Language language);

}  // namespace a2h::consent
