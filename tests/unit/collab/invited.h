#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/invitation_store.h"
#include "core/store/mandate_store.h"
#include "core/wire/crypto.h"
#include "daemon/app/features.h"
#include "daemon/card/card.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/invitations.h"
#include "daemon/config/config.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/question.h"
#include "daemon/consent/terms.h"
#include "tests/unit/consent/fixture.h"

namespace a2h::test {

/// `ag_seller` is invited by `ag_asker`; what arrives is settled as the daemon does it.
class Invited : public Desk {
  public:
    Invited() {
        register_features();
        config.approval = policy;
        config.negotiation.contribution = "a room for 30 people";
    }

    wire::DemandOffer demand(const std::string& negotiation = "collab-00000001") const {
        wire::DemandOffer offer;
        offer.negotiation_id = negotiation;
        offer.demand_id = "d-00000001";
        offer.demand.surface_demand = "a meeting about AI in Beijing";
        offer.demand.capability_tags = {"Venue", "speaker"};
        offer.demand.date = "2026-02-15";
        offer.filter_reason = "has rooms";
        offer.answer_by_ms = now + 300'000;
        return offer;
    }
    wire::ProposalReview plan(int round = 1) const {
        wire::ProposalReview review;
        review.negotiation_id = "collab-00000001";
        review.demand_id = "d-00000001";
        review.round = round;
        review.proposal.proposal_id = "prop_" + std::to_string(round);
        review.proposal.version = round;
        review.proposal.summary = "an evening";
        PlanPart part;
        part.agent_id = "ag_seller";
        part.display_name = "ag_seller";
        part.role = "host";
        part.responsibility = "a room for 30 people";
        review.proposal.parts = {part};
        review.answer_by_ms = now + 120'000;
        return review;
    }
    /// A plan that contains only words that were offered.
    wire::ProposalReview bare_plan(int round = 1) const {
        wire::ProposalReview review = plan(round);
        review.proposal.proposal_id.clear();
        review.proposal.summary.clear();
        review.proposal.parts[0].role.clear();
        return review;
    }
    wire::NegotiationEnded end(NegotiationOutcome outcome, bool is_bound) const {
        wire::NegotiationEnded ended;
        ended.negotiation_id = "collab-00000001";
        ended.demand_id = "d-00000001";
        ended.outcome = outcome;
        ended.is_bound = is_bound;
        return ended;
    }

    /// Returns the job as it was settled.
    template <typename Message>
    Job arrive(const Message& told, Provenance provenance = Provenance::Verified,
               const std::string& sender = "ag_asker") {
        return arrive_as(wire::to_json(told), provenance, sender);
    }
    /// Of the messages that arrive.
    std::string trace_id = "trace_1760000000000_0badf00d";
    /// The same for a payload as a peer may write it.
    Job arrive_as(const nlohmann::json& payload, Provenance provenance = Provenance::Verified,
                  const std::string& sender = "ag_asker") {
        InboxMessage message;
        message.agent_id = "ag_seller";
        message.sender_id = sender;
        message.message_id = "msg_1760000000000_" + std::to_string(10'000'000 + ++count_);
        message.message_type = payload["type"].get<std::string>();
        message.trace_id = trace_id;
        message.payload_json = payload.dump();
        message.payload_hash = "h";
        message.envelope_json = "{}";
        message.provenance = provenance;
        message.received_at_ms = now;
        outcome::Effects effects;
        write([&] {
            message.id = must(store::insert_inbox(*db, message)).inbox_id;
            const Job job = *must(store::get_job_of_inbox(*db, message.id));
            effects = must(collab::take_invitation_mail(
                *db, job, message, payload, *wire::parse_demand_message_type(message.message_type),
                {config.negotiation, config.approval}, now,
                {.model = asks_model, .mandate = all_mail_is_read}));
            must(outcome::write_effects(*db, effects, config.approval));
        });
        news = effects.news;
        if (effects.approval && effects.approval->status == ApprovalStatus::Approved) {
            carry_out(*effects.approval);
        }
        return *must(store::get_job(*db, effects.job->id));
    }

    /// The effect of a model's answer; the card that it opens, if it opens one.
    std::optional<Approval> advise(const collab::Advice& advice, std::int64_t waiting) {
        outcome::Effects effects;
        write([&] {
            effects = must(collab::ask_after_thought(
                *db,
                {"ag_seller", "ag_asker", "collab-00000001", waiting, advice, all_mail_is_read},
                {config.negotiation, config.approval}, now));
            claimed = effects.approval ? effects.approval->claims : consent::Claims();
            must(outcome::write_effects(*db, effects, config.approval));
        });
        return effects.approval;
    }

    /// The executor's effect of a yes; empty if it was too late.
    std::string carry_out(const Approval& approval) {
        std::string sent;
        write([&] {
            must(store::consume_approval(*db, approval.id, now));
            if (const auto message_id =
                    consent::row_of(approval.action).carry_out(*db, approval, policy, now))
                sent = *message_id;
        });
        return sent;
    }
    std::string say_yes() {
        const auto answered = give_well(proved(card(), AnswerKind::Approve));
        return carry_out(answered.approval);
    }
    consent::Answer saying(const std::string& words, AnswerSurface surface = AnswerSurface::Page) {
        consent::Answer answer = proved(card(), AnswerKind::Instruct, surface);
        answer.kind = consent::understand_answer(card(), words);
        answer.words = words;
        return answer;
    }
    consent::Answered say(const std::string& words) { return give_well(saying(words)); }

    Invitation invitation(const std::string& negotiation = "collab-00000001") {
        return *must(store::get_invitation(*db, "ag_seller", "ag_asker", negotiation));
    }
    bool is_invited(const std::string& sender = "ag_asker") {
        return must(store::get_invitation(*db, "ag_seller", sender, "collab-00000001")).has_value();
    }
    /// The question that is open about the negotiation, or the last one.
    Approval card() { return stored(invitation().approval_id); }
    /// The text of that card, on every surface.
    std::string shown() {
        return card::in_text(card::card_of(card(), policy.language).lines, policy.language);
    }
    /// Payloads of what has left, oldest first.
    std::vector<nlohmann::json> sent() {
        std::vector<nlohmann::json> payloads;
        for (const OutboxMessage& message : outbox())
            payloads.insert(payloads.begin(), nlohmann::json::parse(message.payload_json));
        return payloads;
    }

    /// Joins for 300 CNY or more, or with 0 for nothing, so often a day.
    std::string give_mandate(std::int64_t lowest_minor, std::int64_t count_per_day = 5) {
        MandateTerms terms;
        terms.agent_id = "ag_seller";
        terms.action = collab::kJoinAction;
        terms.currency = "CNY";
        if (lowest_minor > 0) terms.amount_from_minor = lowest_minor;
        terms.count_per_day = count_per_day;
        terms.starts_ms = now;
        terms.ends_ms = now + 86'400'000;
        std::string id;
        write([&] {
            id = must(mandates::give(*db, terms, {"human", AnswerSurface::Terminal}, now)).id;
        });
        return id;
    }
    std::int64_t uses(const std::string& mandate_id) {
        return must(store::mandate_usage(*db, mandate_id, 0)).count;
    }

    Config config;
    bool asks_model = false;
    bool all_mail_is_read = true;
    std::optional<Notification> news;  ///< of what arrived last
    consent::Claims claimed;           ///< of the card that `advise` opened last

  private:
    int count_ = 0;
};

}  // namespace a2h::test
