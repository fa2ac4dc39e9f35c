#include "daemon/collab/counting.h"

#include <doctest/doctest.h>

#include "tests/unit/collab/run_scene.h"

namespace a2h::collab {
namespace {

using enum PartyState;
using enum FeedbackType;
using test::feedback;
using test::party;

Count counted(int participants, int accepts, int rejects = 0, int withdrawals = 0,
              int presumed = 0) {
    Count made;
    made.participants = participants;
    made.accepts = accepts;
    made.rejects = rejects;
    made.withdrawals = withdrawals;
    made.presumed = presumed;
    return made;
}

TEST_CASE("Four of five are enough, and less than that goes on until the last round") {
    CHECK(verdict_of(counted(5, 4), 1) == Verdict::Agreed);
    CHECK(verdict_of(counted(5, 3), 1) == Verdict::NextRound);
    CHECK(verdict_of(counted(5, 3), 2) == Verdict::NextRound);
    CHECK(verdict_of(counted(5, 3), 3) == Verdict::Partial);
    CHECK(verdict_of(counted(10, 7), 2) == Verdict::NextRound);
    CHECK(verdict_of(counted(10, 8), 2) == Verdict::Agreed);
}

TEST_CASE("More than half against it ends the negotiation in any round") {
    CHECK(verdict_of(counted(4, 2, 1, 1), 1) == Verdict::NextRound);
    CHECK(verdict_of(counted(4, 1, 2, 1), 1) == Verdict::Failed);
    CHECK(is_lost(counted(3, 1, 0, 2)));
    CHECK_FALSE(is_lost(counted(4, 0, 0, 2)));
}

TEST_CASE("A plan that nobody has accepted is not agreed") {
    CHECK(verdict_of(counted(3, 3, 0, 0, 3), 1) == Verdict::NextRound);
    CHECK(verdict_of(counted(3, 3, 0, 0, 3), 3) == Verdict::Failed);
    CHECK(verdict_of(counted(3, 3, 0, 0, 2), 1) == Verdict::Agreed);
    CHECK(verdict_of(counted(0, 0), 1) == Verdict::Failed);
}

TEST_CASE("The last round needs more acceptances than rejections") {
    CHECK(verdict_of(counted(4, 2, 1, 1), 3) == Verdict::Failed);
    CHECK(verdict_of(counted(5, 2, 1, 0), 3) == Verdict::Partial);
}

TEST_CASE("Only participants who were shown this proposal are counted") {
    std::vector<Party> parties{party("ag_a", Participating), party("ag_b", Declined),
                               party("ag_c", Silent),        party("ag_d", Withdrawn),
                               party("ag_e", Withdrawn),     party("ag_f", Participating)};
    parties[5].joined_round = 1;  // came while round 1 was judged
    const std::vector<Feedback> said{feedback("ag_d", Withdraw)};
    const auto first = participants_of(parties, said, 1);
    REQUIRE(first.size() == 2);
    CHECK(first[0].agent_id == "ag_a");
    CHECK(first[1].agent_id == "ag_d");
    const auto second = participants_of(parties, {}, 2);
    REQUIRE(second.size() == 2);
    CHECK(second[1].agent_id == "ag_f");
    CHECK(count(first, said).withdrawals == 1);
    CHECK(count(first, said).unanswered == 1);
}

TEST_CASE("Answers of agents that were not asked are not counted") {
    const std::vector<Party> parties{party("ag_a", Participating)};
    const std::vector<Feedback> said{feedback("ag_a", Accept), feedback("ag_stranger", Withdraw)};
    const Count made = count(participants_of(parties, said, 1), said);
    CHECK(made.accepts == 1);
    CHECK(made.withdrawals == 0);
}

TEST_CASE("Silence is a yes to a plan without money and a no to others by default") {
    Negotiation negotiation;
    negotiation.negotiation_id = "collab-1";
    negotiation.round = 1;
    Proposal proposal;
    proposal.parts = {{.agent_id = "ag_a"}, {.agent_id = "ag_b"}};
    const std::vector<Party> parties{party("ag_a", Participating), party("ag_b", Participating)};
    const std::vector<Feedback> said{feedback("ag_a", Accept)};

    auto presumed = presumed_feedback(negotiation, proposal, parties, said, 7);
    REQUIRE(presumed.size() == 1);
    CHECK(presumed[0].agent_id == "ag_b");
    CHECK(presumed[0].is_presumed);
    CHECK(presumed[0].type == Accept);

    proposal.parts[0].price = Price{100, "CNY"};
    presumed = presumed_feedback(negotiation, proposal, parties, said, 7);
    REQUIRE(presumed.size() == 1);
    CHECK(presumed[0].type == Withdraw);
    auto all = said;
    all.push_back(presumed[0]);
    CHECK(count(parties, all).rejects == 1);
    CHECK(count(parties, all).withdrawals == 0);

    negotiation.on_timeout = OnTimeout::Ignore;
    CHECK(presumed_feedback(negotiation, proposal, parties, said, 7).empty());
    negotiation.on_timeout = OnTimeout::Accept;
    CHECK(presumed_feedback(negotiation, proposal, parties, said, 7)[0].type == Accept);
}

}  // namespace
}  // namespace a2h::collab
