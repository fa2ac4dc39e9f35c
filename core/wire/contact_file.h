#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/contact.h"

namespace a2h::wire {

// Registries of contacts as a file, for a backup or for another program. Thread: any.
// Source: docs/protocol.md, "Messages between agents".

/// The contacts of each agent, by its id.
using ContactRegistries = std::map<std::string, std::vector<Contact>>;

/// Longest id and role that a file may bring in, in bytes and in code points.
constexpr std::size_t kContactIdBytesMax = 64;
constexpr std::size_t kContactRoleMax = 200;
/// An error names so many faults and counts the others.
constexpr std::size_t kFileFaultsMax = 100;

/// `{"contactRegistries": {"<agent>": [{"id", "role", "interfaceSpec"?, "source", "introducedBy"?,
/// "addedAt"}]}}`. Pinned keys are not written: they are proved anew.
nlohmann::json write_contact_file(const ContactRegistries& registries);

/// All of it or nothing. Other members of the file are left alone.
///
/// Errors: InvalidArgument with one line for each fault, "<where>: <what>": no object, an id that
///         is empty, too long or not of letters, digits and `_ - . :`, the agent itself, an id
///         twice, a role or spec that is none, an unknown source, an introducer without an
///         introduction, a time without an offset or before 1970.
Result<ContactRegistries> read_contact_file(const nlohmann::json& file);

}  // namespace a2h::wire
