#include "market/store/rfp_store.h"

#include <set>

#include "market/store/capability_store.h"
#include "market/store/changed.h"
#include "market/store/text_list.h"

namespace a2h::market {

RfpStatus Rfp::status_at(UnixMs now_ms) const {
    const bool over = deadline_at_ms && now_ms >= *deadline_at_ms;
    return status == RfpStatus::Open && over ? RfpStatus::Closed : status;
}

}  // namespace a2h::market

namespace a2h::market::store {
namespace {

constexpr std::string_view kSelectRfp =
    "select r.rfp_id, r.creator_id, r.title, r.description, r.capability_type, r.domains_json,"
    " r.budget_currency, r.budget_max_minor, r.deadline_at_ms, r.status, r.created_at_ms,"
    " r.updated_at_ms from rfp r where ";

/// As a creator.
constexpr std::string_view kOwn = "r.creator_id = $1";
/// As a supplier: matched with it, or having answered it.
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

Result<Rfp> read_rfp(const db::Row& row) {
    const auto status = parse_rfp_status(row.text(9));
    if (!status) return fail(ErrorCode::Corrupt, "an RFP has the status " + row.text(9));
    Rfp rfp{.rfp_id = row.text(0),
            .creator_id = row.text(1),
            .title = row.text(2),
            .description = row.text(3),
            .capability_type = row.text(4),
            .domains = read_list(row.text(5)),
            .deadline_at_ms = row.optional_integer(8),
            .status = *status,
            .created_at_ms = row.integer(10),
            .updated_at_ms = row.integer(11)};
    if (!row.is_null(6)) rfp.budget = Money{row.integer(7), row.text(6)};
    return rfp;
}

Result<std::vector<Rfp>> read_rfps(const Result<std::vector<db::Row>>& rows) {
    if (!rows) return fail(rows.error());
    std::vector<Rfp> rfps;
    for (const db::Row& row : *rows) {
        A2H_ASSIGN_OR_RETURN(auto rfp, read_rfp(row));
        rfps.push_back(std::move(rfp));
    }
    return rfps;
}

Result<void> add_keys(db::Transaction& transaction, const Rfp& rfp) {
    static constexpr std::string_view kInsert =
        "insert into rfp_key (type, domain, rfp_id) values ($1, $2, $3)";
    std::set<std::string> domains;
    for (const std::string& domain : rfp.domains)
        domains.insert(capability_key(domain));
    if (domains.empty()) domains.insert("");
    for (const std::string& domain : domains) {
        A2H_TRY(transaction.execute(kInsert,
                                    {capability_key(rfp.capability_type), domain, rfp.rfp_id}));
    }
    return {};
}

db::Value or_null(const std::optional<std::int64_t>& value) {
    return value ? db::Value(*value) : db::Value(nullptr);
}

}  // namespace

Result<void> add_rfp(db::Transaction& transaction, const Rfp& rfp) {
    static constexpr std::string_view kInsert =
        "insert into rfp (rfp_id, creator_id, title, description, capability_type, capability_key,"
        " domains_json, budget_currency, budget_max_minor, deadline_at_ms, status, told_after,"
        " created_at_ms, updated_at_ms)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', $12, $12)";
    A2H_TRY(transaction.execute(
        kInsert,
        {rfp.rfp_id, rfp.creator_id, rfp.title, rfp.description, rfp.capability_type,
         capability_key(rfp.capability_type), list_text(rfp.domains),
         rfp.budget ? db::Value(rfp.budget->currency) : db::Value(nullptr),
         rfp.budget ? db::Value(rfp.budget->minor) : db::Value(nullptr),
         or_null(rfp.deadline_at_ms), std::string(to_string(rfp.status)), rfp.created_at_ms}));
    return add_keys(transaction, rfp);
}

Result<std::optional<Rfp>> find_rfp(db::Transaction& transaction, std::string_view rfp_id) {
    static const std::string kById = std::string(kSelectRfp) + "r.rfp_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kById, {std::string(rfp_id)}));
    if (!row) return std::optional<Rfp>();
    A2H_ASSIGN_OR_RETURN(auto rfp, read_rfp(*row));
    return std::optional(std::move(rfp));
}

Result<std::vector<Rfp>> list_rfps(db::Transaction& transaction, const RfpQuery& query) {
    std::string sql(kSelectRfp);
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
    // A parameter that nobody uses has no type.
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
    return read_rfps(transaction.query(sql, parameters));
}

Result<bool> end_rfp(db::Transaction& transaction, std::string_view rfp_id, RfpStatus to,
                     UnixMs now_ms) {
    static constexpr std::string_view kUpdate =
        "update rfp set status = $1, updated_at_ms = $2 where rfp_id = $3 and status = 'open'"
        " and (deadline_at_ms is null or deadline_at_ms > $2)";
    return changed_a_row(
        transaction.execute(kUpdate, {std::string(to_string(to)), now_ms, std::string(rfp_id)}));
}

Result<bool> extend_deadline(db::Transaction& transaction, std::string_view rfp_id, UnixMs from_ms,
                             UnixMs to_ms, UnixMs now_ms) {
    static constexpr std::string_view kUpdate =
        "update rfp set deadline_at_ms = $1, updated_at_ms = $2 where rfp_id = $3"
        " and status = 'open' and deadline_at_ms = $4 and deadline_at_ms > $2";
    return changed_a_row(
        transaction.execute(kUpdate, {to_ms, now_ms, std::string(rfp_id), from_ms}));
}

Result<std::vector<Rfp>> due_rfps(db::Transaction& transaction, UnixMs now_ms, std::int64_t limit) {
    static const std::string kDue =
        std::string(kSelectRfp) +
        "r.status = 'open' and r.deadline_at_ms <= $1 order by r.deadline_at_ms limit $2";
    return read_rfps(transaction.query(kDue, {now_ms, limit}));
}

Result<bool> close_due_rfp(db::Transaction& transaction, std::string_view rfp_id, UnixMs now_ms) {
    static constexpr std::string_view kClose =
        "update rfp set status = 'closed', updated_at_ms = $1 where rfp_id = $2"
        " and status = 'open' and deadline_at_ms <= $1";
    return changed_a_row(transaction.execute(kClose, {now_ms, std::string(rfp_id)}));
}

Result<std::vector<Telling>> tellings(db::Transaction& transaction, std::int64_t limit) {
    static constexpr std::string_view kTelling =
        "select rfp_id, told_after from rfp where told_after is not null order by rfp_id limit $1";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kTelling, {limit}));
    std::vector<Telling> all;
    for (const db::Row& row : rows)
        all.push_back({row.text(0), row.text(1)});
    return all;
}

Result<bool> set_told_after(db::Transaction& transaction, const Telling& from,
                            const std::optional<std::string>& told_after) {
    static constexpr std::string_view kUpdate =
        "update rfp set told_after = $1 where rfp_id = $2 and told_after = $3";
    return changed_a_row(transaction.execute(
        kUpdate,
        {told_after ? db::Value(*told_after) : db::Value(nullptr), from.rfp_id, from.told_after}));
}

}  // namespace a2h::market::store
