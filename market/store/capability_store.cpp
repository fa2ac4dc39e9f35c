#include "market/store/capability_store.h"

#include <set>

#include "core/i18n/normalize.h"

namespace a2h::market {

std::string capability_key(std::string_view text) {
    return i18n::fold(text);
}

}  // namespace a2h::market

namespace a2h::market::store {
namespace {

constexpr auto kCapability = sql::table<Capability>(
    "capability", A2H_COLUMNS(Capability, type), sql::column("domains_json", &Capability::domains));

Result<void> add_key(db::Transaction& transaction, const std::string& type,
                     const std::string& domain, std::string_view agent_id) {
    static constexpr std::string_view kInsert =
        "insert into capability_key (type, domain, agent_id) values ($1, $2, $3)"
        " on conflict do nothing";
    return transaction.statement(kInsert).run(type, domain, agent_id);
}

Result<void> add_capability(db::Transaction& transaction, std::string_view agent_id,
                            std::int64_t position, const Capability& capability) {
    static const std::string kInsert = kCapability.insert("", "agent_id, position");
    A2H_TRY(transaction.statement(kInsert).put(kCapability, capability, agent_id, position));
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
    static const std::string kSql = kCapability.select("where agent_id = $1 order by position");
    return transaction.statement(kSql).all(kCapability, agent_id);
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
    // The first agents of all are among the first of each domain.
    std::set<std::string> found;
    for (const std::string& key : keys) {
        A2H_ASSIGN_OR_RETURN(
            auto agents, transaction.statement(kSelect).all(sql::kFirstText, capability_key(type),
                                                            key, after, limit));
        found.insert(agents.begin(), agents.end());
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
        "select exists (select 1 from rfp_key k join capability_key c on c.type = k.type"
        " and c.domain = k.domain where k.rfp_id = $1 and c.agent_id = $2)";
    return transaction.statement(kSelect).is_true(rfp_id, agent_id);
}

}  // namespace a2h::market::store
