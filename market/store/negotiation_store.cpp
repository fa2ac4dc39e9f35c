#include "market/store/negotiation_store.h"

#include <algorithm>

namespace a2h::market::store {
namespace {

constexpr std::string_view kSelectNegotiation =
    "select session_id, first_id, second_id, rfp_id, proposal_id, created_at_ms from negotiation"
    " where ";
constexpr std::string_view kSelectMessage =
    "select row_id, session_id, message_id, sender_id, type, payload_json, price_minor, currency,"
    " valid_until_ms, offer_id, answer, created_at_ms from negotiation_message where ";

Negotiation read_negotiation(const db::Row& row) {
    return {.session_id = row.text(0),
            .first_id = row.text(1),
            .second_id = row.text(2),
            .rfp_id = row.text(3),
            .proposal_id = row.text(4),
            .created_at_ms = row.integer(5)};
}

NegotiationMessage read_message(const db::Row& row) {
    NegotiationMessage message{.row_id = row.integer(0),
                               .session_id = row.text(1),
                               .message_id = row.text(2),
                               .sender_id = row.text(3),
                               .type = row.text(4),
                               .payload_json = row.text(5),
                               .valid_until_ms = row.optional_integer(8),
                               .offer_id = row.text(9),
                               .answer = row.text(10),
                               .created_at_ms = row.integer(11)};
    if (!row.is_null(6)) message.price = Money{row.integer(6), row.text(7)};
    return message;
}

Result<std::optional<Negotiation>> find(db::Transaction& transaction, std::string_view condition,
                                        const std::vector<db::Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one(std::string(kSelectNegotiation).append(condition), parameters));
    return row ? std::optional(read_negotiation(*row)) : std::nullopt;
}

Result<std::optional<NegotiationMessage>> find_one(db::Transaction& transaction,
                                                   std::string_view condition,
                                                   const std::vector<db::Value>& parameters) {
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one(std::string(kSelectMessage).append(condition), parameters));
    return row ? std::optional(read_message(*row)) : std::nullopt;
}

}  // namespace

Result<Negotiation> add_negotiation(db::Transaction& transaction, const Negotiation& negotiation) {
    static constexpr std::string_view kInsert =
        "insert into negotiation (session_id, first_id, second_id, rfp_id, proposal_id,"
        " created_at_ms) values ($1, $2, $3, $4, $5, $6)"
        " on conflict (first_id, second_id, rfp_id, proposal_id) do nothing";
    A2H_TRY(transaction.execute(
        kInsert, {negotiation.session_id, negotiation.first_id, negotiation.second_id,
                  negotiation.rfp_id, negotiation.proposal_id, negotiation.created_at_ms}));
    A2H_ASSIGN_OR_RETURN(
        auto present,
        find(transaction, "first_id = $1 and second_id = $2 and rfp_id = $3 and proposal_id = $4",
             {negotiation.first_id, negotiation.second_id, negotiation.rfp_id,
              negotiation.proposal_id}));
    if (!present) return fail(ErrorCode::Internal, "database: the session is gone again");
    return std::move(*present);
}

Result<std::optional<Negotiation>> find_negotiation(db::Transaction& transaction,
                                                    std::string_view session_id,
                                                    std::string_view agent_id) {
    return find(transaction, "session_id = $1 and (first_id = $2 or second_id = $2)",
                {std::string(session_id), std::string(agent_id)});
}

Result<std::optional<Negotiation>> negotiation_of_proposal(db::Transaction& transaction,
                                                           std::string_view proposal_id) {
    return find(transaction, "proposal_id = $1 and proposal_id <> ''", {std::string(proposal_id)});
}

Result<std::optional<Negotiation>> newest_negotiation(db::Transaction& transaction,
                                                      std::string_view agent_id,
                                                      std::string_view other_id) {
    return find(
        transaction,
        "first_id = $1 and second_id = $2 order by created_at_ms desc, session_id limit 1",
        {std::string(std::min(agent_id, other_id)), std::string(std::max(agent_id, other_id))});
}

Result<std::optional<Negotiation>> negotiation_of_offer(db::Transaction& transaction,
                                                        std::string_view agent_id,
                                                        std::string_view other_id,
                                                        std::string_view offer_id) {
    return find(transaction,
                "first_id = $1 and second_id = $2 and session_id in (select m.session_id"
                " from negotiation_message m where m.message_id = $3 and m.type = 'offer')"
                " order by created_at_ms desc, session_id limit 1",
                {std::string(std::min(agent_id, other_id)),
                 std::string(std::max(agent_id, other_id)), std::string(offer_id)});
}

Result<std::vector<Negotiation>> list_negotiations(db::Transaction& transaction,
                                                   std::string_view agent_id, std::int64_t offset,
                                                   std::int64_t limit) {
    static const std::string kList =
        std::string(kSelectNegotiation) +
        "first_id = $1 or second_id = $1 order by created_at_ms desc, session_id limit $2"
        " offset $3";
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         transaction.query(kList, {std::string(agent_id), limit, offset}));
    std::vector<Negotiation> all;
    for (const db::Row& row : rows)
        all.push_back(read_negotiation(row));
    return all;
}

Result<void> add_negotiation_message(db::Transaction& transaction,
                                     const NegotiationMessage& message) {
    static constexpr std::string_view kInsert =
        "insert into negotiation_message (session_id, message_id, sender_id, type, payload_json,"
        " price_minor, currency, valid_until_ms, offer_id, answer, created_at_ms)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', $10)";
    const auto& price = message.price;
    const auto& until = message.valid_until_ms;
    const auto added = transaction.execute(
        kInsert,
        {message.session_id, message.message_id, message.sender_id, message.type,
         message.payload_json, price ? db::Value(price->minor) : db::Value(nullptr),
         price ? db::Value(price->currency) : db::Value(nullptr),
         until ? db::Value(*until) : db::Value(nullptr), message.offer_id, message.created_at_ms});
    return added ? Result<void>() : fail(added.error());
}

Result<std::optional<NegotiationMessage>> find_negotiation_message(db::Transaction& transaction,
                                                                   std::string_view session_id,
                                                                   std::string_view message_id) {
    return find_one(transaction, "session_id = $1 and message_id = $2",
                    {std::string(session_id), std::string(message_id)});
}

Result<std::optional<NegotiationMessage>> answer_to(db::Transaction& transaction,
                                                    std::string_view session_id,
                                                    std::string_view offer_id) {
    return find_one(transaction,
                    "session_id = $1 and type in ('accept', 'reject') and offer_id = $2",
                    {std::string(session_id), std::string(offer_id)});
}

Result<std::vector<NegotiationMessage>> list_negotiation_messages(db::Transaction& transaction,
                                                                  const NegotiationQuery& query) {
    static const std::string kList =
        std::string(kSelectMessage) +
        "session_id = $1 and ($2 = '' or type = $2) order by row_id desc limit $3 offset $4";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kList, {query.session_id, query.type,
                                                                    query.limit, query.offset}));
    std::vector<NegotiationMessage> all;
    for (const db::Row& row : rows)
        all.push_back(read_message(row));
    return all;
}

Result<std::int64_t> count_negotiation_messages(db::Transaction& transaction,
                                                std::string_view session_id) {
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one("select count(*) from negotiation_message where session_id = $1",
                              {std::string(session_id)}));
    return row->integer(0);
}

Result<bool> answer_offer(db::Transaction& transaction, std::int64_t row_id,
                          std::string_view answer) {
    A2H_ASSIGN_OR_RETURN(
        const auto changed,
        transaction.execute(
            "update negotiation_message set answer = $1 where row_id = $2 and type = 'offer'"
            " and answer = ''",
            {std::string(answer), row_id}));
    return changed > 0;
}

}  // namespace a2h::market::store
