#include "core/store/profile_store.h"

#include "core/store/profile_postings.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kProfile = sql::table<Profile>(
    "profile",
    A2H_COLUMNS(Profile, agent_id, source, user_name, location, availability, is_active,
                updated_at_ms, capabilities_json, profile_summary),
    sql::column("tags_json", &Profile::tags), sql::column("interests_json", &Profile::interests));

/// The stored part of a profile's keys.
struct Stored {
    std::int64_t number = 0;
    std::string words;  ///< see `joined_words`
};

Result<std::optional<Stored>> stored_keys(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql = "select number, words from profile where agent_id = ?";
    return db.statement(kSql).first(
        [](Row& row) {
            return Stored{row.integer(0), row.text(1)};
        },
        agent_id);
}

Result<std::int64_t> put_profile(Database& db, const Profile& made, const std::string& words) {
    static const std::string kSql =
        kProfile.insert("on conflict (agent_id) do update set " + kProfile.excluded() +
                            ", words = excluded.words returning number",
                        "words");
    return kProfile.apply(
        [&](const auto&... values) { return db.statement(kSql).number(values...); }, made, words);
}

Result<void> put_tags(Database& db, std::int64_t profile, const std::vector<std::string>& tags) {
    static constexpr const char* kTag = "insert into profile_tag (tag, profile) values (?, ?)";
    for (const std::string& tag : tags)
        A2H_TRY(db.statement(kTag).run(tag, profile));
    return {};
}

Result<void> save_one(Database& db, const Profile& profile, const ProfileKeys& keys,
                      PostingChanges& changes) {
    static constexpr const char* kClearTags = "delete from profile_tag where profile = ?";
    A2H_ASSIGN_OR_RETURN(const auto before, stored_keys(db, profile.agent_id));
    if (before) {
        changes.remove(before->words, before->number);
        A2H_TRY(db.statement(kClearTags).run(before->number));
    }
    const std::string words = profile.is_active ? joined_words(keys) : std::string();
    A2H_ASSIGN_OR_RETURN(const auto number, put_profile(db, profile, words));
    if (!profile.is_active) return {};
    for (const ProfileKeys::Word& word : keys.words)
        changes.add(word, number);
    return put_tags(db, number, keys.tags);
}

}  // namespace

Result<void> save_profiles(Database& db, std::span<const KeyedProfile> profiles) {
    PostingChanges changes;
    for (const KeyedProfile& each : profiles)
        A2H_TRY(save_one(db, each.profile, each.keys, changes));
    return changes.write(db);
}

Result<std::optional<Profile>> get_profile(Database& db, std::string_view agent_id) {
    static const std::string kSql = kProfile.select("where agent_id = ?");
    return db.statement(kSql).first(kProfile, agent_id);
}

Result<std::vector<Profile>> list_profiles(Database& db, const ProfileQuery& query) {
    static const std::string kSql = kProfile.select(
        "where agent_id > ?3 and (?1 = '' or source = ?1) and (?2 = '' or number in "
        "(select profile from profile_tag where tag = ?2)) order by agent_id limit ?4");
    return db.statement(kSql).all(kProfile, query.source, query.tag, query.after, query.limit);
}

Result<std::int64_t> count_profiles(Database& db, std::string_view source) {
    static constexpr const char* kSql = "select count(*) from profile where ?1 = '' or source = ?1";
    return db.statement(kSql).number(source);
}

Result<std::int64_t> delete_profiles(Database& db, std::string_view source) {
    static constexpr const char* kWords = "select number, words from profile where source = ?";
    static constexpr const char* kSql = "delete from profile where source = ?";
    A2H_ASSIGN_OR_RETURN(const auto stored, db.statement(kWords).all(
                                                [](Row& row) {
                                                    return Stored{row.integer(0), row.text(1)};
                                                },
                                                source));
    PostingChanges changes;
    for (const Stored& each : stored)
        changes.remove(each.words, each.number);
    A2H_TRY(changes.write(db));
    Statement& statement = db.statement(kSql);
    A2H_TRY(statement.run(source));
    return std::int64_t{statement.changes()};
}

Result<std::vector<TagUse>> tags_in_use(Database& db) {
    static constexpr const char* kSql =
        "select tag, count(*) from profile_tag group by tag order by tag";
    return db.statement(kSql).all([](Row& row) { return TagUse{row.text(0), row.integer(1)}; });
}

Result<std::vector<std::string>> known_locations(Database& db) {
    static constexpr const char* kSql =
        "select distinct location from profile where is_active = 1 and location <> '' "
        "order by location";
    return db.statement(kSql).all(sql::kFirstText);
}

Result<std::vector<std::int64_t>> profiles_with_tag(Database& db, std::string_view folded) {
    static constexpr const char* kSql = "select profile from profile_tag where tag = ?";
    return db.statement(kSql).all(sql::kFirstNumber, folded);
}

Result<std::vector<WordUse>> profiles_with_word(Database& db, std::string_view word) {
    return read_postings(db, word);
}

Result<std::optional<ProfileBrief>> profile_brief(Database& db, std::int64_t profile) {
    static constexpr const char* kSql =
        "select agent_id, user_name, location, availability, updated_at_ms from profile "
        "where number = ?";
    return db.statement(kSql).first(
        [](Row& row) {
            return ProfileBrief{row.text(0), row.text(1), row.text(2), row.text(3), row.integer(4)};
        },
        profile);
}

}  // namespace a2h::store
