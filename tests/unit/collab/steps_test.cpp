// The steps of a negotiation over a real database: what one of them writes, and what it does not.
#include "daemon/collab/steps.h"

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "core/store/demand_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/demand_json.h"
#include "daemon/collab/consent.h"
#include "tests/unit/collab/run_scene.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using namespace a2h::test;

namespace {

/// The causes of a negotiation's messages, as in a2hd.
[[maybe_unused]] const bool kRegistered = (collab::register_actions(), true);

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
    /// The causes of everything that was queued.
    std::set<std::string> causes() {
        std::set<std::string> found;
        const auto queued = store::list_outbox(store.db(), "ag_requester", {}, 100);
        REQUIRE(queued);
        for (const OutboxMessage& message : *queued)
            found.insert(message.cause);
        return found;
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

TEST_CASE("R46: the cause of an end decides whether it may be sent late") {
    LeftEarly scene;
    std::string cause;
    SUBCASE("an assistant cancels") {
        cause = "negotiation:collab-1";
        REQUIRE(collab::write_cancelled({scene.store.db(), scene.policy, kStepNow}, scene.read()));
    }
    SUBCASE("a human cancels") {
        cause = "negotiation_released:collab-1";
        REQUIRE(collab::write_cancelled({scene.store.db(), scene.policy, kStepNow, {}, true},
                                        scene.read()));
    }
    SUBCASE("nothing came of it") {
        cause = "negotiation_failed:collab-1";
        scene.evaluate();
        REQUIRE(collab::write_step({scene.store.db(), scene.policy, kStepNow}, scene.read(),
                                   collab::Step::Conclude, {}));
    }
    CHECK(scene.causes() == std::set<std::string>{cause});
}

TEST_CASE("R46: with mail unread, everybody is left out of a plan") {
    StoreFixture store;
    const consent::Policy policy{};
    collab::Run run = run_in(NegotiationState::ProposalSent,
                             {party("ag_music", PartyState::Participating, {"music"})}, 1);
    run.negotiation.created_at_ms = run.negotiation.updated_at_ms = kStepNow;
    REQUIRE(store::insert_negotiation(store.db(), run.negotiation));
    REQUIRE(store::insert_party(store.db(), run.parties[0]));
    bool is_unread = false;
    SUBCASE("mail was read") {}
    SUBCASE("mail is unread") {
        is_unread = true;
    }
    REQUIRE(collab::write_step({store.db(), policy, kStepNow, {}, false, is_unread}, run,
                               collab::Step::Distribute, {}));
    const auto queued = store::list_outbox(store.db(), "ag_requester", {}, 100);
    REQUIRE(queued);
    CHECK(queued->empty() == is_unread);
    const auto after = store::get_negotiation(store.db(), "collab-1");
    REQUIRE(after);
    REQUIRE(after->has_value());
    CHECK((*after)->reason == (is_unread ? "no_participants" : ""));
}
