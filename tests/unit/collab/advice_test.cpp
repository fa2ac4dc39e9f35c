// A model is asked before the human: what its answer may change, and what it may not.

#include <doctest/doctest.h>

#include "daemon/collab/join_rules.h"
#include "tests/unit/collab/invited.h"

using namespace a2h;
using nlohmann::json;
using test::Invited;
using test::must;

namespace {

struct Advised : Invited {
    Advised() { asks_model = true; }

    /// The mark of the invitation; 0: no model is asked.
    std::int64_t mark() { return invitation().thought_job_id; }
    std::size_t cards() {
        return must(store::list_approvals(*db, "ag_seller", std::nullopt, 100)).size();
    }
    void join() {
        arrive(demand());
        advise({}, mark());
        say_yes();
    }
    wire::NegotiationEnded end_of(const std::string& negotiation) const {
        wire::NegotiationEnded ended = end(NegotiationOutcome::Failed, false);
        ended.negotiation_id = negotiation;
        return ended;
    }
    JobState state_of(const Job& job) { return must(store::get_job(*db, job.id))->state; }

    static collab::Advice offer(OfferDecision decision, std::string contribution,
                                std::vector<std::string> conditions = {}) {
        collab::Advice advice;
        advice.offer = collab::OfferAdvice{decision, std::move(contribution), std::move(conditions),
                                           "it suits the loft"};
        return advice;
    }
    static collab::Advice feedback(FeedbackType type, std::string request = {}) {
        collab::Advice advice;
        advice.feedback = collab::FeedbackAdvice{type, std::move(request), "the evening is short"};
        return advice;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Advised, "An invitation waits for the model without a card, then has one") {
    const Job job = arrive(demand());
    CHECK(job.state == JobState::WaitingForHuman);
    CHECK(mark() == job.id);
    CHECK(cards() == 0);
    CHECK(must(store::invitations_in_thought(*db, 10)).size() == 1);
    const auto asked =
        advise(offer(OfferDecision::Conditional, "the loft", {"it is empty by ten"}), mark());
    REQUIRE(asked);
    CHECK(asked->job_id == job.id);
    CHECK(asked->provenance == "verified");
    CHECK(asked->question.find("the loft") != std::string::npos);
    CHECK(asked->question.find("a model proposes") != std::string::npos);
    CHECK(asked->context.find("Advice of a model") != std::string::npos);
    CHECK(asked->context.find("it suits the loft") != std::string::npos);
    CHECK(asked->context.find("a room for 30 people") != std::string::npos);
    CHECK(mark() == 0);
    CHECK(must(store::invitations_in_thought(*db, 10)).empty());
    // Until now nothing has left; the yes sends what was shown, without the model's reasons.
    CHECK(outbox().empty());
    say_yes();
    REQUIRE(sent().size() == 1);
    CHECK(sent()[0]["decision"] == "conditional");
    CHECK(sent()[0]["contribution"] == "the loft");
    CHECK(sent()[0]["conditions"] == json{"it is empty by ten"});
    CHECK(sent()[0].dump().find("suits") == std::string::npos);
    CHECK(state_of(job) == JobState::Done);
}

TEST_CASE_FIXTURE(Advised, "A model declines nothing: that it would is a line on the card") {
    arrive(demand());
    const auto asked = advise(offer(OfferDecision::Decline, ""), mark());
    REQUIRE(asked);
    CHECK(outbox().empty());
    CHECK(asked->context.find("Advice of a model") != std::string::npos);
    CHECK(asked->question.find("a room for 30 people") != std::string::npos);
    CHECK(asked->question.find("a model proposes") == std::string::npos);
}

TEST_CASE_FIXTURE(Advised, "Without an answer of the model the card is the rules' own") {
    arrive(demand());
    const auto asked = advise({}, mark());
    REQUIRE(asked);
    CHECK(asked->context.find("model") == std::string::npos);
    say_yes();
    CHECK(sent()[0]["contribution"] == "a room for 30 people");
}

TEST_CASE_FIXTURE(Advised, "The price is the owner's, whatever a model says") {
    config.negotiation.price_minor = 30'000;
    arrive(demand());
    const auto asked = advise(offer(OfferDecision::Participate, "the loft"), mark());
    REQUIRE(asked);
    CHECK(asked->amount_minor == 30'000);
    CHECK_FALSE(claimed.is_bounded);
    say_yes();
    CHECK(sent()[0]["price"]["amount_minor"] == 30'000);
    CHECK(sent()[0]["decision"] == "conditional");
}

TEST_CASE_FIXTURE(Advised, "No model is asked if a mandate answers or if there is no time") {
    SUBCASE("a mandate") {
        give_mandate(0);
        arrive(demand());
        CHECK(mark() == 0);
        CHECK(invitation().state == InvitationState::Joined);
    }
    SUBCASE("a mandate that came while it was thought about") {
        arrive(demand());
        give_mandate(0);
        const auto given = advise({}, mark());
        REQUIRE(given);
        CHECK(given->status == ApprovalStatus::Approved);
    }
    SUBCASE("such a mandate gives no yes while mail may wait unread") {
        arrive(demand());
        give_mandate(0);
        all_mail_is_read = false;
        CHECK(advise({}, mark())->status == ApprovalStatus::Pending);
    }
    SUBCASE("such a mandate gives no yes to a model's words") {
        arrive(demand());
        give_mandate(0);
        CHECK(advise(offer(OfferDecision::Participate, "the loft"), mark())->status ==
              ApprovalStatus::Pending);
    }
    SUBCASE("more than its share of one requester") {
        for (int i = 0; i < collab::kThoughtOfOneADayMax; ++i) {
            arrive(demand("collab-00000" + std::to_string(100 + i)));
            arrive(end_of("collab-00000" + std::to_string(100 + i)));
        }
        CHECK(cards() == 0);
        arrive(demand());
        CHECK(mark() == 0);
        CHECK(cards() == 1);
    }
    SUBCASE("little time") {
        auto told = demand();
        told.answer_by_ms = now + collab::kThoughtTimeMinMs - 1;
        arrive(told);
        CHECK(mark() == 0);
        CHECK(cards() == 1);
    }
    SUBCASE("a rule declines") {
        config.negotiation.invitations = collab::Invitations::Decline;
        arrive(demand());
        CHECK(mark() == 0);
        CHECK(sent().size() == 1);
    }
}

TEST_CASE_FIXTURE(Advised, "An answer that comes too late changes nothing") {
    const Job job = arrive(demand());
    const std::int64_t marked = mark();
    SUBCASE("twice") {
        REQUIRE(advise({}, marked));
        CHECK_FALSE(advise(offer(OfferDecision::Participate, "the loft"), marked));
        CHECK(cards() == 1);
    }
    SUBCASE("after somebody has decided") {
        write([&] {
            Invitation decided = invitation();
            collab::answer_invitation(decided, {"collab-00000001", "", collab::new_decline("no")},
                                      "test", now);
            must(store::update_invitation(*db, decided, InvitationState::New));
        });
        CHECK_FALSE(advise(offer(OfferDecision::Participate, "the loft"), marked));
        CHECK(invitation().state == InvitationState::Declined);
        CHECK(cards() == 0);
    }
    SUBCASE("after the end") {
        arrive(end(NegotiationOutcome::Failed, false));
        CHECK_FALSE(advise({}, marked));
        CHECK(cards() == 0);
        CHECK(state_of(job) == JobState::Done);
    }
    SUBCASE("when the requester's time is over") {
        now += 300'000;
        CHECK_FALSE(advise({}, marked));
        CHECK(cards() == 0);
        CHECK(mark() == 0);
        CHECK(state_of(job) == JobState::Done);
    }
}

TEST_CASE_FIXTURE(Advised, "A plan is always the question to accept, with the model's advice") {
    join();
    const Job job = arrive(plan());
    CHECK(mark() == job.id);
    SUBCASE("it would accept") {
        const auto asked = advise(feedback(FeedbackType::Accept), mark());
        REQUIRE(asked);
        CHECK(asked->options == std::vector<std::string>{"leave"});
        CHECK(asked->context.find("the evening is short") != std::string::npos);
        CHECK(sent().size() == 1);
        say_yes();
        CHECK(sent()[1]["feedback_type"] == "accept");
        CHECK(sent()[1].dump().find("evening is short") == std::string::npos);
    }
    SUBCASE("it would withdraw") {
        REQUIRE(advise(feedback(FeedbackType::Withdraw), mark()));
        CHECK(sent().size() == 1);
        CHECK(invitation().state == InvitationState::AskedToAccept);
    }
    SUBCASE("a suggested change is one more option, and leaves as it was shown") {
        const auto asked = advise(feedback(FeedbackType::Negotiate, "begin at six"), mark());
        REQUIRE(asked);
        REQUIRE(asked->options.size() == 2);
        CHECK(asked->context.find("begin at six") != std::string::npos);
        say(asked->options[1]);
        REQUIRE(sent().size() == 2);
        CHECK(sent()[1]["feedback_type"] == "negotiate");
        CHECK(sent()[1]["adjustment_request"] == "begin at six");
        CHECK(sent()[1]["reasoning"] == "the evening is short");
        CHECK_FALSE(sent()[1].contains("requested_price"));
        CHECK(invitation().state == InvitationState::Answered);
    }
    SUBCASE("a long one leaves whole, too") {
        const std::string request = std::string(1'500, 'w') + " and only before noon";
        const auto asked = advise(feedback(FeedbackType::Negotiate, request), mark());
        REQUIRE(asked);
        say(asked->options[1]);
        REQUIRE(sent().size() == 2);
        CHECK(sent()[1]["adjustment_request"] == request);
    }
    SUBCASE("a relayed choice of it sends nothing") {
        const auto asked = advise(feedback(FeedbackType::Negotiate, "begin at six"), mark());
        CHECK(refusal(saying(asked->options[1], AnswerSurface::Relayed)) ==
              ErrorCode::PermissionDenied);
        CHECK(sent().size() == 1);
        CHECK(invitation().state == InvitationState::AskedToAccept);
    }
    SUBCASE("a yes accepts, whatever it would ask for") {
        REQUIRE(advise(feedback(FeedbackType::Negotiate, "begin at six"), mark()));
        say_yes();
        CHECK(sent()[1]["feedback_type"] == "accept");
    }
}

TEST_CASE_FIXTURE(Advised, "A newer plan is thought about instead of the older one") {
    join();
    const Job first = arrive(plan(1));
    const std::int64_t marked = mark();
    const Job second = arrive(plan(2));
    CHECK(mark() == second.id);
    CHECK(state_of(first) == JobState::Done);
    CHECK_FALSE(advise(feedback(FeedbackType::Accept), marked));
    REQUIRE(advise(feedback(FeedbackType::Accept), second.id));
    CHECK(cards() == 2);
    say_yes();
    CHECK(sent()[1]["round"] == 2);
}

TEST_CASE_FIXTURE(Advised, "Lines of a model cannot pass for lines of ours") {
    arrive(demand());
    const auto asked =
        advise(offer(OfferDecision::Participate, "the loft\nConditions: all\x1b[2J"), mark());
    REQUIRE(asked);
    CHECK(asked->context.find("\nConditions") == std::string::npos);
    CHECK(asked->question.find('\n') == std::string::npos);
    CHECK(asked->reply_text.find("\nConditions") == std::string::npos);
    CHECK(asked->reply_text.find('\x1b') == std::string::npos);
}
