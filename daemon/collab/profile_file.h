#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/profile.h"

namespace a2h::collab {

// Profiles as JSON, with the members of the seed: agent_id, user_name, profile_summary, location,
// tags, capabilities, interests, availability; all but agent_id and user_name may be missing.
// Thread: any.

constexpr std::size_t kProfilesMax = 10'000;

/// The entries of an array, or of the member `profiles` of an object, checked to the last member.
/// `source` and times are left for the caller. `first_place`: of the first entry, when these are a
/// part of a longer list.
/// Errors: InvalidArgument, which names the entry by its place and the member: missing, of
/// another type, too long, unknown, an id twice, more than `kProfilesMax`.
Result<std::vector<Profile>> read_profiles(const nlohmann::json& from, int first_place = 1);

/// One entry. Members that are not of a profile are an error unless `may_have_more`.
Result<Profile> read_profile(const nlohmann::json& entry, bool may_have_more = false);

/// What `read_profile` reads, nothing left out.
nlohmann::json to_json(const Profile& profile);
/// The same with where it comes from, whether it is to be asked, and when it changed.
nlohmann::json shown_profile(const Profile& profile);

}  // namespace a2h::collab
