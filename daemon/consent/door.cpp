#include "daemon/consent/door.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/domain/approval.h"
#include "core/store/approval_store.h"
#include "core/store/demand_store.h"
#include "core/store/mandate_store.h"
#include "core/store/setting_store.h"
#include "core/wire/json_member.h"
#include "core/wire/permit_digest.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/causes.h"

namespace a2h::consent {
namespace {

using nlohmann::json;

/// Set once `Door::take_over_old` has run on a database.
constexpr std::string_view kTakenOver = "permits.old_taken_over";

/// What gives the right to a call.
struct Grant {
    Right right = Right::None;
    std::string id{};
};

bool is_part(std::string_view action, std::string_view called) {
    const auto parts = row_of(action).parts;
    return std::find(parts.begin(), parts.end(), called) != parts.end();
}

Grant grant_of(const Caller& caller) {
    if (caller.yes == nullptr)
        return {row_of(caller.action).right_without_yes, std::string(caller.action)};
    const Approval& yes = *caller.yes;
    if (yes.status != ApprovalStatus::Approved || yes.agent_id != caller.agent_id ||
        yes.action != caller.action)
        return {};
    const bool by_mandate = yes.surface == AnswerSurface::Mandate;
    return {by_mandate ? Right::Mandate : Right::Yes, yes.id};
}

/// Whether the request is the one that the yes, or the free action, is about.
Result<bool> covers(const Caller& caller, std::string_view called,
                    const platform::Request& request) {
    if (is_part(caller.action, called)) return true;
    if (called != caller.action) return false;
    if (caller.yes == nullptr) {
        const auto is_free = row_of(called).is_free;
        return is_free == nullptr || is_free(json::parse(request.body, nullptr, false));
    }
    A2H_ASSIGN_OR_RETURN(const auto arguments, arguments_of(*caller.yes));
    A2H_ASSIGN_OR_RETURN(const auto approved,
                         platform::make_request(called, arguments, caller.agent_id));
    return platform::permit_digest(caller.agent_id, approved) ==
           platform::permit_digest(caller.agent_id, request);
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

Result<bool> is_negotiation_of(store::Database& db, const std::string& id,
                               const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto negotiation, store::get_negotiation(db, id));
    return negotiation && negotiation->agent_id == agent_id;
}

/// Whether the judge has let exactly this message leave, by this right.
bool was_judged(const OutboxMessage& message, Right right) {
    if (!message.judged || message.judged->right() != right) return false;
    const std::string& digest = message.judged->digest();
    return digest.empty() || digest == wire::permit_digest(message);
}

/// Whether what the claim names exists and gives the right.
Result<bool> holds(store::Database& db, const Claim& claim, const OutboxMessage& message) {
    const std::string id(claim.id);
    switch (claim.ground) {
        case Ground::Approval: {
            A2H_ASSIGN_OR_RETURN(const auto approval, store::get_approval(db, id));
            return approval && approval->agent_id == message.agent_id && was_answered(*approval);
        }
        case Ground::Mandate:
            return is_mandate_of(db, id, message.agent_id);
        case Ground::Negotiation:
            return is_negotiation_of(db, id, message.agent_id);
        case Ground::Judge:
            return was_judged(message, claim.right);
        case Ground::Code:
            return claim.right != Right::None;
    }
    return false;
}

}  // namespace

Result<Permit> Door::permit(store::Database& db, const OutboxMessage& message) {
    const Claim claim = claim_of(message.cause);
    A2H_ASSIGN_OR_RETURN(const bool has_right, holds(db, claim, message));
    if (has_right) return Permit(claim.right, std::string(claim.id), wire::permit_digest(message));
    return fail(ErrorCode::PermissionDenied,
                "nothing gives message " + message.message_id + " the right to leave");
}

Result<Permit> Door::permit(const platform::Request& request, std::string_view called,
                            const Caller& caller) {
    const Grant grant = grant_of(caller);
    A2H_ASSIGN_OR_RETURN(const bool is_covered, covers(caller, called, request));
    if (grant.right != Right::None && is_covered)
        return Permit(grant.right, grant.id, platform::permit_digest(caller.agent_id, request));
    return fail(ErrorCode::PermissionDenied,
                "nothing gives the right to call " + std::string(called));
}

Result<Permit> Door::permit_upload(std::string_view file_sha256, const Caller& caller) {
    const Grant grant = grant_of(caller);
    bool is_covered = row_of(caller.action).uploads;
    if (caller.yes != nullptr) {
        A2H_ASSIGN_OR_RETURN(const auto arguments, arguments_of(*caller.yes));
        is_covered = is_covered && wire::text_member(arguments, "sha256") == file_sha256;
    }
    if (grant.right != Right::None && is_covered)
        return Permit(grant.right, grant.id, platform::upload_digest(caller.agent_id, file_sha256));
    return fail(ErrorCode::PermissionDenied, "nothing gives the right to upload this file");
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
