#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/contact.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// The contact; nullopt if the agent has none with this id. It is found by primary key, in a time
/// that does not depend on the number of contacts.
Result<std::optional<Contact>> get_contact(Database& db, std::string_view agent_id,
                                           std::string_view peer_id);
/// Inserts the contact unless this registry already has the peer; never overwrites.
Result<void> add_contact(Database& db, const Contact& contact);
/// Adds the contact, or updates source, introduction, role and interface of an existing one. Its
/// time of creation and its key are kept.
Result<void> put_contact(Database& db, const Contact& contact);
/// Pins the first key of a peer. A different key later only sets `key_changed`. Returns true if the
/// key was, or now is, the pinned one.
///
/// Errors:  NotFound if the peer is not a contact.
Result<bool> pin_key(Database& db, std::string_view agent_id, std::string_view peer_id,
                     std::string_view key_id, std::string_view public_key);
/// The contacts after `after_peer_id`, sorted by peer id.
Result<std::vector<Contact>> list_contacts(Database& db, std::string_view agent_id, int limit,
                                           std::string_view after_peer_id = {});

}  // namespace a2h::store
