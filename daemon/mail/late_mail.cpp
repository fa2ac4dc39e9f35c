#include "daemon/mail/late_mail.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/bargain_store.h"
#include "core/wire/json_member.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/steps.h"
#include "daemon/consent/open_matters.h"

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

/// The negotiation that an answer to an invitation or a plan belongs to.
std::string invitation_of(const OutboxMessage& message) {
    const auto invited = std::find(std::begin(kInvitedCauses), std::end(kInvitedCauses),
                                   std::string_view(message.cause));
    if (invited == std::end(kInvitedCauses)) return {};
    return wire::text_member(nlohmann::json::parse(message.payload_json, nullptr, false),
                             "channel_id");
}

/// The bargain that the message of a mandate ends.
Result<std::optional<Bargain>> bargain_of(store::Database& db, const OutboxMessage& message) {
    if (!message.cause.starts_with(kMandateCause)) return std::optional<Bargain>();
    const auto payload = nlohmann::json::parse(message.payload_json, nullptr, false);
    return store::find_bargain(db, message.cause.substr(kMandateCause.size()), message.target_id,
                               wire::text_member(payload, "worksId"));
}

Result<Standing> standing_if(store::Database& db, const Agents& agents, const Result<bool>& open) {
    if (!open) return fail(open.error());
    if (*open) return Standing::Open;
    A2H_ASSIGN_OR_RETURN(const auto may_miss, may_miss_mail(db, agents));
    return may_miss ? Standing::Unread : Standing::Quiet;
}

Result<Standing> standing_beside(store::Database& db, const Agents& agents,
                                 const OutboxMessage& message) {
    store::Between about{.agent_id = message.agent_id, .peer_id = message.target_id};
    if (message.cause.starts_with(collab::kNegotiationCause)) {
        about.negotiation_id = message.cause.substr(collab::kNegotiationCause.size());
        return standing_if(db, agents, collab::is_open_beside(db, ids_of(agents), about));
    }
    A2H_ASSIGN_OR_RETURN(const auto bargain, bargain_of(db, message));
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

Result<Standing> standing_with_receiver(store::Database& db, const Agents& agents,
                                        const OutboxMessage& message) {
    const auto standing = standing_beside(db, agents, message);
    if (!standing || *standing != Standing::Quiet) return standing;
    return is_stopped_and_unread(agents, message.agent_id) ? Standing::Unread : Standing::Quiet;
}

}  // namespace a2h::mail
