#include "daemon/consent/unsent.h"

#include <string>

#include "core/store/approval_store.h"
#include "core/wire/canonical.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/way.h"

namespace a2h::consent {
Result<std::optional<Approval>> yes_to(store::Database& db, const OutboxMessage& message) {
    const Claim claim = claim_of(message.cause);
    if (claim.right != Right::Yes) return std::optional<Approval>();
    return store::get_approval(db, std::string(claim.id));
}

Result<void> record_unsent(store::Database& db, const OutboxMessage& message, std::string_view why,
                           UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto yes, yes_to(db, message));
    if (!yes) return {};
    const std::string detail =
        "not sent: " + message.message_id + (why.empty() ? "" : "; " + std::string(why));
    return take_back(db, *yes, detail, now_ms);
}

Result<void> record_queued_again(store::Database& db, const OutboxMessage& message, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto yes, yes_to(db, message));
    // The yes of a mandate stays taken back: it would no longer give it.
    if (!yes || yes->surface == AnswerSurface::Mandate) return {};
    const std::string detail = "queued again as " + message.message_id;
    A2H_ASSIGN_OR_RETURN(const bool changed, store::resume_approval(db, yes->id, detail, now_ms));
    if (!changed) return {};
    return store::append_audit(db, yes->id, to_string(ApprovalOutcome::Executed),
                               wire::text_object({{"detail", detail}}), now_ms);
}

}  // namespace a2h::consent
