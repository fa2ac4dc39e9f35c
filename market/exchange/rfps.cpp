#include "market/exchange/rfps.h"

#include "market/exchange/events.h"
#include "market/store/agent_store.h"
#include "market/store/capability_store.h"
#include "market/store/proposal_store.h"

namespace a2h::market {
namespace {

constexpr std::int64_t kRfpsAtOnce = 20;

Unexpected no_such_rfp() {
    return fail(ErrorCode::NotFound, "there is no such RFP for you");
}

Result<bool> is_active(db::Transaction& transaction, std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto agent, store::find_agent(transaction, agent_id));
    return agent && !agent->revoked;
}

/// Notifies the next agents after `from.told_after`; true if there may be more.
Result<bool> notify_next(db::Transaction& transaction, const Rfp& rfp, const store::Telling& from,
                         UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto agents,
                         store::matched_agents(transaction, rfp.capability_type, rfp.domains,
                                               from.told_after, kNotifiedAtOnce));
    const bool more = agents.size() == static_cast<std::size_t>(kNotifiedAtOnce);
    A2H_ASSIGN_OR_RETURN(const auto mine,
                         store::set_told_after(transaction, from,
                                               more ? std::optional(agents.back()) : std::nullopt));
    if (!mine) return true;
    for (const std::string& agent_id : agents) {
        if (agent_id == rfp.creator_id) continue;
        A2H_ASSIGN_OR_RETURN(const auto active, is_active(transaction, agent_id));
        if (active) A2H_TRY(notify_matched(transaction, agent_id, rfp, now_ms));
    }
    return more;
}

Result<Rfp> end(db::Transaction& transaction, Rfp rfp, RfpStatus to, UnixMs now_ms) {
    const RfpStatus from = rfp.status_at(now_ms);
    A2H_TRY(check_rfp_move(from, to));
    if (from == to) return rfp;
    A2H_ASSIGN_OR_RETURN(const auto ended, store::end_rfp(transaction, rfp.rfp_id, to, now_ms));
    if (!ended) {
        return fail(ErrorCode::Conflict, "the RFP has ended meanwhile; read it again");
    }
    rfp.status = to;
    rfp.updated_at_ms = now_ms;
    A2H_TRY(notify_rfp_change(transaction, rfp, to_string(to), false, now_ms));
    return rfp;
}

Result<Rfp> extend(db::Transaction& transaction, Rfp rfp, UnixMs to_ms, UnixMs now_ms) {
    const RfpStatus status = rfp.status_at(now_ms);
    if (status != RfpStatus::Open) {
        return fail(ErrorCode::Conflict,
                    "this RFP is " + std::string(to_string(status)) + "; its deadline is final");
    }
    if (rfp.deadline_at_ms == to_ms) return rfp;
    if (!rfp.deadline_at_ms || to_ms < *rfp.deadline_at_ms) {
        return fail(ErrorCode::Conflict,
                    rfp.deadline_at_ms
                        ? "a deadline may be extended, not shortened"
                        : "this RFP has no deadline, and a deadline would shorten it");
    }
    A2H_ASSIGN_OR_RETURN(
        const auto extended,
        store::extend_deadline(transaction, rfp.rfp_id, *rfp.deadline_at_ms, to_ms, now_ms));
    if (!extended) {
        return fail(ErrorCode::Conflict, "the RFP was changed meanwhile; read it again");
    }
    rfp.deadline_at_ms = to_ms;
    rfp.updated_at_ms = now_ms;
    A2H_TRY(notify_rfp_change(transaction, rfp, "deadline_extended", false, now_ms));
    return rfp;
}

}  // namespace

Result<void> create_rfp(db::Transaction& transaction, const Rfp& rfp) {
    if (rfp.deadline_at_ms && *rfp.deadline_at_ms <= rfp.created_at_ms) {
        return fail(ErrorCode::InvalidArgument, "deadline_at is not in the future");
    }
    A2H_TRY(store::add_rfp(transaction, rfp));
    const auto notified = notify_next(transaction, rfp, {rfp.rfp_id, ""}, rfp.created_at_ms);
    return notified ? Result<void>() : fail(notified.error());
}

Result<SeenRfp> see_rfp(db::Transaction& transaction, std::string_view rfp_id,
                        std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(auto rfp, store::find_rfp(transaction, rfp_id));
    if (!rfp) return no_such_rfp();
    if (rfp->creator_id == agent_id) return SeenRfp{std::move(*rfp), RfpRole::Creator};
    A2H_ASSIGN_OR_RETURN(const auto active, is_active(transaction, rfp->creator_id));
    if (!active) return no_such_rfp();
    A2H_ASSIGN_OR_RETURN(const auto matched, store::is_matched(transaction, rfp_id, agent_id));
    A2H_ASSIGN_OR_RETURN(
        const auto answered,
        matched ? Result<std::int64_t>(1) : store::count_proposals(transaction, rfp_id, agent_id));
    if (answered == 0) return no_such_rfp();
    return SeenRfp{std::move(*rfp), RfpRole::Supplier};
}

Result<Rfp> change_rfp(db::Transaction& transaction, std::string_view rfp_id,
                       std::string_view agent_id, const RfpChange& change, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto seen, see_rfp(transaction, rfp_id, agent_id));
    if (seen.role != RfpRole::Creator) {
        return fail(ErrorCode::PermissionDenied, "only its creator may change an RFP");
    }
    if (change.status.has_value() == change.deadline_at_ms.has_value()) {
        return fail(ErrorCode::InvalidArgument, "give either status or deadline_at");
    }
    if (change.status) return end(transaction, std::move(seen.rfp), *change.status, now_ms);
    return extend(transaction, std::move(seen.rfp), *change.deadline_at_ms, now_ms);
}

Result<std::int64_t> close_due_rfps(db::Transaction& transaction, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto due, store::due_rfps(transaction, now_ms, kRfpsAtOnce));
    for (Rfp& rfp : due) {
        A2H_ASSIGN_OR_RETURN(const auto closed,
                             store::close_due_rfp(transaction, rfp.rfp_id, now_ms));
        if (!closed) continue;
        rfp.status = RfpStatus::Closed;
        A2H_TRY(notify_rfp_change(transaction, rfp, "closed", true, now_ms));
    }
    return static_cast<std::int64_t>(due.size());
}

Result<bool> notify_more(db::Transaction& transaction, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto waiting, store::tellings(transaction, kRfpsAtOnce));
    for (const store::Telling& telling : waiting) {
        A2H_ASSIGN_OR_RETURN(const auto rfp, store::find_rfp(transaction, telling.rfp_id));
        if (!rfp) continue;
        // An RFP that has ended in the meantime needs no proposals.
        if (rfp->status_at(now_ms) != RfpStatus::Open) {
            A2H_TRY(store::set_told_after(transaction, telling, std::nullopt));
            continue;
        }
        A2H_TRY(notify_next(transaction, *rfp, telling, now_ms));
    }
    return !waiting.empty();
}

}  // namespace a2h::market
