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

/// A session under /v1: two agents who negotiate, possibly about an RFP or a proposal.
struct Session {
    std::string session_id;
    std::string first_id;  ///< the smaller of the two, by bytes
    std::string second_id;
    std::string rfp_id{};       ///< empty: no RFP
    std::string proposal_id{};  ///< empty: no proposal
    UnixMs created_at_ms = 0;

    /// It is about nothing but its two agents.
    bool is_plain() const { return rfp_id.empty() && proposal_id.empty(); }
    bool has(std::string_view agent_id) const {
        return agent_id == first_id || agent_id == second_id;
    }
    const std::string& other(std::string_view agent_id) const {
        return agent_id == first_id ? second_id : first_id;
    }
};

/// A message of one of the two.
struct SessionMessage {
    std::int64_t row_id = 0;
    std::string session_id;
    std::string message_id;
    std::string sender_id;
    std::string type;  ///< text, inquiry, offer, accept or reject
    std::string payload_json;
    std::optional<Money> price{};            ///< for an offer
    std::optional<UnixMs> valid_until_ms{};  ///< for an offer; nullopt: for ever
    std::string offer_id{};                  ///< message id of the accepted or rejected offer
    std::string answer{};        ///< for an offer: empty, "accepted", "rejected" or "replaced"
    std::string payload_hash{};  ///< of the envelope that came by mail; empty: over HTTP
    std::string offer_payload_hash{};  ///< of the offer that is accepted, if said; not stored
    std::string replaces_id{};         ///< the sender's own offer that it replaces; not stored
    UnixMs created_at_ms = 0;
};

struct SessionQuery {
    std::string session_id;
    std::string type;  ///< empty: any
    std::int64_t offset = 0;
    std::int64_t limit = 20;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Adds `session`, or returns the existing one of the two agents about the same subject.
Result<Session> add_session(db::Transaction& transaction, const Session& session);
/// nullopt if there is none, or if `agent_id` is not one of the two.
Result<std::optional<Session>> find_session(db::Transaction& transaction,
                                            std::string_view session_id, std::string_view agent_id);
/// The session about a proposal, between its supplier and the RFP's creator; there is at most one.
Result<std::optional<Session>> session_of_proposal(db::Transaction& transaction,
                                                   std::string_view proposal_id);
/// The session of the two agents about nothing else; nullopt if they have none.
Result<std::optional<Session>> plain_session(db::Transaction& transaction,
                                             std::string_view agent_id, std::string_view other_id);
/// The newest session of the two agents in which an offer has the message id `offer_id`.
Result<std::optional<Session>> session_of_offer(db::Transaction& transaction,
                                                std::string_view agent_id,
                                                std::string_view other_id,
                                                std::string_view offer_id);
/// Sessions of `agent_id`, newest first; equal times by id.
Result<std::vector<Session>> list_sessions(db::Transaction& transaction, std::string_view agent_id,
                                           std::int64_t offset, std::int64_t limit);

Result<void> add_session_message(db::Transaction& transaction, const SessionMessage& message);
Result<std::optional<SessionMessage>> find_session_message(db::Transaction& transaction,
                                                           std::string_view session_id,
                                                           std::string_view message_id);
/// The message that accepts or rejects the offer `offer_id`; nullopt if there is none.
Result<std::optional<SessionMessage>> answer_to(db::Transaction& transaction,
                                                std::string_view session_id,
                                                std::string_view offer_id);
/// Newest first.
Result<std::vector<SessionMessage>> list_session_messages(db::Transaction& transaction,
                                                          const SessionQuery& query);
Result<std::int64_t> count_session_messages(db::Transaction& transaction,
                                            std::string_view session_id);
/// Answers an offer; false if it is already answered.
Result<bool> answer_offer(db::Transaction& transaction, std::int64_t row_id,
                          std::string_view answer);

}  // namespace a2h::market::store
