#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/profile.h"
#include "core/store/database.h"

namespace a2h::store {

/// Where a profile has a word that is in none of its tags.
enum class WordPlace { Capabilities, Interests, Summary };

/// What a profile is found by. Tags are folded; words are as `collab::words_of` answers.
struct ProfileKeys {
    struct Word {
        std::string word;
        WordPlace place = WordPlace::Summary;
    };
    std::vector<std::string> tags;  ///< each once
    std::vector<Word> words;        ///< each once, without blanks
};

struct KeyedProfile {
    Profile profile;
    ProfileKeys keys;
};

/// Inserts or replaces the profile of this agent; one that is not active is found by nothing. Call
/// inside a transaction.
Result<void> save_profile(Database& db, const Profile& profile, const ProfileKeys& keys);
/// The same for many, which costs far less than one after the other.
Result<void> save_profiles(Database& db, std::span<const KeyedProfile> profiles);
Result<std::optional<Profile>> get_profile(Database& db, std::string_view agent_id);

/// Which profiles; what is empty does not count.
struct ProfileQuery {
    std::string_view source{};
    std::string_view tag{};    ///< folded
    std::string_view after{};  ///< the agent id that ended the page before
    int limit = 100;
};
/// By agent id.
Result<std::vector<Profile>> list_profiles(Database& db, const ProfileQuery& query);
/// Empty `source`: of all.
Result<std::int64_t> count_profiles(Database& db, std::string_view source);
/// Returns how many there were.
Result<std::int64_t> delete_profiles(Database& db, std::string_view source);

/// A tag and the number of active profiles that have it.
struct TagUse {
    std::string tag;
    std::int64_t profiles = 0;
};
/// By tag.
Result<std::vector<TagUse>> tags_in_use(Database& db);
/// Of active profiles, each once, as written.
Result<std::vector<std::string>> known_locations(Database& db);

/// Numbers of the active profiles with the tag `folded`.
Result<std::vector<std::int64_t>> profiles_with_tag(Database& db, std::string_view folded);
struct WordUse {
    std::int64_t profile = 0;
    WordPlace place = WordPlace::Summary;
};
Result<std::vector<WordUse>> profiles_with_word(Database& db, std::string_view word);

/// What candidates are compared by.
struct ProfileBrief {
    std::string agent_id;
    std::string user_name;
    std::string location;
    std::string availability;
    UnixMs updated_at_ms = 0;
};
Result<std::optional<ProfileBrief>> profile_brief(Database& db, std::int64_t profile);

}  // namespace a2h::store
