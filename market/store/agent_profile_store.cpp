#include "market/store/agent_profile_store.h"

#include <algorithm>
#include <set>

namespace a2h::market::store {
namespace {

constexpr auto kProfileRow = sql::table<AgentProfile>(
    "agent_profile",
    A2H_COLUMNS(AgentProfile, agent_id, user_name, profile_summary, location, capabilities_json,
                availability, is_active, updated_at_ms),
    sql::column("tags_json", &AgentProfile::tags),
    sql::column("interests_json", &AgentProfile::interests));

/// Rows of `kProfileRow`, then the agent's name and whether it was revoked.
std::string select_profiles(std::string_view rest) {
    return "select " + kProfileRow.names("p.") +
           ", a.name, a.revoked_at_ms is not null from agent_profile p"
           " join agent a on a.agent_id = p.agent_id " +
           std::string(rest);
}

AgentProfile read_profile(db::Row& row) {
    constexpr int kName = kProfileRow.kWidth;
    AgentProfile found = kProfileRow(row);
    if (found.user_name.empty()) found.user_name = row.take_text(kName);
    if (row.integer(kName + 1) != 0) found.is_active = false;
    return found;
}

/// The time of a change: now, but later than all other changes, so that nothing changes at a
/// position that a reader has passed. Writers run one after the other, or as if they did.
Result<UnixMs> next_change(db::Transaction& transaction, UnixMs now_ms) {
    static constexpr std::string_view kLast =
        "select coalesce(max(updated_at_ms), 0) from agent_profile";
    A2H_ASSIGN_OR_RETURN(const auto last, transaction.statement(kLast).number());
    return std::max(now_ms, last + 1);
}

/// Rebuilds the search keys from the current tags and capabilities.
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
    static constexpr auto kSaved = sql::without<kProfileRow, &AgentProfile::updated_at_ms>();
    static const std::string kUpsert = kSaved.insert(
        "on conflict (agent_id) do update set " + kProfileRow.excluded(), "updated_at_ms");
    A2H_ASSIGN_OR_RETURN(const auto changed_ms, next_change(transaction, now_ms));
    A2H_TRY(transaction.statement(kUpsert).put(kSaved, profile, changed_ms));
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
    A2H_ASSIGN_OR_RETURN(const auto tags,
                         transaction.statement(kTags).first(sql::kFirstText, agent));
    return replace_profile_tags(transaction, agent, sql::read_list(tags.value_or("")));
}

Result<std::optional<AgentProfile>> find_agent_profile(db::Transaction& transaction,
                                                       std::string_view agent_id) {
    static const std::string kSql = select_profiles("where p.agent_id = $1");
    A2H_ASSIGN_OR_RETURN(auto found, transaction.statement(kSql).first(read_profile, agent_id));
    if (!found) return found;
    A2H_ASSIGN_OR_RETURN(found->published, capabilities_of(transaction, found->agent_id));
    return found;
}

Result<std::vector<AgentProfile>> list_agent_profiles(db::Transaction& transaction,
                                                      const AgentProfileQuery& query) {
    static const std::string kSql = select_profiles(
        "where (p.updated_at_ms > $1 or (p.updated_at_ms = $1 and p.agent_id > $2))"
        " and ($3 = '' or exists (select 1 from agent_profile_tag t"
        " where t.tag = $3 and t.agent_id = p.agent_id))"
        " order by p.updated_at_ms, p.agent_id limit $4");
    A2H_ASSIGN_OR_RETURN(auto profiles, transaction.statement(kSql).all(
                                            read_profile, query.updated_after_ms, query.after_id,
                                            capability_key(query.tag), query.limit));
    for (AgentProfile& profile : profiles) {
        A2H_ASSIGN_OR_RETURN(profile.published, capabilities_of(transaction, profile.agent_id));
    }
    return profiles;
}

}  // namespace a2h::market::store
