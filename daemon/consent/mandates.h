#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/bargain.h"
#include "core/domain/mandate.h"
#include "core/store/database.h"
#include "core/store/mandate_store.h"
#include "daemon/consent/strategy.h"
#include "daemon/decide/decision.h"

namespace a2h::mandates {

// Limits under which the answer is yes without asking. Everything runs in the caller's transaction
// on the store writer, unless it says otherwise. Amounts of mandates are for people only: nothing
// here puts one into an error, an audit row, an event or a log.
// Source: daemon/consent/README.md, "Mandates".

/// Who gives or revokes. Whoever calls has proved it: with the PIN, or with a session of the page.
struct Giver {
    std::string person;
    AnswerSurface surface = AnswerSurface::Terminal;
};

/// Stores a mandate, with its audit row and event. Errors: those of `check_terms`.
Result<Mandate> give(store::Database& db, const MandateTerms& terms, const Giver& giver,
                     UnixMs now_ms);
/// Cuts a share of `parent_mandate_id` for the agent of `terms`, whom `parent_agent_id` made. Uses
/// of it count for all mandates above. Errors: those of `check_terms`; PermissionDenied
/// `mandate_exceeded` when the parent has no such mandate that holds, or `terms` would allow more.
/// The error does not say what the limits are.
Result<Mandate> cut_share(store::Database& db, std::string_view parent_agent_id,
                          std::string_view parent_mandate_id, const MandateTerms& terms,
                          UnixMs now_ms);
/// Whether `wanted_json` can be cut a share by at all. No mandate is looked at, so the answer is
/// the same whatever there is. Errors: InvalidArgument for a member that is none of a mandate's, or
/// of another type. Thread: any.
Result<void> check_wanted(const std::string& wanted_json);
/// What its maker wants an agent to have: `wanted_json` has members of a mandate, and
/// `parent_mandate_id` where there is a choice; all others are as in the parent's. Errors: as
/// above; InvalidArgument for a member that is none, or of another type.
Result<Mandate> cut_share(store::Database& db, std::string_view parent_agent_id,
                          std::string_view agent_id, const std::string& wanted_json, UnixMs now_ms);

/// From the commit on it covers nothing, and neither do its shares; what they have approved but
/// nobody has begun to carry out is given up. Errors: NotFound; Conflict when it was revoked
/// before.
Result<void> revoke(store::Database& db, std::string_view agent_id, std::string_view id,
                    const Giver& giver, UnixMs now_ms);
/// All of the agent. Returns how many there were.
Result<int> revoke_all(store::Database& db, std::string_view agent_id, const Giver& giver,
                       UnixMs now_ms);

/// A mandate with what is left of it, for people.
struct Standing {
    Mandate mandate;
    /// Absent when its terms cannot be read: then it covers nothing.
    std::optional<MandateTerms> terms;
    store::MandateUsage today;
    store::MandateUsage this_week;
};
/// Newest first. Thread: any, with a connection of its own.
Result<std::vector<Standing>> list(store::Database& db, std::string_view agent_id,
                                   bool with_revoked, UnixMs now_ms);

/// What a mandate for this approval would have to be about; empty when there is none for it.
std::string action_of(const Approval& approval);

/// The mandate that gives the yes to `approval`, which is about to be asked: the first given of
/// those that cover it. Nothing covers what is not bounded, has no exact amount, has a rule that
/// says who must agree, is an order of somebody else's listing that does not say what it said when
/// the mandate was given (R48), comes from a peer who is not verified or whose key has changed, or
/// is about something that a mandate does not name, or may be about a mandate that rests. Days and
/// weeks are those of the machine's time
/// zone; what was used at a later time than now, because the clock was set back, counts too.
Result<std::optional<std::string>> find_cover(store::Database& db, const Approval& approval,
                                              UnixMs now_ms);

/// The first mandate that names the listing of the order, which says something else now than when
/// the mandate was given. Amounts, counts and sums are not looked at: the answer gives none away.
Result<std::optional<std::string>> find_outdated(store::Database& db, const Approval& approval,
                                                 UnixMs now_ms);

/// How long a mandate rests after something that it said yes to has failed. What is inside its
/// limits fails where the market refuses it, and what is outside asks: whoever could try again at
/// once would read the limits by what fails.
constexpr std::chrono::hours kRest{24};
/// The first mandate that rests and names the action, the peer and the listing of `approval`;
/// amounts, counts and sums are not looked at.
Result<std::optional<std::string>> find_resting(store::Database& db, const Approval& approval,
                                                UnixMs now_ms);

/// What the mandates about peers' offers allow now, for rules that look at it.
Result<std::vector<decide::MandateRange>> ranges(store::Database& db, std::string_view agent_id,
                                                 UnixMs now_ms);

/// A mandate to negotiate that holds now.
struct Negotiator {
    std::string id;
    MandateTerms terms;
    consent::Strategy strategy;
};

/// The one that `dialogue` goes on under, or when it names none, the first given for its agent,
/// peer and listing. nullopt: there is none, it was revoked, or its time is over.
Result<std::optional<Negotiator>> find_negotiator(store::Database& db, const Bargain& dialogue,
                                                  UnixMs now_ms);
/// Whether an offer of this amount stays within limit, counts and sums. A bargain counts once,
/// with its last amount, while it is open and after it was agreed: so what `dialogue_id` has
/// offered before does not count against it.
Result<bool> may_offer(store::Database& db, const Negotiator& negotiator, std::int64_t amount_minor,
                       std::int64_t dialogue_id, UnixMs now_ms);

}  // namespace a2h::mandates
