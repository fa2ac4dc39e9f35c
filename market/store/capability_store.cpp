#include "market/store/capability_store.h"

#include <set>

#include "core/i18n/normalize.h"
#include "market/store/text_list.h"

namespace a2h::market {

std::string capability_key(std::string_view text) {
    return i18n::fold(text);
}

}  // namespace a2h::market

namespace a2h::market::store {
namespace {

Result<void> add_key(db::Transaction& transaction, const std::string& type,
                     const std::string& domain, std::string_view agent_id) {
    static constexpr std::string_view kInsert =
        "insert into capability_key (type, domain, agent_id) values ($1, $2, $3)"
        " on conflict do nothing";
    const auto added = transaction.execute(kInsert, {type, domain, std::string(agent_id)});
    return added ? Result<void>() : fail(added.error());
}

Result<void> add_capability(db::Transaction& transaction, std::string_view agent_id,
                            std::int64_t position, const Capability& capability) {
    static constexpr std::string_view kInsert =
        "insert into capability (agent_id, position, type, domains_json) values ($1, $2, $3, $4)";
    A2H_TRY(transaction.execute(kInsert, {std::string(agent_id), position, capability.type,
                                          list_text(capability.domains)}));
    const std::string type = capability_key(capability.type);
    A2H_TRY(add_key(transaction, type, "", agent_id));
    for (const std::string& domain : capability.domains)
        A2H_TRY(add_key(transaction, type, capability_key(domain), agent_id));
    return {};
}

}  // namespace

Result<void> replace_capabilities(db::Transaction& transaction, std::string_view agent_id,
                                  const std::vector<Capability>& capabilities) {
    const std::string agent(agent_id);
    for (const char* sql : {"delete from capability where agent_id = $1",
                            "delete from capability_key where agent_id = $1"}) {
        A2H_TRY(transaction.execute(sql, {agent}));
    }
    for (std::size_t i = 0; i < capabilities.size(); ++i) {
        A2H_TRY(
            add_capability(transaction, agent_id, static_cast<std::int64_t>(i), capabilities[i]));
    }
    return {};
}

Result<std::vector<Capability>> capabilities_of(db::Transaction& transaction,
                                                std::string_view agent_id) {
    static constexpr std::string_view kSelect =
        "select type, domains_json from capability where agent_id = $1 order by position";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kSelect, {std::string(agent_id)}));
    std::vector<Capability> all;
    for (const db::Row& row : rows)
        all.push_back({row.text(0), read_list(row.text(1))});
    return all;
}

Result<std::vector<std::string>> matched_agents(db::Transaction& transaction, std::string_view type,
                                                const std::vector<std::string>& domains,
                                                std::string_view after, std::int64_t limit) {
    static constexpr std::string_view kSelect =
        "select agent_id from capability_key where type = $1 and domain = $2 and agent_id > $3"
        " order by agent_id limit $4";
    std::set<std::string> keys;
    for (const std::string& domain : domains)
        keys.insert(capability_key(domain));
    if (keys.empty()) keys.insert("");
    // The first of all are among the first of each.
    std::set<std::string> found;
    for (const std::string& key : keys) {
        A2H_ASSIGN_OR_RETURN(
            const auto rows,
            transaction.query(kSelect, {capability_key(type), key, std::string(after), limit}));
        for (const db::Row& row : rows)
            found.insert(row.text(0));
    }
    std::vector<std::string> agents(found.begin(), found.end());
    if (agents.size() > static_cast<std::size_t>(limit)) {
        agents.resize(static_cast<std::size_t>(limit));
    }
    return agents;
}

Result<bool> is_matched(db::Transaction& transaction, std::string_view rfp_id,
                        std::string_view agent_id) {
    static constexpr std::string_view kSelect =
        "select 1 from rfp_key k join capability_key c on c.type = k.type and c.domain = k.domain"
        " where k.rfp_id = $1 and c.agent_id = $2 limit 1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kSelect, {std::string(rfp_id),
                                                                         std::string(agent_id)}));
    return row.has_value();
}

}  // namespace a2h::market::store
