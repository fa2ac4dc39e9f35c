#pragma once

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/store/open_matter_store.h"
#include "daemon/context/agent.h"

namespace a2h::mail {

/// Whether a text of ours could answer something of an agent of another home.
enum class Standing {
    Quiet,  ///< nothing of the peer is open, so a text answers nothing
    Open,   ///< a question or an offer of the peer is open with an agent of this home
    Unread  ///< something may be open: mail for an agent of this home may be waiting unread
};

/// The standing with `about.peer_id` of all agents of this home together. The other members of
/// `about` leave out what is being answered or ended, which does not count as open.
///
/// Errors:  those of the database.
/// Thread:  the loop.
/// Source:  docs/rulings.md, R46.
Result<Standing> standing_with(store::Database& db, const Agents& agents,
                               const store::Between& about);

/// Whether mail for an agent of this home may be waiting unread, from anybody.
///
/// Errors:  those of the database.
/// Thread:  the loop.
Result<bool> may_miss_mail(store::Database& db, const Agents& agents);

/// True while the mail that waited for an agent of this home is probably about to be read: the
/// agent is to be connected here, and neither its connection nor its canary has failed.
///
/// Thread:  the loop.
bool is_about_to_read(const Agents& agents);

}  // namespace a2h::mail
