#include "market/store/proposal_store.h"
#include "market/store/changed.h"

namespace a2h::market::store {
namespace {

constexpr std::string_view kSelectProposal =
    "select proposal_id, rfp_id, supplier_id, status, price_minor, currency, delivery_at, content,"
    " created_at_ms, updated_at_ms from proposal where ";

Result<Proposal> read_proposal(const db::Row& row) {
    const auto status = parse_proposal_status(row.text(3));
    if (!status) return fail(ErrorCode::Corrupt, "a proposal has the status " + row.text(3));
    return Proposal{.proposal_id = row.text(0),
                    .rfp_id = row.text(1),
                    .supplier_id = row.text(2),
                    .status = *status,
                    .price = {row.integer(4), row.text(5)},
                    .delivery_at = row.text(6),
                    .content = row.text(7),
                    .created_at_ms = row.integer(8),
                    .updated_at_ms = row.integer(9)};
}

}  // namespace

Result<bool> add_proposal(db::Transaction& transaction, const Proposal& proposal) {
    static constexpr std::string_view kInsert =
        "insert into proposal (proposal_id, rfp_id, supplier_id, status, price_minor, currency,"
        " delivery_at, content, created_at_ms, updated_at_ms)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)"
        " on conflict (rfp_id, supplier_id) where status <> 'withdrawn' do nothing";
    return changed_a_row(transaction.execute(
        kInsert,
        {proposal.proposal_id, proposal.rfp_id, proposal.supplier_id,
         std::string(to_string(proposal.status)), proposal.price.minor, proposal.price.currency,
         proposal.delivery_at, proposal.content, proposal.created_at_ms}));
}

Result<std::optional<Proposal>> find_proposal(db::Transaction& transaction,
                                              std::string_view proposal_id) {
    static const std::string kById = std::string(kSelectProposal) + "proposal_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kById, {std::string(proposal_id)}));
    if (!row) return std::optional<Proposal>();
    A2H_ASSIGN_OR_RETURN(auto proposal, read_proposal(*row));
    return std::optional(std::move(proposal));
}

Result<std::vector<Proposal>> list_proposals(db::Transaction& transaction,
                                             const ProposalQuery& query) {
    static const std::string kList =
        std::string(kSelectProposal) +
        "rfp_id = $1 and ($2 = '' or supplier_id = $2) order by created_at_ms, proposal_id"
        " limit $3 offset $4";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kList, {query.rfp_id, query.supplier_id,
                                                                    query.limit, query.offset}));
    std::vector<Proposal> proposals;
    for (const db::Row& row : rows) {
        A2H_ASSIGN_OR_RETURN(auto proposal, read_proposal(row));
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

Result<std::int64_t> count_proposals(db::Transaction& transaction, std::string_view rfp_id,
                                     std::string_view supplier_id) {
    static constexpr std::string_view kCount =
        "select count(*) from proposal where rfp_id = $1 and ($2 = '' or supplier_id = $2)";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kCount, {std::string(rfp_id),
                                                                        std::string(supplier_id)}));
    return row->integer(0);
}

Result<bool> end_proposal(db::Transaction& transaction, std::string_view proposal_id,
                          ProposalStatus to, UnixMs now_ms) {
    static constexpr std::string_view kUpdate =
        "update proposal set status = $1, updated_at_ms = $2"
        " where proposal_id = $3 and status = 'pending'";
    return changed_a_row(transaction.execute(
        kUpdate, {std::string(to_string(to)), now_ms, std::string(proposal_id)}));
}

Result<std::vector<std::string>> pending_suppliers(db::Transaction& transaction,
                                                   std::string_view rfp_id) {
    static constexpr std::string_view kSuppliers =
        "select supplier_id from proposal where rfp_id = $1 and status = 'pending'"
        " order by supplier_id";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kSuppliers, {std::string(rfp_id)}));
    std::vector<std::string> suppliers;
    for (const db::Row& row : rows)
        suppliers.push_back(row.text(0));
    return suppliers;
}

}  // namespace a2h::market::store
