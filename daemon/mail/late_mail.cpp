#include "daemon/mail/late_mail.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/store/bargain_store.h"
#include "core/store/invitation_store.h"
#include "core/wire/json_member.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/steps.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/late_yes.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/way.h"

namespace a2h::mail {
namespace {

constexpr std::string_view kMandateCause = "mandate:";
/// An assistant, or the owner, has answered an invitation or a plan.
constexpr std::string_view kInvitedCauses[] = {"tool:negotiation", "hand:negotiation"};

std::vector<std::string> ids_of(const Agents& agents) {
    std::vector<std::string> ids;
    for (const auto& [id, agent] : agents)
        ids.push_back(id);
    return ids;
}

std::string member_of(const OutboxMessage& message, std::string_view name) {
    return wire::text_member(nlohmann::json::parse(message.payload_json, nullptr, false), name);
}

/// The negotiation that an answer to an invitation or a plan belongs to.
std::string invitation_of(const OutboxMessage& message) {
    const auto invited = std::find(std::begin(kInvitedCauses), std::end(kInvitedCauses),
                                   std::string_view(message.cause));
    if (invited == std::end(kInvitedCauses)) return {};
    return member_of(message, "channel_id");
}

/// The bargain under a mandate that a message belongs to, in any state.
Result<std::optional<Bargain>> bargain_of(store::Database& db, std::string_view mandate_id,
                                          const OutboxMessage& message) {
    return store::find_bargain(db, mandate_id, message.target_id, member_of(message, "worksId"));
}

/// The bargain that the message of a mandate ends.
Result<std::optional<Bargain>> ended_bargain(store::Database& db, const OutboxMessage& message) {
    if (!message.cause.starts_with(kMandateCause)) return std::optional<Bargain>();
    return bargain_of(db, message.cause.substr(kMandateCause.size()), message);
}

/// The bargain, in any state, of which a message is an offer or an acceptance that a mandate has
/// released.
Result<std::optional<Bargain>> late_bargain(store::Database& db, const OutboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const auto yes, mandates_yes(db, message));
    if (!yes) return std::optional<Bargain>();
    return bargain_of(db, consent::mandate_of(*yes), message);
}

/// Whether what the yes was for has ended.
Result<bool> has_ended(store::Database& db, const Approval& yes, const OutboxMessage& message,
                       UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto ended, consent::has_ended(db, yes, now_ms));
    const std::string channel_id = member_of(message, "channel_id");
    if (ended || channel_id.empty()) return ended;
    A2H_ASSIGN_OR_RETURN(const auto invitation,
                         store::find_invitation(db, message.agent_id, channel_id));
    return !invitation || invitation->state == InvitationState::Ended;
}

/// Whether the peer has written since the mandate gave `yes`, or anything else is open with it.
Result<bool> is_open_since(store::Database& db, const Approval& yes, const OutboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const auto newer, consent::has_newer(db, yes));
    if (newer) return true;
    A2H_ASSIGN_OR_RETURN(const auto bargain, bargain_of(db, consent::mandate_of(yes), message));
    return bargain ? consent::is_other_open(db, *bargain, &yes) : consent::is_other_open(db, yes);
}

Result<Standing> standing_if(store::Database& db, const Agents& agents, const Result<bool>& open) {
    if (!open) return fail(open.error());
    if (*open) return Standing::Open;
    A2H_ASSIGN_OR_RETURN(const auto may_miss, may_miss_mail(db, agents));
    return may_miss ? Standing::Unread : Standing::Quiet;
}

Result<Standing> standing_beside(store::Database& db, const Agents& agents,
                                 const OutboxMessage& message, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto yes, mandates_yes(db, message));
    if (yes) {
        A2H_ASSIGN_OR_RETURN(const auto ended, has_ended(db, *yes, message, now_ms));
        return ended ? Standing::Open : standing_if(db, agents, is_open_since(db, *yes, message));
    }
    store::Between about{.agent_id = message.agent_id, .peer_id = message.target_id};
    if (message.cause.starts_with(collab::kNegotiationCause)) {
        about.negotiation_id = message.cause.substr(collab::kNegotiationCause.size());
        return standing_if(db, agents, collab::is_open_beside(db, ids_of(agents), about));
    }
    A2H_ASSIGN_OR_RETURN(const auto bargain, ended_bargain(db, message));
    if (bargain) return standing_if(db, agents, consent::is_other_open(db, *bargain, nullptr));
    about.negotiation_id = invitation_of(message);
    about.for_mandate = !about.negotiation_id.empty();
    return standing_with(db, agents, about);
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
    const auto bargain = late_bargain(db, message);
    if (bargain && !*bargain) return std::nullopt;
    return consent::Subject{message.agent_id, message.target_id,
                            bargain ? (*bargain)->works_id : std::string()};
}

bool is_step_current(store::Database& db, const OutboxMessage& message,
                     const std::string& listing_digest) {
    const auto about = late_bargain(db, message);
    if (!about || !*about) return false;
    const auto same = consent::says_the_same(db, **about, listing_digest);
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
    A2H_ASSIGN_OR_RETURN(const auto yes, mandates_yes(db, message));
    if (!yes) return {};
    A2H_TRY(consent::take_back(db, *yes, why, now_ms));
    A2H_ASSIGN_OR_RETURN(auto bargain, bargain_of(db, consent::mandate_of(*yes), message));
    if (!bargain) return {};
    bargain->state = "handed_over";
    bargain->close_at_ms = 0;
    return store::update_bargain(db, *bargain);
}

Result<Standing> standing_with_receiver(store::Database& db, const Agents& agents,
                                        const OutboxMessage& message, UnixMs now_ms) {
    const auto standing = standing_beside(db, agents, message, now_ms);
    if (!standing || *standing != Standing::Quiet) return standing;
    return is_stopped_and_unread(agents, message.agent_id) ? Standing::Unread : Standing::Quiet;
}

}  // namespace a2h::mail
