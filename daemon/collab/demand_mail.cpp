#include "daemon/collab/demand_mail.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/collab/party_answers.h"
#include "daemon/collab/steps.h"
#include "daemon/effects/rows.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::DemandMessageType;

/// The result of an answer to one of our requesters: a settled job, with the reason why the answer
/// counted or did not.
outcome::Effects settled_answer(const Job& job, const InboxMessage& message, Ignored ignored,
                                i18n::Language language, UnixMs now_ms) {
    outcome::Effects effects;
    effects.job = job;
    Job& settled = *effects.job;
    settled.rule_id = ignored.empty() ? kDemandMailRule : kIgnoredAnswerRule;
    settled.decision = "silent";
    settled.state = JobState::Done;
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

/// Whether our agent may have to answer.
bool asks_something(const InboxMessage& message) {
    const auto type = wire::parse_demand_message_type(message.message_type);
    return type == DemandMessageType::DemandOffer || type == DemandMessageType::ProposalReview;
}

}  // namespace

DemandMail::DemandMail(const kernel::Kernel& kernel, const Current<Config>& config,
                       Coordinator& coordinator, Advisor& advisor, const UnreadMail& unread_mail,
                       bool asks_model, const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      coordinator_(coordinator),
      advisor_(advisor),
      unread_mail_(unread_mail),
      asks_model_(asks_model),
      commits_(commits) {}

bool DemandMail::takes(const InboxMessage& message) const {
    return takes_at_home(message.message_type);
}

bool DemandMail::takes_at_home(std::string_view message_type) const {
    return wire::parse_demand_message_type(message_type).has_value();
}

Result<void> DemandMail::take(store::Database& db, const Job& job, const InboxMessage& message,
                              Asks asks, UnixMs now_ms, Settlement& settlement) const {
    const auto config = config_.get();
    const json payload = json::parse(message.payload_json, nullptr, false);
    const auto type = wire::parse_demand_message_type(message.message_type);
    if (is_answer(*type)) {
        A2H_ASSIGN_OR_RETURN(const auto ignored,
                             take_answer({db, config->approval, now_ms}, message, payload));
        if (ignored.empty())
            settlement.negotiation_id = wire::read_offer_response(payload)->negotiation_id;
        settlement.effects =
            settled_answer(job, message, ignored, config->approval.language, now_ms);
    } else {
        A2H_ASSIGN_OR_RETURN(
            auto effects,
            take_invitation_mail(db, job, message, payload, *type,
                                 {config->negotiation, config->approval}, now_ms, asks));
        settlement.effects = std::move(effects);
    }
    A2H_ASSIGN_OR_RETURN(auto places,
                         outcome::write_effects(db, settlement.effects, config->approval));
    settlement.places = std::move(places);
    return {};
}

void DemandMail::taken(const Settlement& settlement) const {
    commits_.written(settlement.effects, settlement.places);
    if (!settlement.negotiation_id.empty()) {
        coordinator_.check_negotiation(settlement.negotiation_id);
    } else if (asks_model_) {
        advisor_.check_waiting();
    }
}

void DemandMail::receive(const Job& job, const InboxMessage& message, Done done) {
    if (!asks_something(message)) return settle(job, message, {}, std::move(done));
    unread_mail_.read_for_mandate(kernel_.reader, message.agent_id,
                                  [this, job, message, done = std::move(done)](bool is_read) {
                                      settle(job, message,
                                             {.model = asks_model_, .mandate = is_read}, done);
                                  });
}

void DemandMail::settle(const Job& job, const InboxMessage& message, Asks asks, Done done) {
    auto settlement = std::make_shared<Settlement>();
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, settlement, job, message, asks, now_ms = kernel_.clock.now_ms()](
            store::Database& db) { return take(db, job, message, asks, now_ms, *settlement); },
        [this, settlement, done = std::move(done)](const Result<void>& written) {
            if (written) taken(*settlement);
            done(written);
        });
}

Result<std::function<void()>> DemandMail::take_at_home(store::Database& db,
                                                       const InboxMessage& arrival) const {
    Job job;
    job.id = arrival.id;
    job.inbox_id = arrival.id;
    job.agent_id = arrival.agent_id;
    job.created_at_ms = arrival.received_at_ms;
    auto settlement = std::make_shared<Settlement>();
    // Mail of this home does not wait at the broker.
    const Asks asks{.model = asks_model_, .mandate = true};
    A2H_TRY(take(db, job, arrival, asks, arrival.received_at_ms, *settlement));
    return std::function<void()>([this, settlement] { taken(*settlement); });
}

}  // namespace a2h::collab
