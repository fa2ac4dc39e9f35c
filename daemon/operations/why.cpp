// Shows by what right something has left the home.

#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/permit.h"
#include "core/store/approval_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/payload.h"
#include "daemon/consent/door.h"
#include "daemon/consent/recorded.h"
#include "daemon/kernel/services.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kItemsMax = 50;

/// The right of a row that is not what the audit or its permit says.
constexpr std::string_view kChanged = "changed";

/// The right that the answer of `approval` has given.
Result<std::string_view> right_of(store::Database& db, const Approval& approval) {
    if (approval.status != ApprovalStatus::Approved) return to_string(Right::None);
    A2H_ASSIGN_OR_RETURN(const bool recorded, consent::was_answered_so(db, approval));
    if (!recorded) return kChanged;
    const bool by_mandate = approval.surface == AnswerSurface::Mandate;
    return to_string(by_mandate ? Right::Mandate : Right::Yes);
}

Result<std::string_view> right_of(store::Database& db, const OutboxMessage& message) {
    if (message.permit_right == Right::None) return to_string(Right::None);
    A2H_ASSIGN_OR_RETURN(const bool permitted, consent::has_permit(db, message));
    return permitted ? to_string(message.permit_right) : kChanged;
}

Result<json> question_json(store::Database& db, const Approval& approval) {
    A2H_ASSIGN_OR_RETURN(const auto right, right_of(db, approval));
    return json{{"kind", "question"},
                {"approval_id", approval.id},
                {"agent_id", approval.agent_id},
                {"action", approval.action},
                {"question", approval.question},
                {"status", to_string(approval.status)},
                {"outcome", to_string(approval.outcome)},
                {"right", right},
                {"answered_by", approval.answered_by},
                {"surface", approval.surface ? json(to_string(*approval.surface)) : json()},
                {"at", approval.answered_at_ms == 0 ? "" : to_utc_time(approval.answered_at_ms)}};
}

Result<json> message_json(store::Database& db, const OutboxMessage& message) {
    const std::string text = wire::view_payload(message.payload_json).text;
    A2H_ASSIGN_OR_RETURN(const auto right, right_of(db, message));
    return json{{"kind", "message"},
                {"message_id", message.message_id},
                {"agent_id", message.agent_id},
                {"peer_id", message.target_id},
                {"text", preview(text.empty() ? message.payload_json : text)},
                {"state", to_string(message.state)},
                {"right", right},
                {"permitted_by", message.permitted_by},
                {"at", to_utc_time(message.created_at_ms)}};
}

Result<void> add_question(store::Database& db, const Approval& approval, json& items) {
    A2H_ASSIGN_OR_RETURN(auto shown, question_json(db, approval));
    items.push_back(std::move(shown));
    return {};
}

Result<void> add_message(store::Database& db, const OutboxMessage& message, json& items) {
    A2H_ASSIGN_OR_RETURN(auto shown, message_json(db, message));
    items.push_back(std::move(shown));
    return {};
}

/// The question that gave `message` the right, if one did.
Result<void> add_question_of(store::Database& db, const OutboxMessage& message, json& items) {
    if (message.permit_right != Right::Yes) return {};
    A2H_ASSIGN_OR_RETURN(const auto yes, store::get_approval(db, message.permitted_by));
    return yes ? add_question(db, *yes, items) : Result<void>();
}

Result<json> handle_why(const kernel::Services& kernel, const Call& call) {
    store::Database& db = kernel.reader;
    const std::string id = call.text("id");
    json items = json::array();
    A2H_ASSIGN_OR_RETURN(const auto messages, store::outbox_with_id(db, id, kItemsMax));
    for (const OutboxMessage& message : messages) {
        A2H_TRY(add_message(db, message, items));
        A2H_TRY(add_question_of(db, message, items));
    }
    A2H_ASSIGN_OR_RETURN(const auto asked, store::get_approval(db, id));
    if (asked) A2H_TRY(add_question(db, *asked, items));
    A2H_ASSIGN_OR_RETURN(const auto permitted, store::outbox_permitted_by(db, id, kItemsMax));
    for (const OutboxMessage& message : permitted)
        A2H_TRY(add_message(db, message, items));
    A2H_ASSIGN_OR_RETURN(const auto about, store::approved_about(db, id, kItemsMax));
    for (const Approval& approval : about)
        A2H_TRY(add_question(db, approval, items));
    if (id.empty() || items.empty())
        return fail(ErrorCode::NotFound,
                    "nothing with this id has left the home and no question has it");
    return json{{"id", id}, {"items", std::move(items)}};
}

}  // namespace

void add_why(Table& table, const kernel::Services& kernel) {
    table.add("why", with(kernel, handle_why));
}

}  // namespace a2h::operations
