#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"

namespace a2h::consent {

// The words of a peer to the agents of this home, as a card shows them: each message, piece of the
// market's news and thing that was read there is one entry, with all its members. Further lines of
// an entry are indented, so that nothing in it looks like another entry or a line of the card.
//
// Errors:  those of the store.
// Source:  docs/rulings.md, R45 and R46.

/// The most entries and bytes that a card shows. With more of them no yes counts.
constexpr int kSaidMax = 50;
constexpr std::size_t kSaidBytesMax = 64 * 1024;

struct Said {
    std::string text;  ///< the entries, oldest first, each with a line break at its end
    int count = 0;
    bool has_more = false;  ///< there are older entries, which are not in `text`
};

/// The words as one entry, and the number of entries in a text. Both are pure.
std::string entry_of(std::string_view words);
int count_entries(std::string_view text);

/// Returns what is open with the peers of `approval` because of their words: everything that they
/// have said to any agent of this home since the last yes of a human, except what leaves nothing
/// open.
///
/// Thread:  any, with a connection of its own.
Result<Said> said_and_open(store::Database& db, const Approval& approval, i18n::Language language);

/// The same for a question about a message of its only peer: what was said before that message, in
/// the conversation, to other agents of this home and at the market. What its card shows already is
/// left out.
///
/// Thread:  any, with a connection of its own.
Result<Said> open_before(store::Database& db, const Approval& approval, i18n::Language language);

/// Returns what the peers of `approval` have said after what its card shows, except about its own
/// matter: at the market, to other agents of this home and, if there are several peers, to its own
/// agent. Moves the two places of `approval`.
///
/// Thread:  any, with a connection of its own.
Result<Said> said_elsewhere(store::Database& db, Approval& approval, i18n::Language language);

}  // namespace a2h::consent
