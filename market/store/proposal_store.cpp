#include "market/store/proposal_store.h"

namespace a2h::market::store {
namespace {

constexpr auto kProposal =
    sql::table<Proposal>("proposal",
                         A2H_COLUMNS(Proposal, proposal_id, rfp_id, supplier_id, delivery_at,
                                     content, created_at_ms, updated_at_ms),
                         sql::column("status", &Proposal::status, parse_proposal_status),
                         sql::column("price_minor", &Proposal::price, &Money::minor),
                         sql::column("currency", &Proposal::price, &Money::currency));

}  // namespace

Result<bool> add_proposal(db::Transaction& transaction, const Proposal& proposal) {
    static constexpr auto kNew = sql::without<kProposal, &Proposal::updated_at_ms>();
    static const std::string kSql =
        kNew.insert("on conflict (rfp_id, supplier_id) where status <> 'withdrawn' do nothing",
                    "updated_at_ms");
    return transaction.statement(kSql).puts_a_row(kNew, proposal, proposal.created_at_ms);
}

Result<std::optional<Proposal>> find_proposal(db::Transaction& transaction,
                                              std::string_view proposal_id) {
    static const std::string kSql = kProposal.select("where proposal_id = $1");
    return transaction.statement(kSql).first(kProposal, proposal_id);
}

Result<std::vector<Proposal>> list_proposals(db::Transaction& transaction,
                                             const ProposalQuery& query) {
    static const std::string kSql = kProposal.select(
        "where rfp_id = $1 and ($2 = '' or supplier_id = $2) order by created_at_ms, proposal_id"
        " limit $3 offset $4");
    return transaction.statement(kSql).all(kProposal, query.rfp_id, query.supplier_id, query.limit,
                                           query.offset);
}

Result<std::int64_t> count_proposals(db::Transaction& transaction, std::string_view rfp_id,
                                     std::string_view supplier_id) {
    static constexpr std::string_view kCount =
        "select count(*) from proposal where rfp_id = $1 and ($2 = '' or supplier_id = $2)";
    return transaction.statement(kCount).number(rfp_id, supplier_id);
}

Result<bool> end_proposal(db::Transaction& transaction, std::string_view proposal_id,
                          ProposalStatus to, UnixMs now_ms) {
    static constexpr std::string_view kUpdate =
        "update proposal set status = $1, updated_at_ms = $2"
        " where proposal_id = $3 and status = 'pending'";
    return transaction.statement(kUpdate).changes_a_row(to, now_ms, proposal_id);
}

Result<std::vector<std::string>> pending_suppliers(db::Transaction& transaction,
                                                   std::string_view rfp_id) {
    static constexpr std::string_view kSuppliers =
        "select supplier_id from proposal where rfp_id = $1 and status = 'pending'"
        " order by supplier_id";
    return transaction.statement(kSuppliers).all(sql::kFirstText, rfp_id);
}

}  // namespace a2h::market::store
