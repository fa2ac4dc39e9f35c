#include "market/store/deal_store.h"

namespace a2h::market::store {
namespace {

constexpr auto kDeal =
    sql::table<Deal>("deal",
                     A2H_COLUMNS(Deal, deal_id, offered_by, accepted_by, buyer_id, rfp_id,
                                 proposal_id, session_id, offer_id, created_at_ms, terms_json),
                     sql::column("price_minor", &Deal::price, &Money::minor),
                     sql::column("currency", &Deal::price, &Money::currency));
/// A list omits the terms, which can be long.
constexpr auto kListedDeal = sql::without<kDeal, &Deal::terms_json>();

}  // namespace

Result<bool> add_deal(db::Transaction& transaction, const Deal& deal) {
    static const std::string kSql = kDeal.insert("on conflict do nothing");
    return transaction.statement(kSql).puts_a_row(kDeal, deal);
}

Result<std::optional<Deal>> find_deal(db::Transaction& transaction, std::string_view deal_id,
                                      std::string_view agent_id) {
    static const std::string kSql =
        kDeal.select("where deal_id = $1 and (offered_by = $2 or accepted_by = $2)");
    return transaction.statement(kSql).first(kDeal, deal_id, agent_id);
}

Result<std::string> deal_of_proposal(db::Transaction& transaction, std::string_view proposal_id) {
    static constexpr std::string_view kSql =
        "select deal_id from deal where proposal_id = $1 and proposal_id <> ''";
    A2H_ASSIGN_OR_RETURN(auto found,
                         transaction.statement(kSql).first(sql::kFirstText, proposal_id));
    return std::move(found).value_or("");
}

Result<std::string> deal_of_offer(db::Transaction& transaction, std::string_view session_id,
                                  std::string_view offer_id) {
    static constexpr std::string_view kSql =
        "select deal_id from deal where session_id = $1 and offer_id = $2 and offer_id <> ''";
    A2H_ASSIGN_OR_RETURN(auto found,
                         transaction.statement(kSql).first(sql::kFirstText, session_id, offer_id));
    return std::move(found).value_or("");
}

Result<std::vector<Deal>> list_deals(db::Transaction& transaction, std::string_view agent_id,
                                     std::int64_t offset, std::int64_t limit) {
    static const std::string kSql = kListedDeal.select(
        "where offered_by = $1 or accepted_by = $1 order by created_at_ms desc, deal_id"
        " limit $2 offset $3");
    return transaction.statement(kSql).all(kListedDeal, agent_id, limit, offset);
}

}  // namespace a2h::market::store
