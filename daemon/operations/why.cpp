// Shows by what right something has left the home.

#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/domain/permit.h"
#include "core/store/approval_store.h"
#include "core/store/outbox_store.h"
#include "daemon/card/card.h"
#include "daemon/config/current.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/door.h"
#include "daemon/consent/recorded.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/ask.h"
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
    const consent::Claim claim = consent::claim_of(message.cause);
    const bool is_as_given =
        message.permit_right == Right::BeforePermits ||
        (claim.right == message.permit_right && claim.id == message.permitted_by);
    return permitted && is_as_given ? to_string(message.permit_right) : kChanged;
}

/// What is known about one id, in the order in which it is shown.
class Items {
  public:
    Items(store::Database& db, i18n::Language language) : db_(db), language_(language) {}

    Result<void> add(const Approval& approval) {
        A2H_ASSIGN_OR_RETURN(const auto right, right_of(db_, approval));
        const bool closes =
            approval.status == ApprovalStatus::Approved && card::closes_without_answer(approval);
        const UnixMs at_ms =
            approval.answered_at_ms == 0 ? approval.created_at_ms : approval.answered_at_ms;
        items_.push_back(
            {{"kind", "question"},
             {"approval_id", approval.id},
             {"agent_id", approval.agent_id},
             {"action", approval.action},
             {"question", approval.question},
             {"status", to_string(approval.status)},
             {"outcome", to_string(closes ? ApprovalOutcome::None : approval.outcome)},
             {"closed_without_answer", closes},
             {"not_yet_sent", waits_to_be_sent(approval)},
             {"right", right},
             {"answered_by", approval.answered_by},
             {"surface", approval.surface ? json(to_string(*approval.surface)) : json()},
             {"at", to_utc_time(at_ms)}});
        return {};
    }
    Result<void> add(const OutboxMessage& message) {
        A2H_ASSIGN_OR_RETURN(const auto right, right_of(db_, message));
        items_.push_back({{"kind", "message"},
                          {"message_id", message.message_id},
                          {"agent_id", message.agent_id},
                          {"peer_id", message.target_id},
                          {"text", card::message_in_words(message.payload_json, language_)},
                          {"state", to_string(message.state)},
                          {"right", right},
                          {"permitted_by", message.permitted_by},
                          {"at", to_utc_time(message.created_at_ms)}});
        return {};
    }
    /// The question that gave `message` the right, if one did.
    Result<void> add_question_of(const OutboxMessage& message) {
        if (message.permit_right != Right::Yes) return {};
        A2H_ASSIGN_OR_RETURN(const auto yes, store::get_approval(db_, message.permitted_by));
        return yes ? add(*yes) : Result<void>();
    }
    json take() { return std::move(items_); }

  private:
    store::Database& db_;
    const i18n::Language language_;
    json items_ = json::array();
};

struct WhyParts {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
};

Result<json> handle_why(const WhyParts& parts, const Call& call) {
    store::Database& db = parts.kernel.reader;
    const std::string id = call.text("id");
    Items items(db, language_of(parts.config, call));
    A2H_ASSIGN_OR_RETURN(const auto messages, store::outbox_with_id(db, id, kItemsMax));
    for (const OutboxMessage& message : messages) {
        A2H_TRY(items.add(message));
        A2H_TRY(items.add_question_of(message));
    }
    A2H_ASSIGN_OR_RETURN(const auto asked, store::get_approval(db, id));
    if (asked) A2H_TRY(items.add(*asked));
    A2H_ASSIGN_OR_RETURN(const auto permitted, store::outbox_permitted_by(db, id, kItemsMax));
    for (const OutboxMessage& message : permitted)
        A2H_TRY(items.add(message));
    A2H_ASSIGN_OR_RETURN(const auto about, store::approved_about(db, id, kItemsMax));
    for (const Approval& approval : about)
        A2H_TRY(items.add(approval));
    json found = items.take();
    if (id.empty() || found.empty())
        return fail(ErrorCode::NotFound,
                    "nothing with this id has left the home and no question has it");
    return json{{"id", id}, {"items", std::move(found)}};
}

}  // namespace

void add_why(Table& table, const AllParts& all) {
    table.add("why", with(WhyParts{all.kernel, all.config}, handle_why));
}

}  // namespace a2h::operations
