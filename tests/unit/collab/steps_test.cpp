// The steps of a negotiation over a real database: what one of them writes, and what it does not.
#include "daemon/collab/steps.h"

#include <nlohmann/json.hpp>

#include "core/store/demand_store.h"
#include "core/wire/demand_json.h"
#include "tests/unit/collab/run_scene.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using namespace a2h::test;

namespace {

constexpr UnixMs kStepNow = 1'760'000'000'000;

/// Four participants are asked about the first plan until an hour from now, and one of them, who
/// alone has a venue, has left.
struct LeftEarly {
    StoreFixture store;
    consent::Policy policy;

    LeftEarly() {
        collab::Run run = run_in(NegotiationState::Negotiating,
                                 {party("ag_venue", PartyState::Withdrawn, {"venue"}),
                                  party("ag_music", PartyState::Participating, {"music"}),
                                  party("ag_food", PartyState::Participating, {"food"}),
                                  party("ag_talk", PartyState::Participating, {"talk"})},
                                 1);
        run.negotiation.deadline_ms = kStepNow + 3'600'000;
        run.negotiation.on_timeout = OnTimeout::Accept;
        run.negotiation.created_at_ms = run.negotiation.updated_at_ms = kStepNow;
        REQUIRE(store::insert_negotiation(store.db(), run.negotiation));
        for (const Party& each : run.parties)
            REQUIRE(store::insert_party(store.db(), each));
        REQUIRE(store::insert_proposal(store.db(), run.negotiation.negotiation_id, 1,
                                       wire::to_json(run.proposal).dump()));
        say("ag_venue", FeedbackType::Withdraw);
    }
    void say(const std::string& agent_id, FeedbackType type) {
        REQUIRE(store::insert_feedback(store.db(), feedback(agent_id, type)));
    }
    collab::Run read() {
        const auto run = collab::read_run(store.db(), "collab-1");
        REQUIRE(run);
        REQUIRE(*run);
        return **run;
    }
    void evaluate() {
        const auto written =
            collab::write_step({store.db(), policy, kStepNow}, read(), collab::Step::Evaluate, {});
        REQUIRE_MESSAGE(written, written.error().message);
    }
};

}  // namespace

TEST_CASE("a core participant leaves and nobody can come instead: nobody was silent by that") {
    LeftEarly scene;
    scene.say("ag_music", FeedbackType::Accept);
    REQUIRE(collab::next_step(scene.read(), false) == collab::Step::Evaluate);
    scene.evaluate();
    const collab::Run after = scene.read();
    CHECK(after.negotiation.outcome == NegotiationOutcome::Failed);
    CHECK(after.negotiation.reason == "core_withdrawn");
    CHECK(after.feedback.size() == 2);
    for (const Feedback& each : after.feedback)
        CHECK_FALSE(each.is_presumed);
}

TEST_CASE("somebody of the reserve can take the place: the round goes on") {
    LeftEarly scene;
    Party reserve = party("ag_hall", PartyState::Reserve, {"venue"});
    reserve.place = 4;
    REQUIRE(store::insert_party(scene.store.db(), reserve));
    CHECK(collab::next_step(scene.read(), false) == collab::Step::Replace);
}
