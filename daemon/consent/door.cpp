#include "daemon/consent/door.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "core/domain/approval.h"
#include "core/store/approval_store.h"
#include "core/store/mandate_store.h"
#include "core/store/setting_store.h"
#include "core/wire/permit_digest.h"

namespace a2h::consent {
namespace {

/// Set once `Door::take_over_old` has run on a database.
constexpr std::string_view kTakenOver = "permits.old_taken_over";

struct Ground {
    Right right = Right::None;
    std::string id{};
};

/// What a cause begins with, and the right that it claims.
struct CauseRow {
    std::string_view prefix;
    Right right;
};
constexpr CauseRow kCauses[] = {
    {"approval:", Right::Yes},
    {"mandate:", Right::Mandate},
    {"rule:", Right::Answer},
    {"case:", Right::Answer},                   // the same, while the reply is evaluated
    {"tool:", Right::Harmless},                 // an assistant's words, judged by `hold_of`
    {"negotiation:", Right::Harmless},          // an assistant's demand
    {"negotiation_released:", Right::OwnHand},  // a demand that the owner has released
    {"negotiation_failed:", Right::Fixed},
    {"hand:", Right::OwnHand},
    {"task:", Right::Fixed},  // the tasks of an agent that the owner has stopped
};

Ground claimed_by(std::string_view cause) {
    const auto row = std::find_if(std::begin(kCauses), std::end(kCauses),
                                  [&](const auto& each) { return cause.starts_with(each.prefix); });
    if (row == std::end(kCauses)) return {};
    return {row->right, std::string(cause.substr(row->prefix.size()))};
}

/// A no and the choice of an option can send words as well.
bool was_answered(const Approval& approval) {
    return approval.status == ApprovalStatus::Approved ||
           approval.status == ApprovalStatus::Rejected ||
           approval.status == ApprovalStatus::Instructed;
}

Result<bool> is_mandate_of(store::Database& db, const std::string& id,
                           const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto mandate, store::get_mandate(db, id));
    return mandate && mandate->agent_id == agent_id;
}

/// Whether the row that the ground names gives the right.
Result<bool> holds(store::Database& db, const Ground& ground, const OutboxMessage& message) {
    switch (ground.right) {
        case Right::None:
        case Right::BeforePermits:
            return false;
        case Right::Yes: {
            A2H_ASSIGN_OR_RETURN(const auto approval, store::get_approval(db, ground.id));
            return approval && approval->agent_id == message.agent_id && was_answered(*approval);
        }
        case Right::Mandate:
            return is_mandate_of(db, ground.id, message.agent_id);
        case Right::Answer:
        case Right::Fixed:
        case Right::Harmless:
        case Right::OwnHand:
            return true;
    }
    return false;
}

}  // namespace

Result<Permit> Door::permit(store::Database& db, const OutboxMessage& message) {
    const Ground ground = claimed_by(message.cause);
    A2H_ASSIGN_OR_RETURN(const bool has_right, holds(db, ground, message));
    if (has_right) return Permit(ground.right, ground.id, wire::permit_digest(message));
    return fail(ErrorCode::PermissionDenied,
                "nothing gives message " + message.message_id + " the right to leave");
}

Result<void> Door::take_over_old(store::Database& db) {
    A2H_ASSIGN_OR_RETURN(const auto done, store::get_number(db, "", kTakenOver));
    if (done != 0) return {};
    A2H_ASSIGN_OR_RETURN(const auto old, store::outbox_before_permits(db));
    for (const OutboxMessage& message : old)
        A2H_TRY(store::put_permit_digest(db, message.id, wire::permit_digest(message)));
    return store::put_number(db, "", kTakenOver, 1);
}

Result<store::OutboxPlace> put_in_outbox(store::Database& db, const OutboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const Permit permit, Door::permit(db, message));
    return store::insert_outbox(db, message, permit);
}

}  // namespace a2h::consent
