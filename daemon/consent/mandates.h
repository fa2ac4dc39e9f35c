#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/mandate.h"
#include "core/store/database.h"
#include "core/store/mandate_store.h"
#include "daemon/consent/question.h"
#include "daemon/decide/decision.h"

namespace a2h::mandates {

// Limits within which the answer is yes without asking. Amounts of mandates are only for people:
// nothing here writes one into an error, an audit row, an event or a log line.
//
// Errors:  those of the database, besides those that a function names.
// Thread:  the store writer, inside the caller's transaction, unless stated otherwise.
// Source:  daemon/consent/README.md, "Mandates".

/// The person who gives or revokes a mandate. The caller has verified it by the PIN or a session of
/// the page.
struct Giver {
    std::string person;
    AnswerSurface surface = AnswerSurface::Terminal;
};

/// Stores a mandate with its audit row and event. If it names a listing of the owner's own, it
/// holds the hash of what that says now.
///
/// Errors:  those of `check_terms`.
Result<Mandate> give(store::Database& db, const MandateTerms& terms, const Giver& giver,
                     UnixMs now_ms);
/// Creates a share of `parent_mandate_id` for the agent of `terms`, which `parent_agent_id` has
/// created. Its uses count for all mandates above. The errors do not reveal limits.
///
/// Errors:  those of `check_terms`; PermissionDenied `mandate_exceeded` if the parent has no such
///          valid mandate or `terms` would allow more than it.
Result<Mandate> cut_share(store::Database& db, std::string_view parent_agent_id,
                          std::string_view parent_mandate_id, const MandateTerms& terms,
                          UnixMs now_ms);
/// Checks that `wanted_json` describes a share: its human sees only what it names, so it must have
/// every bound that a mandate needs by itself. No mandate is read, so the result does not reveal
/// which ones exist.
///
/// Errors:  those of `check_bounds`; InvalidArgument for a member that mandates do not have, or of
///          another type.
/// Thread:  any.
Result<void> check_wanted(const std::string& wanted_json, UnixMs now_ms);
/// Creates a share as its creator requests it: `wanted_json` has members of a mandate, and
/// `parent_mandate_id` if there is a choice. What the parent limits besides limits the share, too,
/// so it never allows more than what `wanted_json` names.
///
/// Errors:  as above; InvalidArgument for a member that mandates do not have, or of another type.
Result<Mandate> cut_share(store::Database& db, std::string_view parent_agent_id,
                          std::string_view agent_id, const std::string& wanted_json, UnixMs now_ms);

/// Revokes a mandate: from the commit on, it and its shares cover nothing. What they have approved
/// and nobody has begun to carry out is given up.
///
/// Errors:  NotFound; Conflict if it was already revoked.
Result<void> revoke(store::Database& db, std::string_view agent_id, std::string_view id,
                    const Giver& giver, UnixMs now_ms);
/// Revokes all mandates of the agent and returns their number.
Result<int> revoke_all(store::Database& db, std::string_view agent_id, const Giver& giver,
                       UnixMs now_ms);

/// Whether the owner's own listing that a mandate names says what it said when the mandate was
/// given. True if it names none, or if an older version gave it.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<bool> says_the_same(store::Database& db, const MandateTerms& terms);

/// A mandate with its remaining amounts, for people.
struct Standing {
    Mandate mandate;
    /// Absent if its terms cannot be read; the mandate then covers nothing.
    std::optional<MandateTerms> terms;
    store::MandateUsage today;
    store::MandateUsage this_week;
    bool is_outdated = false;  ///< not `says_the_same`: it covers nothing any more
};
/// The mandates of an agent, newest first; with `with_revoked`, also the revoked ones.
///
/// Thread:  any, with a connection of its own.
Result<std::vector<Standing>> list(store::Database& db, std::string_view agent_id,
                                   bool with_revoked, UnixMs now_ms);

/// The action that a mandate for this approval must have; empty if mandates cannot cover it.
std::string action_of(const Approval& approval);

/// The mandate that gives the yes to `question`, which is about to be asked: the oldest of those
/// that cover it. No mandate covers a question that is not bounded, has no exact amount, or has a
/// rule that says who must agree; a listing whose words have changed since the mandate was given,
/// if the mandate names it, and any order of somebody else's listing that it does not name (R48); a
/// message of a peer who is not verified or whose key has changed; and what a suspended mandate may
/// be about. Days and weeks are those of the machine's time zone. Uses with a time later than now,
/// because the clock was set back, count too.
Result<std::optional<std::string>> find_cover(store::Database& db,
                                              const consent::Question& question, UnixMs now_ms);

/// The first mandate that names the listing or request which `question` is about, if that has
/// changed since the mandate was given. Amounts, counts and sums are not compared, so the result
/// does not reveal them.
Result<std::optional<std::string>> find_outdated(store::Database& db,
                                                 const consent::Question& question, UnixMs now_ms);

/// How long a mandate is suspended after something that it approved has failed. A request within
/// its limits fails if the market refuses it, and a request outside of them asks the human.
/// Repeated attempts could therefore reveal the limits.
constexpr std::chrono::hours kRest{24};
/// The first suspended mandate that names the action, the peer and the listing of `approval`.
/// Amounts, counts and sums are not compared.
Result<std::optional<std::string>> find_resting(store::Database& db, const Approval& approval,
                                                UnixMs now_ms);

/// The limits of the mandates for peers' offers that are valid now, for rules that use them.
Result<std::vector<decide::MandateRange>> ranges(store::Database& db, std::string_view agent_id,
                                                 UnixMs now_ms);

/// Returns what a mandate has used since a time. Thread: that of the call that takes it.
using Usage = std::function<Result<store::MandateUsage>(const std::string& id, UnixMs since_ms)>;
/// Whether `amount_minor` stays within limits, counts and sums of the mandate and of each mandate
/// that it is a share of. False if one of them is unknown, revoked, or has terms that cannot be
/// read.
Result<bool> has_room(store::Database& db, std::string_view id, std::int64_t amount_minor,
                      const Usage& used, UnixMs now_ms);

/// The share of a mandate that an approved message or call gives, as JSON text for
/// `cut_share`; empty if it gives none.
///
/// Thread:  any.
std::string share_of_request(const Approval& approval);
/// `consent::ActionRow::hidden_failure` of actions that can give a share: assistants read the same
/// outcome whatever limit of the mandate was exceeded, and no share may remain.
///
/// Thread:  any.
std::string_view hidden_share_failure(const Approval& approval);

}  // namespace a2h::mandates
