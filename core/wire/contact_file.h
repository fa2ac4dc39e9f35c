#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/contact.h"

namespace a2h::wire {

// Registries of contacts as a file, for a backup or another program.
//
// Thread:  any.
// Source:  docs/protocol.md, "Messages between agents".

/// The contacts of each agent, keyed by its id.
using ContactRegistries = std::map<std::string, std::vector<Contact>>;

/// The longest id and role in a file, in bytes and in code points.
constexpr std::size_t kContactIdBytesMax = 64;
constexpr std::size_t kContactRoleMax = 200;
/// An error lists this many faults and counts the others.
constexpr std::size_t kFileFaultsMax = 100;

/// `{"contactRegistries": {"<agent>": [{"id", "role", "interfaceSpec"?, "source", "introducedBy"?,
/// "addedAt"}]}}`. Pinned keys are not written, because they must be proved again.
nlohmann::json write_contact_file(const ContactRegistries& registries);

/// Reads everything or nothing. Other members of the file are ignored.
///
/// Errors:  InvalidArgument with one line for each fault, "<where>: <what>": not an object; an id
///          that is empty, too long or contains characters other than letters, digits and `_ - .
///          :`; the agent itself; a duplicate id; an invalid role or spec; an unknown source; an
///          introducer without an introduction; a time without an offset or before 1970.
Result<ContactRegistries> read_contact_file(const nlohmann::json& file);

}  // namespace a2h::wire
