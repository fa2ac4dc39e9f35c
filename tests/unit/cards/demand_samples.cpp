// Questions about negotiations of many parties.
#include <utility>

#include "core/domain/invitation.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/submission.h"
#include "tests/unit/cards/sample.h"

namespace a2h::test {
namespace {

using nlohmann::json;

class Demand {
  public:
    explicit Demand(i18n::Language language) : words{language} { policy.language = language; }

    void add(std::string name, Approval approval) {
        approval.id = "apr_0123456789abcdef";
        asked.push_back({std::move(name), std::move(approval)});
    }
    Invitation invited() const {
        Invitation invitation;
        invitation.agent_id = kOurAgent;
        invitation.requester_id = kPeer;
        invitation.negotiation_id = "collab-00000001";
        invitation.demand_id = "d-00000001";
        invitation.filter_reason = words("You offer rooms in Xuhui.", "您提供徐汇的场地。");
        invitation.answer_by_ms = kAskedAt + 3'600'000;
        wire::Understanding demand;
        demand.surface_demand = words("A birthday for 30 people in Shanghai, 20 December",
                                      "12月20日在上海办一场三十人的生日聚会");
        demand.motivation = words("A relaxed evening", "轻松的晚上");
        demand.expected_attendees = 30;
        demand.confidence = "high";
        demand.capability_tags = {words("venue", "场地"), words("catering", "餐饮")};
        demand.date = "2026-12-20";
        invitation.demand_json = wire::to_json(demand).dump();
        return invitation;
    }
    Invitation planned() const {
        Invitation invitation = invited();
        invitation.round = 2;
        invitation.offer_json = wire::to_json(room()).dump();
        Proposal plan;
        plan.proposal_id = "prop_2";
        plan.demand_id = invitation.demand_id;
        plan.version = 2;
        plan.created_at_ms = kAskedAt - 60'000;
        plan.summary = words("An evening with dinner", "晚餐聚会");
        plan.objective = words("Everybody is happy", "宾主尽欢");
        PlanPart ours;
        ours.agent_id = kOurAgent;
        ours.display_name = words("Our room", "我们的场地");
        ours.role = words("host", "场地方");
        ours.responsibility =
            words("A room for 30 people from 18:00 to 23:00", "提供三十人场地，18:00 至 23:00");
        ours.notes = long_text(words);
        ours.price = Price{180'000, "CNY"};
        PlanPart other;
        other.agent_id = kOtherPeer;
        other.display_name = words("Bob's kitchen", "小鲍厨房");
        other.role = words("caterer", "餐饮");
        other.responsibility = words("Dinner", "晚餐");
        other.dependencies = {words("the room", "场地")};
        plan.parts = {ours, other};
        plan.start_date = "2026-12-20";
        plan.milestones = {
            {words("Room is ready", "场地就绪"), "2026-12-20", words("Photos of it", "照片")}};
        plan.rationale = words("Both are near", "两方距离近");
        plan.gaps = {words("music", "音乐")};
        plan.confidence = "high";
        plan.changes = {words("Price of the room: 2000.00 CNY to 1800.00 CNY",
                              "场地价格由 2000.00 元改为 1800.00 元")};
        plan.requests_granted = {words("End at 23:00", "23:00 结束")};
        plan.requests_declined = {words("Own catering", "自带餐饮")};
        invitation.proposal_json = wire::to_json(plan).dump();
        return invitation;
    }
    Offer room() const {
        Offer offer;
        offer.decision = OfferDecision::Participate;
        offer.contribution = words("A room for 30 people", "三十人场地");
        offer.conditions = {words("No loud music after 22:00", "22:00 后不放大声音乐"),
                            words("Half in advance", "预付一半")};
        offer.reasoning = words("The room is free", "场地空闲");
        offer.confidence = 80;
        offer.price = Price{200'000, "CNY"};
        return offer;
    }
    collab::Cause cause() const {
        collab::Cause made;
        made.provenance = "verified";
        made.requested_by = "rule:demand";
        return made;
    }

    Words words;
    consent::Policy policy;
    std::vector<Sample> asked;
};

void ask_to_search(Demand& demand) {
    const Words& words = demand.words;
    consent::Ask ask;
    ask.agent_id = kOurAgent;
    consent::set_peers(ask, {kPeer, kOtherPeer});
    ask.action = collab::kSubmitAction;
    const std::string wanted = long_text(words);
    ask.request_json = wire::canonical_json({{"raw_input", wanted},
                                             {"on_timeout", "decline"},
                                             {"show_terms", true},
                                             {"response_seconds", 600},
                                             {"feedback_seconds", 300},
                                             {"invite", {kPeer, kOtherPeer}}});
    ask.reply_text = wanted;
    ask.question = i18n::text(words.language, "demand.question_submit",
                              {{"text", words("Portrait session …", "上海人像 …")}});
    ask.context = i18n::text(words.language, "demand.submit_to_invited",
                             {{"agents", std::string(kPeer) + ", " + kOtherPeer}});
    ask.requested_by = "tool:demand_submit";
    demand.add("demand.submit", consent::new_approval(ask, demand.policy, kAskedAt));
    consent::Ask cancel;
    cancel.agent_id = kOurAgent;
    cancel.action = collab::kCancelAction;
    cancel.request_json = wire::canonical_json({{"demand_id", "d-00000001"}});
    cancel.question = i18n::text(words.language, "demand.question_cancel",
                                 {{"text", words("A birthday for 30 people", "三十人生日聚会")}});
    consent::set_peers(cancel, {kPeer, kOtherPeer});
    cancel.requested_by = "tool:negotiation_cancel";
    demand.add("demand.cancel", consent::new_approval(cancel, demand.policy, kAskedAt));
}

void ask_to_take_part(Demand& demand) {
    const Words& words = demand.words;
    Invitation invitation = demand.invited();
    demand.add("demand.join",
               collab::ask_to_join(invitation, {invitation.negotiation_id, "", demand.room()},
                                   demand.cause(), demand.policy, kAskedAt));
    Offer decline;
    decline.decline_reason = words("No room is free on that day.", "当天没有空场地。");
    demand.add("demand.join.decline",
               collab::ask_to_join(invitation, {invitation.negotiation_id, "", decline},
                                   demand.cause(), demand.policy, kAskedAt));
}

void ask_about_plan(Demand& demand) {
    const Words& words = demand.words;
    Invitation plan = demand.planned();
    wire::ProposalFeedback feedback{plan.negotiation_id,         plan.round, FeedbackType::Accept,
                                    words("It fits.", "合适。"), {},         {}};
    wire::ProposalFeedback change = feedback;
    change.type = FeedbackType::Negotiate;
    change.reasoning = words("Heating costs more in winter.", "冬季取暖费更高。");
    change.adjustment_request =
        words("Please pay 1900.00 CNY for the room.", "场地请按 1900.00 元计。");
    change.wanted_price = Price{190'000, "CNY"};
    collab::Cause cause = demand.cause();
    cause.suggestion = change;
    demand.add("demand.accept",
               collab::ask_to_answer(plan, feedback, cause, demand.policy, kAskedAt));
    demand.add("demand.accept.negotiate",
               collab::ask_to_answer(plan, change, demand.cause(), demand.policy, kAskedAt));
    feedback.type = FeedbackType::Withdraw;
    feedback.reasoning = words("The room was let.", "场地已租出。");
    demand.add("demand.accept.withdraw",
               collab::ask_to_answer(plan, feedback, demand.cause(), demand.policy, kAskedAt));
}

}  // namespace

std::vector<Sample> demand_samples(i18n::Language language) {
    Demand demand(language);
    ask_to_search(demand);
    ask_to_take_part(demand);
    ask_about_plan(demand);
    return std::move(demand.asked);
}

}  // namespace a2h::test
