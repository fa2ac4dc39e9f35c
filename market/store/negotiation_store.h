#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// A session under /v1: two agents who negotiate, perhaps about an RFP or a proposal.
struct Negotiation {
    std::string session_id;
    std::string first_id;  ///< the smaller of the two, by bytes
    std::string second_id;
    std::string rfp_id{};       ///< empty: about none
    std::string proposal_id{};  ///< empty: about none
    UnixMs created_at_ms = 0;

    bool has(std::string_view agent_id) const {
        return agent_id == first_id || agent_id == second_id;
    }
    const std::string& other(std::string_view agent_id) const {
        return agent_id == first_id ? second_id : first_id;
    }
};

/// What one of the two said.
struct NegotiationMessage {
    std::int64_t row_id = 0;
    std::string session_id;
    std::string message_id;
    std::string sender_id;
    std::string type;  ///< text, inquiry, offer, accept or reject
    std::string payload_json;
    std::optional<Money> price{};            ///< of an offer
    std::optional<UnixMs> valid_until_ms{};  ///< of an offer; nullopt: for ever
    std::string offer_id{};                  ///< message id of what is accepted or rejected
    std::string answer{};                    ///< of an offer: empty, "accepted" or "rejected"
    UnixMs created_at_ms = 0;
};

struct NegotiationQuery {
    std::string session_id;
    std::string type;  ///< empty: any
    std::int64_t offset = 0;
    std::int64_t limit = 20;
};

}  // namespace a2h::market

namespace a2h::market::store {

/// Adds `negotiation`, or answers the one that the two have about the same thing.
Result<Negotiation> add_negotiation(db::Transaction& transaction, const Negotiation& negotiation);
/// nullopt when there is none, or `agent_id` is not one of the two.
Result<std::optional<Negotiation>> find_negotiation(db::Transaction& transaction,
                                                    std::string_view session_id,
                                                    std::string_view agent_id);
/// Those about a proposal; at most one, between its supplier and the RFP's creator.
Result<std::optional<Negotiation>> negotiation_of_proposal(db::Transaction& transaction,
                                                           std::string_view proposal_id);
/// The newest of the two agents; nullopt when they have none.
Result<std::optional<Negotiation>> newest_negotiation(db::Transaction& transaction,
                                                      std::string_view agent_id,
                                                      std::string_view other_id);
/// The newest of the two agents in which an offer has the message id `offer_id`.
Result<std::optional<Negotiation>> negotiation_of_offer(db::Transaction& transaction,
                                                        std::string_view agent_id,
                                                        std::string_view other_id,
                                                        std::string_view offer_id);
/// Those of `agent_id`, newest first; equal times by id.
Result<std::vector<Negotiation>> list_negotiations(db::Transaction& transaction,
                                                   std::string_view agent_id, std::int64_t offset,
                                                   std::int64_t limit);

Result<void> add_negotiation_message(db::Transaction& transaction,
                                     const NegotiationMessage& message);
Result<std::optional<NegotiationMessage>> find_negotiation_message(db::Transaction& transaction,
                                                                   std::string_view session_id,
                                                                   std::string_view message_id);
/// The message that accepts or rejects the offer `offer_id`; nullopt when nobody has.
Result<std::optional<NegotiationMessage>> answer_to(db::Transaction& transaction,
                                                    std::string_view session_id,
                                                    std::string_view offer_id);
/// Newest first.
Result<std::vector<NegotiationMessage>> list_negotiation_messages(db::Transaction& transaction,
                                                                  const NegotiationQuery& query);
Result<std::int64_t> count_negotiation_messages(db::Transaction& transaction,
                                                std::string_view session_id);
/// Answers an offer; false when it has its answer.
Result<bool> answer_offer(db::Transaction& transaction, std::int64_t row_id,
                          std::string_view answer);

}  // namespace a2h::market::store
