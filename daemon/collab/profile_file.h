#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/profile.h"

namespace a2h::collab {

// Profiles as JSON with the members of the specification: agent_id, user_name, profile_summary,
// location, tags, capabilities, interests, availability. Only agent_id and user_name are required.
//
// Thread:  any.

constexpr std::size_t kProfilesMax = 10'000;

/// The entries of an array, or of the member `profiles` of an object, each checked completely. The
/// caller sets `source` and times. `first_place` is the position of the first entry if the entries
/// are part of a longer list.
///
/// Errors:  InvalidArgument, naming the position of the entry and the member: missing, of the wrong
///          type, too long, unknown, an id that appears twice, more than `kProfilesMax` entries.
Result<std::vector<Profile>> read_profiles(const nlohmann::json& from, int first_place = 1);

/// One entry. Unknown members are an error unless `may_have_more`.
Result<Profile> read_profile(const nlohmann::json& entry, bool may_have_more = false);

/// The complete counterpart of `read_profile`.
nlohmann::json to_json(const Profile& profile);
/// The same with its source, whether the agent may be invited, and the time of the last change.
nlohmann::json shown_profile(const Profile& profile);

}  // namespace a2h::collab
