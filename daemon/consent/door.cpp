#include "daemon/consent/door.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/domain/approval.h"
#include "core/store/inbox_store.h"
#include "core/store/listing_store.h"
#include "core/store/setting_store.h"
#include "core/wire/json_member.h"
#include "core/wire/message_types.h"
#include "core/wire/permit_digest.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/deal_acts.h"
#include "daemon/deals/book.h"

namespace a2h::consent {
namespace {

using nlohmann::json;

/// Set once `Door::take_over_old` has run on a database.
constexpr std::string_view kTakenOver = "permits.old_taken_over";

/// The right to a call, with its source.
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

Result<bool> holds(store::Database& db, const Claim& claim, const OutboxMessage& message) {
    if (claim.row == nullptr || claim.right == Right::None) return false;
    return claim.row->holds == nullptr ? Result<bool>(true)
                                       : claim.row->holds(db, claim.id, message);
}

/// What a rule says by itself agrees to nothing, so only other words are read.
bool may_act(const OutboxMessage& message) {
    return message.message_type == wire::kChatMessageType && !message.cause.starts_with("rule:");
}

/// The conversation before `message`, which is stored already, newest first.
Result<std::vector<HistoryEntry>> said_before(store::Database& db, const OutboxMessage& message) {
    constexpr int kMessagesRead = 5;
    A2H_ASSIGN_OR_RETURN(
        auto recent, store::history(db, message.agent_id, message.target_id, 1, kMessagesRead + 1));
    std::erase_if(recent, [&](const HistoryEntry& entry) {
        return entry.message_id == message.message_id ||
               (entry.incoming && entry.provenance == Provenance::Forged);
    });
    return recent;
}

/// Our own listing that the deal is about.
Result<std::optional<Listing>> listing_of(store::Database& db, const deals::Named& named,
                                          const std::optional<Deal>& deal) {
    const bool is_known = deal && deal->subject.kind == kListingSubject;
    return store::find_listing(db, named.agent_id, is_known ? deal->subject.id : named.works_id);
}

/// What our message does in its deal.
Result<void> record_own(store::Database& db, const OutboxMessage& message, std::int64_t id) {
    if (!may_act(message)) return {};
    const deals::Named named = deals::named_in(message);
    A2H_ASSIGN_OR_RETURN(const auto deal, deals::find(db, named, message.created_at_ms));
    OutboxMessage stored = message;
    stored.id = id;
    A2H_ASSIGN_OR_RETURN(const auto recent, said_before(db, message));
    A2H_ASSIGN_OR_RETURN(const auto listing, listing_of(db, named, deal));
    const auto acts = acts_of_own(stored, deal, recent, listing);
    const auto recorded = deals::record_in(db, deal, named, acts, message.created_at_ms);
    return recorded ? Result<void>() : fail(recorded.error());
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
    A2H_ASSIGN_OR_RETURN(const auto place, store::insert_outbox(db, message, permit));
    A2H_TRY(record_own(db, message, place.id));
    return place;
}

Result<bool> has_permit(store::Database& db, const OutboxMessage& message) {
    return store::is_permitted(db, message.id, wire::permit_digest(message));
}

}  // namespace a2h::consent
