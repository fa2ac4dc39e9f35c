#include "market/store/lease_store.h"

namespace a2h::market::store {
namespace {

Result<void> save(db::Transaction& transaction, std::string_view agent_id, const Lease& lease) {
    static constexpr std::string_view kUpsert =
        "insert into lease (agent_id, instance_id, client_id, epoch, lease_until_ms)"
        " values ($1, $2, $3, $4, $5) on conflict (agent_id) do update set"
        " instance_id = excluded.instance_id, client_id = excluded.client_id,"
        " epoch = excluded.epoch, lease_until_ms = excluded.lease_until_ms";
    A2H_TRY(transaction.execute(kUpsert, {std::string(agent_id), lease.instance_id, lease.client_id,
                                          lease.epoch, lease.lease_until_ms}));
    return {};
}

}  // namespace

Result<Lease> find_lease(db::Transaction& transaction, std::string_view agent_id) {
    static constexpr std::string_view kSelect =
        "select instance_id, client_id, epoch, lease_until_ms from lease where agent_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kSelect, {std::string(agent_id)}));
    if (!row) return Lease();
    return Lease{(*row).text(0), (*row).text(1), (*row).integer(2), (*row).integer(3)};
}

Result<Lease> acquire_lease(db::Transaction& transaction, std::string_view agent_id,
                            const Lease& wanted, UnixMs now_ms, bool force) {
    // None is longer than the one that is wanted, unless the clock was set back; then whoever has
    // it keeps it for as long as a new one would last.
    static constexpr std::string_view kShorten =
        "update lease set lease_until_ms = $1 where agent_id = $2 and lease_until_ms > $1";
    A2H_TRY(transaction.execute(kShorten, {wanted.lease_until_ms, std::string(agent_id)}));
    A2H_ASSIGN_OR_RETURN(const auto present, find_lease(transaction, agent_id));
    const bool held = present.lease_until_ms > now_ms;
    const bool own = present.instance_id == wanted.instance_id;
    if (held && !own && !force) return present;
    Lease lease = wanted;
    lease.epoch = held && own ? present.epoch : present.epoch + 1;
    A2H_TRY(save(transaction, agent_id, lease));
    return lease;
}

Result<Lease> extend_lease(db::Transaction& transaction, std::string_view agent_id,
                           std::string_view instance_id, std::int64_t epoch, UnixMs until_ms) {
    static constexpr std::string_view kExtend =
        "update lease set lease_until_ms = $1 where agent_id = $2 and instance_id = $3"
        " and epoch = $4";
    A2H_TRY(transaction.execute(
        kExtend, {until_ms, std::string(agent_id), std::string(instance_id), epoch}));
    return find_lease(transaction, agent_id);
}

}  // namespace a2h::market::store
