#include "market/store/lease_store.h"

namespace a2h::market::store {
namespace {

constexpr auto kLease =
    sql::table<Lease>("lease", A2H_COLUMNS(Lease, instance_id, client_id, epoch, lease_until_ms));

}  // namespace

Result<Lease> find_lease(db::Transaction& transaction, std::string_view agent_id) {
    static const std::string kSql = kLease.select("where agent_id = $1");
    A2H_ASSIGN_OR_RETURN(auto found, transaction.statement(kSql).first(kLease, agent_id));
    return std::move(found).value_or(Lease());
}

Result<Lease> acquire_lease(db::Transaction& transaction, std::string_view agent_id,
                            const Lease& wanted, UnixMs now_ms, bool force) {
    // No lease is longer than the requested duration unless the clock was set back; its holder then
    // keeps it for as long as a new one would last.
    static constexpr std::string_view kShorten =
        "update lease set lease_until_ms = $1 where agent_id = $2 and lease_until_ms > $1";
    static const std::string kUpsert =
        kLease.insert("on conflict (agent_id) do update set " + kLease.excluded(), "agent_id");
    A2H_TRY(transaction.statement(kShorten).run(wanted.lease_until_ms, agent_id));
    A2H_ASSIGN_OR_RETURN(const auto present, find_lease(transaction, agent_id));
    const bool held = present.lease_until_ms > now_ms;
    const bool own = present.instance_id == wanted.instance_id;
    if (held && !own && !force) return present;
    Lease lease = wanted;
    lease.epoch = held && own ? present.epoch : present.epoch + 1;
    A2H_TRY(transaction.statement(kUpsert).put(kLease, lease, agent_id));
    return lease;
}

Result<Lease> extend_lease(db::Transaction& transaction, std::string_view agent_id,
                           std::string_view instance_id, std::int64_t epoch, UnixMs until_ms) {
    static constexpr std::string_view kExtend =
        "update lease set lease_until_ms = $1 where agent_id = $2 and instance_id = $3"
        " and epoch = $4";
    A2H_TRY(transaction.statement(kExtend).run(until_ms, agent_id, instance_id, epoch));
    return find_lease(transaction, agent_id);
}

}  // namespace a2h::market::store
