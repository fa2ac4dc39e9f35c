#include "market/store/rfp_store.h"

#include <set>

#include "market/store/capability_store.h"

namespace a2h::market {

RfpStatus Rfp::status_at(UnixMs now_ms) const {
    const bool over = deadline_at_ms && now_ms >= *deadline_at_ms;
    return status == RfpStatus::Open && over ? RfpStatus::Closed : status;
}

}  // namespace a2h::market

namespace a2h::market::store {
namespace {

constexpr auto kRfp =
    sql::table<Rfp>("rfp as r",
                    A2H_COLUMNS(Rfp, rfp_id, creator_id, title, description, capability_type,
                                deadline_at_ms, created_at_ms, updated_at_ms),
                    sql::column("domains_json", &Rfp::domains),
                    sql::column("budget_currency", &Rfp::budget, &Money::currency),
                    sql::column("budget_max_minor", &Rfp::budget, &Money::minor),
                    sql::column("status", &Rfp::status, parse_rfp_status));
constexpr auto kTelling = sql::table<Telling>("rfp", A2H_COLUMNS(Telling, rfp_id, told_after));

/// As a creator.
constexpr std::string_view kOwn = "r.creator_id = $1";
/// As a supplier: matched with it, or has answered it.
constexpr std::string_view kAnswerable =
    "(r.creator_id <> $1"
    " and exists (select 1 from agent a where a.agent_id = r.creator_id and a.revoked_at_ms is "
    "null)"
    " and (r.rfp_id in (select k.rfp_id from capability_key c join rfp_key k on k.type = c.type"
    " and k.domain = c.domain where c.agent_id = $1)"
    " or r.rfp_id in (select p.rfp_id from proposal p where p.supplier_id = $1)))";

constexpr std::string_view kOpen =
    " and r.status = 'open' and (r.deadline_at_ms is null or r.deadline_at_ms > $2)";
constexpr std::string_view kClosed =
    " and (r.status = 'closed' or (r.status = 'open' and r.deadline_at_ms <= $2))";
constexpr std::string_view kCancelled = " and r.status = 'cancelled'";

Result<void> add_keys(db::Transaction& transaction, const Rfp& rfp) {
    static constexpr std::string_view kInsert =
        "insert into rfp_key (type, domain, rfp_id) values ($1, $2, $3)";
    std::set<std::string> domains;
    for (const std::string& domain : rfp.domains)
        domains.insert(capability_key(domain));
    if (domains.empty()) domains.insert("");
    for (const std::string& domain : domains) {
        A2H_TRY(transaction.statement(kInsert).run(capability_key(rfp.capability_type), domain,
                                                   rfp.rfp_id));
    }
    return {};
}

}  // namespace

Result<void> add_rfp(db::Transaction& transaction, const Rfp& rfp) {
    static constexpr auto kNew = sql::without<kRfp, &Rfp::updated_at_ms>();
    static const std::string kSql = kNew.insert("", "updated_at_ms, capability_key, told_after");
    A2H_TRY(transaction.statement(kSql).put(kNew, rfp, rfp.created_at_ms,
                                            capability_key(rfp.capability_type), ""));
    return add_keys(transaction, rfp);
}

Result<std::optional<Rfp>> find_rfp(db::Transaction& transaction, std::string_view rfp_id) {
    static const std::string kSql = kRfp.select("where r.rfp_id = $1");
    return transaction.statement(kSql).first(kRfp, rfp_id);
}

Result<std::vector<Rfp>> list_rfps(db::Transaction& transaction, const RfpQuery& query) {
    std::string sql = kRfp.select("where ");
    if (!query.role) sql.append("(").append(kOwn).append(" or ").append(kAnswerable).append(")");
    if (query.role) sql.append(*query.role == RfpRole::Creator ? kOwn : kAnswerable);
    std::vector<db::Value> parameters{query.agent_id, query.now_ms};
    const auto add = [&](std::string_view condition, db::Value value) {
        parameters.push_back(std::move(value));
        sql.append(condition).append("$").append(std::to_string(parameters.size()));
    };
    if (query.status == RfpStatus::Open) sql.append(kOpen);
    if (query.status == RfpStatus::Closed) sql.append(kClosed);
    if (query.status == RfpStatus::Cancelled) sql.append(kCancelled);
    // An unused parameter would have no type.
    if (!query.status || query.status == RfpStatus::Cancelled) {
        sql.append(" and cast($2 as bigint) is not null");
    }
    if (!query.capability_type.empty()) {
        add(" and r.capability_key = ", capability_key(query.capability_type));
    }
    if (!query.creator_id.empty()) add(" and r.creator_id = ", query.creator_id);
    sql.append(" order by r.created_at_ms desc, r.rfp_id");
    add(" limit ", query.limit);
    add(" offset ", query.offset);
    return transaction.statement(sql).read_all(kRfp, parameters);
}

Result<bool> end_rfp(db::Transaction& transaction, std::string_view rfp_id, RfpStatus to,
                     UnixMs now_ms) {
    static constexpr std::string_view kUpdate =
        "update rfp set status = $1, updated_at_ms = $2 where rfp_id = $3 and status = 'open'"
        " and (deadline_at_ms is null or deadline_at_ms > $2)";
    return transaction.statement(kUpdate).changes_a_row(to, now_ms, rfp_id);
}

Result<bool> extend_deadline(db::Transaction& transaction, std::string_view rfp_id, UnixMs from_ms,
                             UnixMs to_ms, UnixMs now_ms) {
    static constexpr std::string_view kUpdate =
        "update rfp set deadline_at_ms = $1, updated_at_ms = $2 where rfp_id = $3"
        " and status = 'open' and deadline_at_ms = $4 and deadline_at_ms > $2";
    return transaction.statement(kUpdate).changes_a_row(to_ms, now_ms, rfp_id, from_ms);
}

Result<std::vector<Rfp>> due_rfps(db::Transaction& transaction, UnixMs now_ms, std::int64_t limit) {
    static const std::string kSql = kRfp.select(
        "where r.status = 'open' and r.deadline_at_ms <= $1 order by r.deadline_at_ms limit $2");
    return transaction.statement(kSql).all(kRfp, now_ms, limit);
}

Result<bool> close_due_rfp(db::Transaction& transaction, std::string_view rfp_id, UnixMs now_ms) {
    static constexpr std::string_view kClose =
        "update rfp set status = 'closed', updated_at_ms = $1 where rfp_id = $2"
        " and status = 'open' and deadline_at_ms <= $1";
    return transaction.statement(kClose).changes_a_row(now_ms, rfp_id);
}

Result<std::vector<Telling>> tellings(db::Transaction& transaction, std::int64_t limit) {
    static const std::string kSql =
        kTelling.select("where told_after is not null order by rfp_id limit $1");
    return transaction.statement(kSql).all(kTelling, limit);
}

Result<bool> set_told_after(db::Transaction& transaction, const Telling& from,
                            const std::optional<std::string>& told_after) {
    static constexpr std::string_view kUpdate =
        "update rfp set told_after = $1 where rfp_id = $2 and told_after = $3";
    return transaction.statement(kUpdate).changes_a_row(told_after, from.rfp_id, from.told_after);
}

}  // namespace a2h::market::store
