#include "daemon/mail/late_mail.h"

#include <optional>
#include <string>
#include <vector>

#include "core/store/approval_store.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/late_yes.h"
#include "daemon/consent/matters.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/way.h"

namespace a2h::mail {
namespace {

std::vector<std::string> ids_of(const Agents& agents) {
    std::vector<std::string> ids;
    for (const auto& [id, agent] : agents)
        ids.push_back(id);
    return ids;
}

/// A message of ours, and what it answers or continues.
struct Waiting {
    std::optional<Approval> yes;  ///< of the mandate that has released it
    consent::MatterPtr matter;    ///< null: none that a feature knows
};

Result<Waiting> find_waiting(store::Database& db, const OutboxMessage& message) {
    Waiting waiting;
    A2H_ASSIGN_OR_RETURN(waiting.yes, mandates_yes(db, message));
    A2H_ASSIGN_OR_RETURN(waiting.matter,
                         consent::matter_of(db, message, waiting.yes ? &*waiting.yes : nullptr));
    return waiting;
}

/// Whether what the mandate has approved must not be sent any more: it has ended, or the peer has
/// written since.
Result<bool> is_over(store::Database& db, const Waiting& waiting, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto ended, consent::has_ended(db, *waiting.yes, now_ms));
    if (ended) return true;
    return consent::has_newer(db, *waiting.yes);
}

Result<Standing> standing_if(store::Database& db, const Agents& agents, const Result<bool>& open) {
    if (!open) return fail(open.error());
    if (*open) return Standing::Open;
    A2H_ASSIGN_OR_RETURN(const auto may_miss, may_miss_mail(db, agents));
    return may_miss ? Standing::Unread : Standing::Quiet;
}

Result<Standing> standing_beside(store::Database& db, const Agents& agents,
                                 const OutboxMessage& message, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto waiting, find_waiting(db, message));
    if (waiting.yes) {
        A2H_ASSIGN_OR_RETURN(const auto over, is_over(db, waiting, now_ms));
        if (over) return Standing::Open;
    }
    if (waiting.matter) {
        A2H_ASSIGN_OR_RETURN(const auto ended, waiting.matter->has_ended(db));
        if (ended) return Standing::Open;
        return standing_if(db, agents, waiting.matter->is_other_open(db, ids_of(agents)));
    }
    if (waiting.yes) return standing_if(db, agents, consent::is_other_open(db, *waiting.yes));
    return standing_with(db, agents, {.agent_id = message.agent_id, .peer_id = message.target_id});
}

/// Nobody waits for the mail of a stopped agent, but its peers may have written to it.
bool is_stopped_and_unread(const Agents& agents, const std::string& agent_id) {
    const auto agent = agents.find(agent_id);
    return agent != agents.end() && agent->second->is_stopped &&
           !agent->second->self_test.has_returned;
}

}  // namespace

Result<std::optional<Approval>> mandates_yes(store::Database& db, const OutboxMessage& message) {
    const consent::Claim claim = consent::claim_of(message.cause);
    if (claim.right != Right::Yes) return std::optional<Approval>();
    A2H_ASSIGN_OR_RETURN(auto yes, store::get_approval(db, std::string(claim.id)));
    return yes && !consent::mandate_of(*yes).empty() ? std::move(yes) : std::optional<Approval>();
}

std::optional<consent::Subject> late_subject(store::Database& db, const OutboxMessage& message) {
    const auto waiting = find_waiting(db, message);
    if (!waiting) return consent::Subject{message.agent_id, message.target_id, {}};
    return waiting->matter ? waiting->matter->subject() : std::nullopt;
}

bool is_step_current(store::Database& db, const OutboxMessage& message,
                     const std::string& listing_digest) {
    const auto waiting = find_waiting(db, message);
    if (!waiting || !waiting->matter) return false;
    const auto same = waiting->matter->says_the_same(db, listing_digest);
    return same && *same;
}

bool is_judged_late(store::Database& db, const OutboxMessage& message) {
    return consent::is_judged_late(message.cause) || is_of_mandate(db, message);
}

bool is_of_mandate(store::Database& db, const OutboxMessage& message) {
    if (consent::claim_of(message.cause).right == Right::Mandate) return true;
    const auto yes = mandates_yes(db, message);
    return !yes || yes->has_value();
}

Result<void> take_back_late(store::Database& db, const OutboxMessage& message, std::string_view why,
                            UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto waiting, find_waiting(db, message));
    if (!waiting.yes) return {};
    A2H_TRY(consent::take_back(db, *waiting.yes, why, now_ms));
    return waiting.matter ? waiting.matter->hand_over(db) : Result<void>();
}

Result<Standing> standing_with_receiver(store::Database& db, const Agents& agents,
                                        const OutboxMessage& message, UnixMs now_ms) {
    const auto standing = standing_beside(db, agents, message, now_ms);
    if (!standing || *standing != Standing::Quiet) return standing;
    return is_stopped_and_unread(agents, message.agent_id) ? Standing::Unread : Standing::Quiet;
}

}  // namespace a2h::mail
