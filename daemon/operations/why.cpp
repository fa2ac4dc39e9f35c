// Shows by what right something has left the home.

#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/domain/permit.h"
#include "core/store/approval_store.h"
#include "core/store/outbox_store.h"
#include "daemon/card/card.h"
#include "daemon/config/current.h"
#include "daemon/kernel/services.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kItemsMax = 50;

json question_json(const Approval& approval) {
    const bool by_mandate = approval.surface == AnswerSurface::Mandate;
    const Right given = by_mandate ? Right::Mandate : Right::Yes;
    const bool was_approved = approval.status == ApprovalStatus::Approved;
    return {{"kind", "question"},
            {"approval_id", approval.id},
            {"agent_id", approval.agent_id},
            {"action", approval.action},
            {"question", approval.question},
            {"status", to_string(approval.status)},
            {"outcome", to_string(approval.outcome)},
            {"right", to_string(was_approved ? given : Right::None)},
            {"answered_by", approval.answered_by},
            {"surface", approval.surface ? json(to_string(*approval.surface)) : json()},
            {"at", to_utc_time(approval.answered_at_ms == 0 ? approval.created_at_ms
                                                            : approval.answered_at_ms)}};
}

json message_json(const OutboxMessage& message, i18n::Language language) {
    return {{"kind", "message"},
            {"message_id", message.message_id},
            {"agent_id", message.agent_id},
            {"peer_id", message.target_id},
            {"text", card::message_in_words(message.payload_json, language)},
            {"state", to_string(message.state)},
            {"right", to_string(message.permit_right)},
            {"permitted_by", message.permitted_by},
            {"at", to_utc_time(message.created_at_ms)}};
}

/// A message, and the question that gave it the right, if one did.
Result<void> add_message(store::Database& db, const OutboxMessage& message, i18n::Language language,
                         json& items) {
    items.push_back(message_json(message, language));
    if (message.permit_right != Right::Yes) return {};
    A2H_ASSIGN_OR_RETURN(const auto yes, store::get_approval(db, message.permitted_by));
    if (yes) items.push_back(question_json(*yes));
    return {};
}

struct WhyParts {
    const kernel::Services& kernel;
    const Current<Config>& config;
};

Result<json> handle_why(const WhyParts& parts, const Call& call) {
    store::Database& db = parts.kernel.reader;
    const i18n::Language language = language_of(parts.config, call);
    const std::string id = call.text("id");
    json items = json::array();
    A2H_ASSIGN_OR_RETURN(const auto messages, store::outbox_with_id(db, id, kItemsMax));
    for (const OutboxMessage& message : messages)
        A2H_TRY(add_message(db, message, language, items));
    A2H_ASSIGN_OR_RETURN(const auto asked, store::get_approval(db, id));
    if (asked) items.push_back(question_json(*asked));
    A2H_ASSIGN_OR_RETURN(const auto permitted, store::outbox_permitted_by(db, id, kItemsMax));
    for (const OutboxMessage& message : permitted)
        items.push_back(message_json(message, language));
    A2H_ASSIGN_OR_RETURN(const auto about, store::approved_about(db, id, kItemsMax));
    for (const Approval& approval : about)
        items.push_back(question_json(approval));
    if (id.empty() || items.empty())
        return fail(ErrorCode::NotFound,
                    "nothing with this id has left the home and no question has it");
    return json{{"id", id}, {"items", std::move(items)}};
}

}  // namespace

void add_why(Table& table, const kernel::Services& kernel, const Current<Config>& config) {
    table.add("why", with(WhyParts{kernel, config}, handle_why));
}

}  // namespace a2h::operations
