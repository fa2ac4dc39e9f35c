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

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// The part of a profile that contains a word which is in none of its tags.
enum class WordPlace { Capabilities, Interests, Summary };

/// The keys by which a profile is found. Tags are folded; words are in the form of
/// `collab::words_of_text`.
struct ProfileKeys {
    struct Word {
        std::string word;
        WordPlace place = WordPlace::Summary;
    };
    std::vector<std::string> tags;  ///< without duplicates
    std::vector<Word> words;        ///< without duplicates and blanks
};

struct KeyedProfile {
    Profile profile;
    ProfileKeys keys;
};

/// Inserts or replaces the profiles of these agents, all at once because that is much faster than
/// one by one. An inactive profile is not found by any key. Call inside a transaction.
Result<void> save_profiles(Database& db, std::span<const KeyedProfile> profiles);
Result<std::optional<Profile>> get_profile(Database& db, std::string_view agent_id);

/// Selects profiles; empty members are ignored.
struct ProfileQuery {
    std::string_view source{};
    std::string_view tag{};    ///< folded
    std::string_view after{};  ///< the last agent id of the previous page
    int limit = 100;
};
/// The selected profiles, sorted by agent id.
Result<std::vector<Profile>> list_profiles(Database& db, const ProfileQuery& query);
/// The number of profiles from `source`; an empty one means all.
Result<std::int64_t> count_profiles(Database& db, std::string_view source);
/// Returns the number of deleted profiles.
Result<std::int64_t> delete_profiles(Database& db, std::string_view source);

/// A tag and the number of active profiles with it.
struct TagUse {
    std::string tag;
    std::int64_t profiles = 0;
};
/// The tags of active profiles, sorted by tag.
Result<std::vector<TagUse>> tags_in_use(Database& db);
/// The locations of the active profiles, as written and without duplicates.
Result<std::vector<std::string>> known_locations(Database& db);

/// The numbers of the active profiles with the folded tag.
Result<std::vector<std::int64_t>> profiles_with_tag(Database& db, std::string_view folded);
struct WordUse {
    std::int64_t profile = 0;
    WordPlace place = WordPlace::Summary;
};
Result<std::vector<WordUse>> profiles_with_word(Database& db, std::string_view word);

/// The part of a profile by which candidates are compared.
struct ProfileBrief {
    std::string agent_id;
    std::string user_name;
    std::string location;
    std::string availability;
    UnixMs updated_at_ms = 0;
};
Result<std::optional<ProfileBrief>> profile_brief(Database& db, std::int64_t profile);

}  // namespace a2h::store
