#include "daemon/collab/demand_mail.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/collab/invitations.h"
#include "daemon/collab/steps.h"
#include "daemon/effects/rows.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::DemandMessageType;

/// What an answer to a requester of ours leaves: a settled task, and why it counted or did not.
outcome::Effects settled_answer(const Task& task, const InboxMessage& message, Ignored ignored,
                                i18n::Language language, UnixMs now_ms) {
    outcome::Effects effects;
    effects.task = task;
    Task& settled = *effects.task;
    settled.rule_id = kDemandMailRule;
    settled.decision = "silent";
    settled.state = TaskState::Done;
    settled.updated_at_ms = now_ms;
    settled.why = i18n::text(language, ignored.empty() ? "plan.answer_counted" : ignored);
    json detail{
        {"peer_id", message.sender_id},         {"provenance", to_string(message.provenance)},
        {"message_type", message.message_type}, {"decision", settled.decision},
        {"rule_id", settled.rule_id},           {"why", settled.why}};
    if (!ignored.empty()) detail["ignored"] = ignored.substr(ignored.find('.') + 1);
    effects.events.push_back(effects::new_event(message.agent_id, "message.decided",
                                                message.message_id, wire::canonical_json(detail),
                                                now_ms));
    return effects;
}

bool is_answer(DemandMessageType type) {
    return type == DemandMessageType::OfferResponse || type == DemandMessageType::ProposalFeedback;
}

}  // namespace

DemandMail::DemandMail(Environment environment) : environment_(std::move(environment)) {}

bool DemandMail::takes(const InboxMessage& message) {
    return wire::parse_demand_message_type(message.message_type).has_value();
}

Result<void> DemandMail::take(store::Database& db, const Task& task, const InboxMessage& message,
                              UnixMs now_ms, Job& job) const {
    const auto config = environment_.context.config.get();
    const json payload = json::parse(message.payload_json, nullptr, false);
    const auto type = wire::parse_demand_message_type(message.message_type);
    if (is_answer(*type)) {
        A2H_ASSIGN_OR_RETURN(const auto ignored,
                             take_answer({db, config->approval, now_ms}, message, payload));
        if (ignored.empty()) job.channel_id = wire::read_offer_response(payload)->channel_id;
        job.effects = settled_answer(task, message, ignored, config->approval.language, now_ms);
    } else {
        A2H_ASSIGN_OR_RETURN(auto effects,
                             take_invitation_mail(db, task, message, payload, *type,
                                                  {config->negotiation, config->approval}, now_ms,
                                                  environment_.asks_model));
        job.effects = std::move(effects);
    }
    A2H_ASSIGN_OR_RETURN(auto places, outcome::write_effects(db, job.effects, config->approval));
    job.places = std::move(places);
    return {};
}

void DemandMail::taken(const Job& job) const {
    environment_.on_effects(job.effects, job.places);
    if (job.channel_id.empty()) {
        environment_.invited();
    } else {
        environment_.answered(job.channel_id);
    }
}

void DemandMail::receive(const Task& task, const InboxMessage& message, Done done) {
    auto job = std::make_shared<Job>();
    const Context& context = environment_.context;
    context.write(
        store::Writer::Priority::Grouped,
        [this, job, task, message, now_ms = context.clock.now_ms()](store::Database& db) {
            return take(db, task, message, now_ms, *job);
        },
        [this, job, done = std::move(done)](const Result<void>& written) {
            if (written) taken(*job);
            done(written);
        });
}

Result<std::function<void()>> DemandMail::take_at_home(store::Database& db,
                                                       const InboxMessage& arrival) const {
    Task task;
    task.id = arrival.id;
    task.inbox_id = arrival.id;
    task.agent_id = arrival.agent_id;
    task.created_at_ms = arrival.received_at_ms;
    auto job = std::make_shared<Job>();
    A2H_TRY(take(db, task, arrival, arrival.received_at_ms, *job));
    return std::function<void()>([this, job] { taken(*job); });
}

}  // namespace a2h::collab
