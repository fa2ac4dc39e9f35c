#include "core/store/profile_store.h"

#include "core/store/json_list.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_PROFILE_COLUMNS                                                           \
    "agent_id, source, user_name, location, availability, is_active, updated_at_ms, " \
    "tags_json, interests_json, capabilities_json, profile_summary"

Profile read_profile(Row& row) {
    Profile found;
    found.agent_id = row.text(0);
    found.source = row.text(1);
    found.user_name = row.text(2);
    found.location = row.text(3);
    found.availability = row.text(4);
    found.is_active = row.integer(5) != 0;
    found.updated_at_ms = row.integer(6);
    found.tags = parse_json_list(row.text(7));
    found.interests = parse_json_list(row.text(8));
    found.capabilities_json = row.text(9);
    found.profile_summary = row.text(10);
    return found;
}

Result<std::int64_t> put_profile(Database& db, const Profile& made) {
    static constexpr const char* kSql =
        "insert into profile (" A2H_PROFILE_COLUMNS
        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (agent_id) do update set "
        "source = excluded.source, user_name = excluded.user_name, location = excluded.location, "
        "availability = excluded.availability, is_active = excluded.is_active, "
        "updated_at_ms = excluded.updated_at_ms, tags_json = excluded.tags_json, "
        "interests_json = excluded.interests_json, "
        "capabilities_json = excluded.capabilities_json, "
        "profile_summary = excluded.profile_summary";
    static constexpr const char* kNumber = "select number from profile where agent_id = ?";
    A2H_TRY(db.statement(kSql).run(made.agent_id, made.source, made.user_name, made.location,
                                   made.availability, made.is_active ? 1 : 0, made.updated_at_ms,
                                   to_json_list(made.tags), to_json_list(made.interests),
                                   made.capabilities_json, made.profile_summary));
    return db.statement(kNumber).number(made.agent_id);
}

Result<void> put_keys(Database& db, std::int64_t profile, const ProfileKeys& keys) {
    static constexpr const char* kTag = "insert into profile_tag (tag, profile) values (?, ?)";
    static constexpr const char* kWord =
        "insert into profile_word (word, profile, place) values (?, ?, ?)";
    for (const std::string& tag : keys.tags)
        A2H_TRY(db.statement(kTag).run(tag, profile));
    for (const ProfileKeys::Word& word : keys.words)
        A2H_TRY(db.statement(kWord).run(word.word, profile, static_cast<int>(word.place)));
    return {};
}

}  // namespace

Result<void> save_profile(Database& db, const Profile& profile, const ProfileKeys& keys) {
    static constexpr const char* kClearTags = "delete from profile_tag where profile = ?";
    static constexpr const char* kClearWords = "delete from profile_word where profile = ?";
    const auto number = put_profile(db, profile);
    if (!number) return fail(number.error());
    A2H_TRY(db.statement(kClearTags).run(*number));
    A2H_TRY(db.statement(kClearWords).run(*number));
    if (!profile.is_active) return {};
    return put_keys(db, *number, keys);
}

Result<std::optional<Profile>> get_profile(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select " A2H_PROFILE_COLUMNS " from profile where agent_id = ?";
    return db.statement(kSql).first(read_profile, agent_id);
}

Result<std::vector<Profile>> list_profiles(Database& db, const ProfileQuery& query) {
    static constexpr const char* kSql =
        "select " A2H_PROFILE_COLUMNS
        " from profile where agent_id > ?3 and (?1 = '' or source = ?1) and (?2 = '' or number in "
        "(select profile from profile_tag where tag = ?2)) order by agent_id limit ?4";
    return db.statement(kSql).all(read_profile, query.source, query.tag, query.after, query.limit);
}

Result<std::int64_t> count_profiles(Database& db, std::string_view source) {
    static constexpr const char* kSql = "select count(*) from profile where ?1 = '' or source = ?1";
    return db.statement(kSql).number(source);
}

Result<std::int64_t> delete_profiles(Database& db, std::string_view source) {
    static constexpr const char* kSql = "delete from profile where source = ?";
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
    return db.statement(kSql).all([](Row& row) { return row.text(0); });
}

Result<std::vector<std::int64_t>> profiles_with_tag(Database& db, std::string_view folded) {
    static constexpr const char* kSql = "select profile from profile_tag where tag = ?";
    return db.statement(kSql).all([](Row& row) { return row.integer(0); }, folded);
}

Result<std::vector<WordUse>> profiles_with_word(Database& db, std::string_view word) {
    static constexpr const char* kSql = "select profile, place from profile_word where word = ?";
    return db.statement(kSql).all(
        [](Row& row) {
            return WordUse{row.integer(0), static_cast<WordPlace>(row.small(1))};
        },
        word);
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
