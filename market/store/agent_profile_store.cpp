#include "market/store/agent_profile_store.h"

#include <algorithm>
#include <set>

#include "market/store/text_list.h"

namespace a2h::market::store {
namespace {

#define A2H_AGENT_PROFILE_SELECT                                                            \
    "select p.agent_id, p.user_name, a.name, p.profile_summary, p.location, p.tags_json,"   \
    " p.capabilities_json, p.interests_json, p.availability, p.is_active, a.revoked_at_ms," \
    " p.updated_at_ms from agent_profile p join agent a on a.agent_id = p.agent_id"

Result<AgentProfile> profile_in(db::Transaction& transaction, const db::Row& row) {
    AgentProfile found;
    found.agent_id = row.text(0);
    found.user_name = row.text(1).empty() ? row.text(2) : row.text(1);
    found.profile_summary = row.text(3);
    found.location = row.text(4);
    found.tags = read_list(row.text(5));
    found.capabilities_json = row.text(6);
    found.interests = read_list(row.text(7));
    found.availability = row.text(8);
    found.is_active = row.integer(9) != 0 && row.is_null(10);
    found.updated_at_ms = row.integer(11);
    A2H_ASSIGN_OR_RETURN(auto published, capabilities_of(transaction, found.agent_id));
    found.published = std::move(published);
    return found;
}

/// The time of a change: now, but later than every other, so that nothing changes where a reader
/// has been already. Writers run one after the other, or as if they did.
Result<UnixMs> next_change(db::Transaction& transaction, UnixMs now_ms) {
    static constexpr std::string_view kLast =
        "select coalesce(max(updated_at_ms), 0) from agent_profile";
    A2H_ASSIGN_OR_RETURN(const auto last, transaction.query_one(kLast, {}));
    return std::max(now_ms, last->integer(0) + 1);
}

/// Tags and capabilities as they are now become what the profile is found by.
Result<void> replace_profile_tags(db::Transaction& transaction, const std::string& agent_id,
                                  const std::vector<std::string>& tags) {
    static constexpr std::string_view kDelete = "delete from agent_profile_tag where agent_id = $1";
    static constexpr std::string_view kInsert =
        "insert into agent_profile_tag (tag, agent_id) values ($1, $2)";
    A2H_ASSIGN_OR_RETURN(const auto published, capabilities_of(transaction, agent_id));
    std::set<std::string> keys;
    for (const std::string& tag : tags)
        keys.insert(capability_key(tag));
    for (const Capability& capability : published) {
        keys.insert(capability_key(capability.type));
        for (const std::string& domain : capability.domains)
            keys.insert(capability_key(domain));
    }
    keys.erase("");
    A2H_TRY(transaction.execute(kDelete, {agent_id}));
    for (const std::string& key : keys) {
        A2H_TRY(transaction.execute(kInsert, {key, agent_id}));
    }
    return {};
}

}  // namespace

Result<void> save_agent_profile(db::Transaction& transaction, const AgentProfile& profile,
                                UnixMs now_ms) {
    static constexpr std::string_view kUpsert =
        "insert into agent_profile (agent_id, user_name, profile_summary, location, tags_json,"
        " capabilities_json, interests_json, availability, is_active, updated_at_ms)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        " on conflict (agent_id) do update set user_name = excluded.user_name,"
        " profile_summary = excluded.profile_summary, location = excluded.location,"
        " tags_json = excluded.tags_json, capabilities_json = excluded.capabilities_json,"
        " interests_json = excluded.interests_json, availability = excluded.availability,"
        " is_active = excluded.is_active, updated_at_ms = excluded.updated_at_ms";
    A2H_ASSIGN_OR_RETURN(const auto changed_ms, next_change(transaction, now_ms));
    A2H_TRY(transaction.execute(
        kUpsert, {profile.agent_id, profile.user_name, profile.profile_summary, profile.location,
                  list_text(profile.tags), profile.capabilities_json, list_text(profile.interests),
                  profile.availability, std::int64_t{profile.is_active ? 1 : 0}, changed_ms}));
    return replace_profile_tags(transaction, profile.agent_id, profile.tags);
}

Result<void> touch_agent_profile(db::Transaction& transaction, std::string_view agent_id,
                                 UnixMs now_ms) {
    static constexpr std::string_view kUpsert =
        "insert into agent_profile (agent_id, user_name, profile_summary, location, tags_json,"
        " capabilities_json, interests_json, availability, is_active, updated_at_ms)"
        " values ($1, '', '', '', '[]', '{}', '[]', '', 1, $2)"
        " on conflict (agent_id) do update set updated_at_ms = excluded.updated_at_ms";
    static constexpr std::string_view kTags =
        "select tags_json from agent_profile where agent_id = $1";
    const std::string agent(agent_id);
    A2H_ASSIGN_OR_RETURN(const auto changed_ms, next_change(transaction, now_ms));
    A2H_TRY(transaction.execute(kUpsert, {agent, changed_ms}));
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kTags, {agent}));
    return replace_profile_tags(transaction, agent, read_list(row->text(0)));
}

Result<std::optional<AgentProfile>> find_agent_profile(db::Transaction& transaction,
                                                       std::string_view agent_id) {
    static constexpr std::string_view kSelect = A2H_AGENT_PROFILE_SELECT " where p.agent_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kSelect, {std::string(agent_id)}));
    if (!row) return std::optional<AgentProfile>();
    A2H_ASSIGN_OR_RETURN(auto found, profile_in(transaction, *row));
    return std::optional(std::move(found));
}

Result<std::vector<AgentProfile>> list_agent_profiles(db::Transaction& transaction,
                                                      const AgentProfileQuery& query) {
    static constexpr std::string_view kSelect = A2H_AGENT_PROFILE_SELECT
        " where (p.updated_at_ms > $1 or (p.updated_at_ms = $1 and p.agent_id > $2))"
        " and ($3 = '' or exists (select 1 from agent_profile_tag t"
        " where t.tag = $3 and t.agent_id = p.agent_id))"
        " order by p.updated_at_ms, p.agent_id limit $4";
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         transaction.query(kSelect, {query.updated_after_ms, query.after_id,
                                                     capability_key(query.tag), query.limit}));
    std::vector<AgentProfile> profiles;
    for (const db::Row& row : rows) {
        A2H_ASSIGN_OR_RETURN(auto found, profile_in(transaction, row));
        profiles.push_back(std::move(found));
    }
    return profiles;
}

}  // namespace a2h::market::store
