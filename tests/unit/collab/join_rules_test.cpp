#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/collab/join_rules.h"
#include "daemon/collab/received.h"

using namespace a2h;
using collab::PartCheck;

namespace {

constexpr auto kEnglish = i18n::Language::English;
constexpr auto kChinese = i18n::Language::Chinese;

wire::Understanding wanted() {
    wire::Understanding demand;
    demand.capability_tags = {"场地提供", "Catering"};
    demand.date = "2026-05-01";
    return demand;
}

Proposal plan_of(PlanPart part) {
    Proposal plan;
    part.agent_id = "ag_me";
    plan.parts = {std::move(part)};
    return plan;
}

Invitation reviewing(const Proposal& plan, const Offer& offered) {
    Invitation invitation;
    invitation.agent_id = "ag_me";
    invitation.demand_json = wire::to_json(wanted()).dump();
    invitation.offer_json = wire::to_json(offered).dump();
    invitation.proposal_json = wire::to_json(plan).dump();
    return invitation;
}

PartCheck checked(const Proposal& plan, const Offer& offered) {
    return collab::check_plan(reviewing(plan, offered));
}

}  // namespace

TEST_CASE("An invitation is declined by rule or answered with what the owner brings") {
    collab::Options options;
    options.contribution = "tables";
    options.tags = {" catering "};
    const auto taken = decide_invitation(options, wanted(), kEnglish);
    CHECK(taken.decline_rule.empty());
    CHECK(taken.offer.decision == OfferDecision::Participate);
    CHECK(taken.offer.contribution == "tables");
    CHECK_FALSE(taken.offer.price.has_value());
    options.tags = {"live music"};
    auto in_words = wanted();
    in_words.surface_demand = "A party with live music";
    CHECK(decide_invitation(options, in_words, kEnglish).decline_rule.empty());
    options.tags = {"music"};
    const auto other = decide_invitation(options, wanted(), kChinese);
    CHECK(other.decline_rule == collab::kOtherTagsRule);
    CHECK(other.offer.decision == OfferDecision::Decline);
    CHECK(other.offer.contribution.empty());
    CHECK_FALSE(other.offer.decline_reason.empty());
    options.invitations = collab::Invitations::Decline;
    CHECK(decide_invitation(options, wanted(), kEnglish).decline_rule == collab::kClosedRule);
}

TEST_CASE("A price is repeated as a condition for readers without a price field") {
    const Offer offer = collab::new_offer("tables", {"by van"}, Price{12'050, "CNY"}, kEnglish);
    CHECK(offer.decision == OfferDecision::Conditional);
    CHECK(offer.conditions == std::vector<std::string>{"by van", "Price: 120.50 CNY"});
}

TEST_CASE("Only an entry of the table is the owner's own offer") {
    collab::Options options;
    options.contribution = "tables";
    options.price_minor = 500;
    const Offer own = decide_invitation(options, wanted(), kEnglish).offer;
    CHECK(is_owners_offer(options, own, kEnglish));
    Offer other = own;
    SUBCASE("other work") {
        other.contribution = "tables and chairs";
    }
    SUBCASE("a condition") {
        other.conditions.push_back("and we sing");
    }
    SUBCASE("another price") {
        other.price->amount_minor = 499;
    }
    SUBCASE("words that nobody has seen") {
        other.reasoning = "we promise to sing";
    }
    CHECK_FALSE(is_owners_offer(options, other, kEnglish));
    options.contribution.clear();
    CHECK_FALSE(is_owners_offer(options, own, kEnglish));
}

TEST_CASE("A part is compared with the offer word for word and price for price") {
    const Offer offered = collab::new_offer("Tables", {"by van"}, Price{500, "CNY"}, kEnglish);
    PlanPart part;
    part.responsibility = "Tables";
    part.notes = "by van";
    part.price = Price{500, "CNY"};
    CHECK(checked(plan_of(part), offered) == PartCheck::AsOffered);
    part.notes = "by van\nPrice: 5.00 CNY";
    CHECK(checked(plan_of(part), offered) == PartCheck::AsOffered);
    SUBCASE("other letters") {
        part.responsibility = "tables";
    }
    SUBCASE("more") {
        part.price->amount_minor = 501;
    }
    SUBCASE("less") {
        part.price->amount_minor = 499;
    }
    SUBCASE("nothing") {
        part.price.reset();
    }
    SUBCASE("another currency") {
        part.price->currency = "USD";
    }
    SUBCASE("without the condition") {
        part.notes.clear();
    }
    SUBCASE("with another one") {
        part.notes = "by van\nby night";
    }
    SUBCASE("twice") {
        Proposal plan = plan_of(part);
        plan.parts.push_back(plan.parts[0]);
        CHECK(checked(plan, offered) == PartCheck::Different);
        return;
    }
    CHECK(checked(plan_of(part), offered) == PartCheck::Different);
}

TEST_CASE("Adding the day that the demand named is not a difference") {
    const Offer offered = collab::new_offer("tables", {}, std::nullopt, kEnglish);
    PlanPart part;
    part.responsibility = "tables";
    Proposal plan = plan_of(part);
    plan.start_date = "2026-05-01";
    CHECK(checked(plan, offered) == PartCheck::AsOffered);
    plan.start_date = "2026-05-02";
    CHECK(checked(plan, offered) == PartCheck::Different);
    plan.parts[0].agent_id = "ag_other";
    CHECK(checked(plan, offered) == PartCheck::NoPart);
}

TEST_CASE("An offer without words is never agreed to by comparison") {
    CHECK(checked(plan_of({}), collab::new_offer("", {}, std::nullopt, kEnglish)) ==
          PartCheck::Different);
}

TEST_CASE("A plan is shown with the owner's own part first, in the owner's language") {
    PlanPart part;
    part.responsibility = "桌子";
    part.price = Price{500, "CNY"};
    Proposal plan = plan_of(part);
    plan.parts.insert(plan.parts.begin(), PlanPart{.agent_id = "ag_b",
                                                   .display_name = "Bob",
                                                   .role = "cook",
                                                   .responsibility = "soup",
                                                   .dependencies = {},
                                                   .notes = {},
                                                   .price = {}});
    const std::string words = collab::plan_in_words(reviewing(plan, {}), kChinese);
    CHECK(words.starts_with("您的部分"));
    CHECK(words.find("桌子") < words.find("soup"));
    CHECK(words.find("5.00 CNY") != std::string::npos);
    CHECK(words.find("空") == std::string::npos);
}

TEST_CASE("Text that cannot be parsed is kept whole") {
    const nlohmann::json read{{"round", 1}, {"filter_reason", "short"}, {"type", "t"}};
    nlohmann::json told = read;
    told["demand"] = {{"surface_demand", "x"}};
    CHECK(collab::said_besides(told, read, "demand").empty());
    told["round"] = 7;
    told["filter_reason"] = "short, and more";
    told["nothing but a name"] = nullptr;
    CHECK(nlohmann::json::parse(collab::said_besides(told, read, "demand")) ==
          nlohmann::json{
              {"round", 7}, {"filter_reason", "short, and more"}, {"nothing but a name", nullptr}});
    told = read;
    told["demand"] = "no object";
    CHECK(collab::said_besides(told, read, "demand") == R"({"demand":"no object"})");
}
