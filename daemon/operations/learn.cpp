// Adds a human's answer to one peer to the listing, so that the question is not asked again.

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/store/approval_store.h"
#include "daemon/consent/action.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

const Listing* listing_about(const Agent& agent, const Approval& approval) {
    const std::string works_id = consent::ids_of_action(approval.action_json).works_id;
    for (const Listing& listing : agent.listings) {
        if (listing.works_id == works_id) return &listing;
    }
    const bool only_one = works_id.empty() && agent.listings.size() == 1;
    return only_one ? &agent.listings.front() : nullptr;
}

/// The call that adds `fact` to the end of the listing.
Result<json> update_with(const Agent& agent, const Approval& approval, const std::string& fact) {
    if (approval.action != kReplyAction || approval.status != ApprovalStatus::Approved) {
        return fail(ErrorCode::Conflict, "only an approved reply can be added to a listing");
    }
    const std::string line(trim(fact.empty() ? approval.reply_text : fact));
    if (line.empty()) return fail(ErrorCode::InvalidArgument, "there is nothing to add");
    const Listing* listing = listing_about(agent, approval);
    if (listing == nullptr) {
        return fail(ErrorCode::NotFound, "it is not known which listing the reply was about");
    }
    if (listing->content.find(line) != std::string::npos) {
        return fail(ErrorCode::Conflict, "the listing already says that");
    }
    return json{{"works_id", listing->works_id},
                {"type", static_cast<int>(listing->type)},
                {"content", listing->content + "\n" + line}};
}

}  // namespace

bool can_learn(const Agent& agent, const Approval& approval) {
    return update_with(agent, approval, "").has_value();
}

void learn(const Asker& asker, Agent& agent, const Lesson& lesson, const Reply& reply) {
    const auto refuse = [&](const Error& error) { reply(error_result("listing.learn", error)); };
    const auto approval = store::get_approval(asker.kernel.reader, lesson.approval_id);
    if (!approval) return refuse(approval.error());
    if (!*approval || (*approval)->agent_id != agent.identity.account.agent_id) {
        return refuse({ErrorCode::NotFound, "there is no such approval"});
    }
    const auto arguments = update_with(agent, **approval, lesson.text);
    if (!arguments) return refuse(arguments.error());
    carry_out(asker, Call{"works.update", {Face::Human, lesson.proof.person}, agent, *arguments},
              lesson.proof, reply);
}

namespace {

/// A person who names no agent means the one whose approval it is.
Agent& agent_meant(const Asker& asker, const Call& call) {
    const auto approval = store::get_approval(asker.kernel.reader, call.text("approval_id"));
    if (call.names_agent || !approval || !*approval) return call.agent;
    const auto agent = asker.agents.find((*approval)->agent_id);
    return agent == asker.agents.end() ? call.agent : *agent->second;
}

void handle_listing_learn(const Asker& asker, const Call& call, const Reply& reply) {
    learn(asker, agent_meant(asker, call),
          {call.text("approval_id"),
           call.text("text"),
           {.surface = AnswerSurface::Terminal,
            .pin = call.text("pin"),
            .person = person_of(asker.config, call)}},
          reply);
}

}  // namespace

void add_learn(Table& table, const AllParts& all) {
    const Asker& asker = all.sender;
    table.add("listing.learn", with(asker, handle_listing_learn));
}

}  // namespace a2h::operations
