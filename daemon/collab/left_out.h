#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/store/database.h"
#include "core/store/open_matter_store.h"
#include "daemon/collab/negotiation.h"
#include "daemon/collab/steps.h"

namespace a2h::collab {

// A plan, a question or an end that says *agreed* could accept something else that an agent has
// said ("if you send me a plan, you agree"). So none is sent to an agent with whom anything else is
// open: it is left out like one that has declined.
//
// Errors:  those of the database.
// Thread:  the store writer, in the transaction that writes the message.
// Source:  docs/rulings.md, R46.

/// The reason in events and views.
inline constexpr const char* kOpenMatter = "open_matter";

/// Whether the party was left out. It has not declined itself.
bool is_left_out(const Party& party);

/// True while anything but the mail of its negotiations is open with `about.peer_id`, for
/// `about.agent_id` or another agent of this home. `about.negotiation_id` is the negotiation that
/// continues. Only what is authentic counts (R49).
///
/// Thread:  any, with a connection of its own.
Result<bool> is_open_beside(store::Database& db, const std::vector<std::string>& home,
                            const store::Between& about);

/// Leaves out every party of `run` in the state `from` with which anything but the mail of its
/// negotiations is open, for any agent of this home. Returns the number. Agents of this home are
/// never left out. With `to.is_unread` all others are.
Result<int> leave_out_open(const Writing& to, Run& run, PartyState from);

}  // namespace a2h::collab
