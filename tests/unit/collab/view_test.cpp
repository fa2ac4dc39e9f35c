// The owner's view of a negotiation, from its rows.
#include "daemon/collab/view.h"

#include <nlohmann/json.hpp>

#include "core/store/demand_store.h"
#include "core/wire/demand_json.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using nlohmann::json;
using test::StoreFixture;

namespace {

constexpr UnixMs kViewNow = 1'760'000'000'000;

Negotiation viewed_negotiation(const std::string& name) {
    wire::Understanding demand;
    demand.surface_demand = "a party in Beijing";
    demand.capability_tags = {"venue", "speaker"};
    demand.confidence = "high";
    Negotiation negotiation;
    negotiation.negotiation_id = "collab-" + name;
    negotiation.demand_id = "d-" + name;
    negotiation.agent_id = "ag_me";
    negotiation.raw_input = "我想在北京办一场聚会";
    negotiation.understanding_json = wire::to_json(demand).dump();
    negotiation.state = NegotiationState::Negotiating;
    negotiation.round = 2;
    negotiation.deadline_ms = kViewNow + 60'000;
    negotiation.created_at_ms = kViewNow;
    negotiation.updated_at_ms = kViewNow + 1'000;
    return negotiation;
}

Party viewed_party(const std::string& agent_id, int place, PartyState state) {
    Party party;
    party.negotiation_id = "collab-1";
    party.agent_id = agent_id;
    party.place = place;
    party.display_name = "Bob";
    party.tags = {"venue"};
    party.reason = "has a venue";
    party.match_score = 90;
    party.state = state;
    party.answer_by_ms = kViewNow + 300'000;
    if (state == PartyState::Participating) {
        party.offer = Offer{.decision = OfferDecision::Conditional,
                            .contribution = "a room for 30",
                            .conditions = {"not on a Sunday"},
                            .reasoning = {},
                            .decline_reason = {},
                            .confidence = 80,
                            .price = Price{50'000, "CNY"}};
        party.answered_at_ms = kViewNow + 5'000;
    }
    return party;
}

void insert_plan(store::Database& db, int version) {
    Proposal plan;
    plan.proposal_id = "prop_" + std::to_string(version);
    plan.demand_id = "d-1";
    plan.version = version;
    plan.summary = "Bob's room";
    plan.parts = {{.agent_id = "ag_bob",
                   .display_name = "Bob",
                   .role = "venue",
                   .responsibility = "a room for 30",
                   .dependencies = {},
                   .notes = {},
                   .price = Price{50'000, "CNY"}}};
    plan.changes = {"the room is smaller"};
    plan.confidence = "medium";
    plan.created_at_ms = kViewNow + 9'000;
    REQUIRE(store::insert_proposal(db, "collab-1", version, wire::to_json(plan).dump()));
}

Feedback viewed_feedback(int round, const std::string& agent_id, FeedbackType type) {
    Feedback feedback;
    feedback.negotiation_id = "collab-1";
    feedback.round = round;
    feedback.agent_id = agent_id;
    feedback.type = type;
    feedback.at_ms = kViewNow + round;
    return feedback;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "A negotiation is shown with offers, plans and rounds") {
    REQUIRE(store::insert_negotiation(db(), viewed_negotiation("1")));
    REQUIRE(store::insert_party(db(), viewed_party("ag_bob", 1, PartyState::Invited)));
    REQUIRE(store::update_party(db(), viewed_party("ag_bob", 1, PartyState::Participating)));
    REQUIRE(store::insert_party(db(), viewed_party("ag_eve", 2, PartyState::Invited)));
    insert_plan(db(), 1);
    insert_plan(db(), 2);
    REQUIRE(*store::insert_feedback(db(), viewed_feedback(1, "ag_bob", FeedbackType::Negotiate)));
    Feedback silent = viewed_feedback(2, "ag_bob", FeedbackType::Accept);
    silent.is_presumed = true;
    REQUIRE(*store::insert_feedback(db(), silent));

    const auto negotiation = store::get_negotiation(db(), "collab-1");
    const json view = collab::negotiation_view(db(), **negotiation).value();
    CHECK(view["status"] == "processing");
    CHECK(view["state"] == "negotiating");
    CHECK(view["round"] == 2);
    CHECK(view["max_rounds"] == 3);
    CHECK(view["deadline"] == "2025-10-09T08:54:20Z");
    CHECK(view["raw_input"] == "我想在北京办一场聚会");
    CHECK(view["understanding"]["capability_tags"] == json({"venue", "speaker"}));
    CHECK_FALSE(view.contains("outcome"));

    REQUIRE(view["candidates"].size() == 2);
    const json& bob = view["candidates"][0];
    CHECK(bob["state"] == "participating");
    CHECK(bob["offer"]["price"] == json({{"amount_minor", 50'000}, {"currency", "CNY"}}));
    CHECK(bob["offer"]["conditions"] == json({"not on a Sunday"}));
    CHECK_FALSE(bob.contains("answer_by"));
    CHECK(view["candidates"][1]["answer_by"] == "2025-10-09T08:58:20Z");
    CHECK_FALSE(view["candidates"][1].contains("offer"));

    REQUIRE(view["proposals"].size() == 2);
    CHECK_FALSE(view["proposals"][0].contains("adjustment_summary"));
    CHECK(view["proposals"][1]["adjustment_summary"]["changes_made"] ==
          json({"the room is smaller"}));
    CHECK(view["proposals"][1]["created_at"] == "2025-10-09T08:53:29Z");
    CHECK_FALSE(view["proposals"][1].contains("created_at_ms"));

    REQUIRE(view["rounds"].size() == 2);
    CHECK_FALSE(view["rounds"][0]["feedback"][0].contains("presumed"));
    CHECK(view["rounds"][1]["feedback"][0]["presumed"] == true);
}

TEST_CASE_FIXTURE(StoreFixture, "An ended negotiation shows outcome, gaps and those below it") {
    Negotiation negotiation = viewed_negotiation("1");
    negotiation.state = NegotiationState::Finalized;
    negotiation.outcome = NegotiationOutcome::Partial;
    negotiation.gaps_json = R"([{"gap_type":"摄影师"}])";
    negotiation.compromise_json = "broken {";
    REQUIRE(store::insert_negotiation(db(), negotiation));
    Negotiation below = viewed_negotiation("2");
    below.parent_negotiation_id = "collab-1";
    below.state = NegotiationState::Failed;
    below.outcome = NegotiationOutcome::Failed;
    below.reason = "no_candidates";
    REQUIRE(store::insert_negotiation(db(), below));

    const json view = collab::negotiation_view(db(), negotiation).value();
    CHECK(view["status"] == "completed");
    CHECK(view["outcome"] == "partial");
    CHECK_FALSE(view.contains("deadline"));
    CHECK(view["gaps"][0]["gap_type"] == "摄影师");
    CHECK_FALSE(view.contains("compromise"));
    REQUIRE(view["sub_negotiations"].size() == 1);
    CHECK(view["sub_negotiations"][0]["channel_id"] == "collab-2");
    CHECK(view["sub_negotiations"][0]["status"] == "failed");
    CHECK(view["sub_negotiations"][0]["reason"] == "no_candidates");
}

TEST_CASE_FIXTURE(StoreFixture, "Negotiations are listed newest first, of one agent and state") {
    Negotiation first = viewed_negotiation("1");
    REQUIRE(store::insert_negotiation(db(), first));
    Negotiation second = viewed_negotiation("2");
    second.state = NegotiationState::Finalized;
    REQUIRE(store::insert_negotiation(db(), second));
    Negotiation others = viewed_negotiation("3");
    others.agent_id = "ag_other";
    REQUIRE(store::insert_negotiation(db(), others));

    const json own = collab::list_view(db(), "ag_me", std::nullopt, 0, 10).value();
    REQUIRE(own["items"].size() == 2);
    CHECK(own["items"][0]["demand_id"] == "d-2");
    CHECK(own["items"][1]["surface_demand"] == "a party in Beijing");
    const json final = collab::list_view(db(), "ag_me", NegotiationState::Finalized, 0, 10).value();
    CHECK(final["items"].size() == 1);
    CHECK(collab::list_view(db(), "", std::nullopt, 0, 10).value()["items"].size() == 3);

    CHECK(own["more"] == false);
    CHECK_FALSE(own.contains("next_before"));
    const json newest = collab::list_view(db(), "ag_me", std::nullopt, 0, 1).value();
    CHECK(newest["items"][0]["demand_id"] == "d-2");
    CHECK(newest["more"] == true);
    const auto before = newest["next_before"].get<std::int64_t>();
    const json older = collab::list_view(db(), "ag_me", std::nullopt, before, 1).value();
    REQUIRE(older["items"].size() == 1);
    CHECK(older["items"][0]["demand_id"] == "d-1");
    CHECK(older["more"] == false);
}

TEST_CASE("An event has the specification's four members, and its id reads back") {
    const json view = collab::event_view(
        {12, "d-1", "towow.offer.submitted", R"({"agent_id":"ag_bob"})", kViewNow});
    CHECK(view == json({{"event_id", "evt-12"},
                        {"event_type", "towow.offer.submitted"},
                        {"timestamp", "2025-10-09T08:53:20Z"},
                        {"payload", {{"agent_id", "ag_bob"}}}}));
    CHECK(collab::event_view({1, "d-1", "towow.x", "broken", 0})["payload"] == json::object());
    CHECK(collab::read_event_id("evt-12") == 12);
    CHECK(collab::read_event_id("12") == 12);
    for (const char* wrong : {"", "evt-", "evt-x", "-1", "12x", "99999999999999999999"}) {
        CAPTURE(wrong);
        CHECK_FALSE(collab::read_event_id(wrong));
    }
}
