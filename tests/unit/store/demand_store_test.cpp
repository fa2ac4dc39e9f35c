#include "core/store/demand_store.h"

#include <doctest/doctest.h>

#include "core/store/invitation_store.h"
#include "core/store/plan_action_store.h"
#include "tests/support/temp_dir.h"

namespace a2h::store {
namespace {

struct DemandScene {
    test::TempDir dir;
    std::unique_ptr<Database> db =
        *Database::open(dir.path() / "a2h.db", Database::Mode::ReadWrite);
    Negotiation negotiation;

    DemandScene() {
        negotiation.negotiation_id = "collab-1";
        negotiation.demand_id = "d-1";
        negotiation.agent_id = "ag_me";
        negotiation.raw_input = "a room";
        REQUIRE(insert_negotiation(*db, negotiation));
    }
    Party invite(const std::string& agent_id) {
        Party party;
        party.negotiation_id = "collab-1";
        party.agent_id = agent_id;
        party.tags = {"room"};
        party.state = PartyState::Invited;
        REQUIRE(insert_party(*db, party));
        return party;
    }
};

TEST_CASE("Only one of two changes of the same revision of a negotiation is stored") {
    DemandScene scene;
    Negotiation one = scene.negotiation;
    Negotiation other = scene.negotiation;
    one.state = NegotiationState::Broadcasting;
    CHECK(update_negotiation(*scene.db, one));
    CHECK(one.revision == 1);
    other.state = NegotiationState::Failed;
    const auto refused = update_negotiation(*scene.db, other);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Conflict);
    CHECK((*get_negotiation(*scene.db, "collab-1"))->state == NegotiationState::Broadcasting);
}

TEST_CASE("A negotiation that has ended stays as it is") {
    DemandScene scene;
    Negotiation negotiation = scene.negotiation;
    negotiation.state = NegotiationState::Finalized;
    negotiation.outcome = NegotiationOutcome::Agreed;
    CHECK(update_negotiation(*scene.db, negotiation));
    negotiation.outcome = NegotiationOutcome::Cancelled;
    CHECK_FALSE(update_negotiation(*scene.db, negotiation));
    for (const char* id : {"d-1", "collab-1"})
        CHECK((*find_negotiation(*scene.db, id))->outcome == NegotiationOutcome::Agreed);
    CHECK_FALSE(find_negotiation(*scene.db, "d-2")->has_value());
    CHECK(live_negotiations(*scene.db)->empty());
    CHECK(*live_negotiation_count(*scene.db, "ag_me") == 0);
    CHECK(negotiation_counts(*scene.db)->agreed == 1);
}

TEST_CASE("An answer is kept with all that it says") {
    DemandScene scene;
    Party party = scene.invite("ag_a");
    CHECK_FALSE(insert_party(*scene.db, party));
    party.state = PartyState::Participating;
    party.offer = Offer{OfferDecision::Conditional, "a room", {"before noon"}, "fits", "", 80,
                        Price{100, "EUR"}};
    party.joined_round = 2;
    CHECK(update_party(*scene.db, party));
    const auto stored = *get_party(*scene.db, "collab-1", "ag_a");
    REQUIRE(stored);
    REQUIRE(stored->offer);
    CHECK(stored->offer->decision == OfferDecision::Conditional);
    CHECK(stored->offer->conditions == std::vector<std::string>{"before noon"});
    CHECK(stored->offer->price == Price{100, "EUR"});
    CHECK(stored->joined_round == 2);
    CHECK(stored->tags == std::vector<std::string>{"room"});
    CHECK(parties_of(*scene.db, "collab-1")->size() == 1);
}

TEST_CASE("A second answer in a round is refused") {
    DemandScene scene;
    Feedback feedback;
    feedback.negotiation_id = "collab-1";
    feedback.round = 1;
    feedback.agent_id = "ag_a";
    feedback.type = FeedbackType::Accept;
    CHECK(*insert_feedback(*scene.db, feedback));
    feedback.type = FeedbackType::Withdraw;
    CHECK_FALSE(*insert_feedback(*scene.db, feedback));
    feedback.round = 2;
    feedback.wanted_price = Price{5, "CNY"};
    CHECK(*insert_feedback(*scene.db, feedback));
    CHECK(feedback_of(*scene.db, "collab-1", 1)->at(0).type == FeedbackType::Accept);
    CHECK(feedback_of(*scene.db, "collab-1", 2)->at(0).wanted_price == Price{5, "CNY"});
    CHECK(feedback_of(*scene.db, "collab-1", 0)->size() == 2);
}

TEST_CASE("Versions of a plan and the story are kept in their order") {
    DemandScene scene;
    CHECK(insert_proposal(*scene.db, "collab-1", 1, "{}"));
    CHECK_FALSE(insert_proposal(*scene.db, "collab-1", 1, R"({"other":1})"));
    CHECK(insert_proposal(*scene.db, "collab-1", 2, R"({"two":2})"));
    CHECK(*proposal_of_round(*scene.db, "collab-1", 2) == R"({"two":2})");
    CHECK(proposal_of_round(*scene.db, "collab-1", 3)->empty());
    CHECK(proposals_of(*scene.db, "collab-1")->size() == 2);
    const auto first = insert_negotiation_event(*scene.db, {0, "d-1", "towow.a", "{}", 1});
    const auto second = insert_negotiation_event(*scene.db, {0, "d-1", "towow.b", "{}", 2});
    CHECK(*second > *first);
    const auto after = *negotiation_events(*scene.db, "d-1", *first, 10);
    REQUIRE(after.size() == 1);
    CHECK(after[0].event_type == "towow.b");
}

TEST_CASE("A plan action is stored once, and again only to replace the question that it names") {
    DemandScene scene;
    StoredPlanAction plan_action{"collab-1", "briefs", "ag_a", "apr_1", 1};
    CHECK_FALSE(get_plan_action(*scene.db, plan_action)->has_value());
    CHECK(put_plan_action(*scene.db, plan_action, ""));
    plan_action.approval_id = "apr_2";
    CHECK(put_plan_action(*scene.db, plan_action, "").error().code == ErrorCode::Conflict);
    CHECK(put_plan_action(*scene.db, plan_action, "apr_0").error().code == ErrorCode::Conflict);
    CHECK((*get_plan_action(*scene.db, plan_action))->approval_id == "apr_1");
    CHECK(put_plan_action(*scene.db, plan_action, "apr_1"));
    CHECK((*get_plan_action(*scene.db, plan_action))->approval_id == "apr_2");
}

}  // namespace
}  // namespace a2h::store
