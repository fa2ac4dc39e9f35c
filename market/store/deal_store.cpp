#include "market/store/deal_store.h"

namespace a2h::market::store {
namespace {

constexpr std::string_view kColumns =
    "select deal_id, offered_by, accepted_by, buyer_id, rfp_id, proposal_id, session_id, offer_id,"
    " price_minor, currency, created_at_ms, ";

Deal read_deal(const db::Row& row) {
    return {.deal_id = row.text(0),
            .offered_by = row.text(1),
            .accepted_by = row.text(2),
            .buyer_id = row.text(3),
            .rfp_id = row.text(4),
            .proposal_id = row.text(5),
            .session_id = row.text(6),
            .offer_id = row.text(7),
            .price = {row.integer(8), row.text(9)},
            .terms_json = row.text(11),
            .created_at_ms = row.integer(10)};
}

Result<std::string> find_id(db::Transaction& transaction, std::string_view condition,
                            const std::vector<db::Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one(std::string("select deal_id from deal where ").append(condition),
                              parameters));
    return row ? row->text(0) : std::string();
}

}  // namespace

Result<bool> add_deal(db::Transaction& transaction, const Deal& deal) {
    static constexpr std::string_view kInsert =
        "insert into deal (deal_id, offered_by, accepted_by, buyer_id, rfp_id, proposal_id,"
        " session_id, offer_id, price_minor, currency, terms_json, created_at_ms)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing";
    A2H_ASSIGN_OR_RETURN(
        const auto added,
        transaction.execute(
            kInsert, {deal.deal_id, deal.offered_by, deal.accepted_by, deal.buyer_id, deal.rfp_id,
                      deal.proposal_id, deal.session_id, deal.offer_id, deal.price.minor,
                      deal.price.currency, deal.terms_json, deal.created_at_ms}));
    return added > 0;
}

Result<std::optional<Deal>> find_deal(db::Transaction& transaction, std::string_view deal_id,
                                      std::string_view agent_id) {
    static const std::string kById =
        std::string(kColumns) +
        "terms_json from deal where deal_id = $1 and (offered_by = $2 or accepted_by = $2)";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(
                                             kById, {std::string(deal_id), std::string(agent_id)}));
    return row ? std::optional(read_deal(*row)) : std::nullopt;
}

Result<std::string> deal_of_proposal(db::Transaction& transaction, std::string_view proposal_id) {
    return find_id(transaction, "proposal_id = $1 and proposal_id <> ''",
                   {std::string(proposal_id)});
}

Result<std::string> deal_of_offer(db::Transaction& transaction, std::string_view session_id,
                                  std::string_view offer_id) {
    return find_id(transaction, "session_id = $1 and offer_id = $2 and offer_id <> ''",
                   {std::string(session_id), std::string(offer_id)});
}

Result<std::vector<Deal>> list_deals(db::Transaction& transaction, std::string_view agent_id,
                                     std::int64_t offset, std::int64_t limit) {
    static const std::string kList = std::string(kColumns) +
                                     "'' from deal where offered_by = $1 or accepted_by = $1"
                                     " order by created_at_ms desc, deal_id limit $2 offset $3";
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         transaction.query(kList, {std::string(agent_id), limit, offset}));
    std::vector<Deal> deals;
    for (const db::Row& row : rows)
        deals.push_back(read_deal(row));
    return deals;
}

}  // namespace a2h::market::store
