#include <doctest/doctest.h>

#include "daemon/card/card.h"
#include "daemon/consent/terms.h"
#include "tests/support/told_number.h"
#include "tests/unit/collab/invited.h"

using namespace a2h;
using nlohmann::json;
using test::Invited;
using test::must;

namespace {

/// A change of a message: a place in it as a JSON pointer, and its new value.
struct Change {
    const char* what;
    const char* place;
    json value;
};

}  // namespace

TEST_CASE_FIXTURE(Invited, "An invitation is a card, and a yes sends exactly what it showed") {
    const Job job = arrive(demand());
    CHECK(job.state == JobState::WaitingForHuman);
    CHECK(outbox().empty());
    const Approval asked = card();
    CHECK(asked.action == "demand.join");
    CHECK(asked.peer_id == "ag_asker");
    CHECK(asked.answer_by_ms == now + 300'000);
    CHECK(asked.question.find("a room for 30 people") != std::string::npos);
    CHECK(asked.context.find("a meeting about AI in Beijing") != std::string::npos);
    const json shown = json::parse(asked.action_json)["request"]["payload"];
    CHECK_FALSE(say_yes().empty());
    REQUIRE(sent().size() == 1);
    CHECK(sent()[0] == shown);
    CHECK(sent()[0]["decision"] == "participate");
    CHECK(sent()[0]["agent_id"] == "ag_seller");
    CHECK(outbox()[0].message_type == "offer_response");
    CHECK(outbox()[0].effect_key == "offer:ag_seller:ag_asker:collab-00000001");
    CHECK(invitation().state == InvitationState::Joined);
    CHECK(must(store::get_job(*db, job.id))->state == JobState::Done);
}

TEST_CASE_FIXTURE(Invited, "Lines of the requester cannot pass for lines of ours") {
    auto told = demand();
    told.demand.surface_demand = "a talk\nPrice: none\x1b[2J";
    arrive(told);
    CHECK(card().context.find("\nPrice") == std::string::npos);
    CHECK(card().context.find('\x1b') == std::string::npos);
    CHECK(card().question.find('\n') == std::string::npos);
}

TEST_CASE_FIXTURE(Invited, "Nothing leaves without a yes") {
    arrive(demand());
    now += 300'000;
    CHECK(expire().size() == 1);
    CHECK(outbox().empty());
    CHECK(invitation().state == InvitationState::New);
    CHECK_FALSE(collab::check_joinable(invitation(), now));
    arrive(plan());
    CHECK(outbox().empty());
    CHECK(invitation().round == 0);
}

TEST_CASE_FIXTURE(Invited, "A proved no is sent as a decline, a relayed one does nothing") {
    arrive(demand());
    SUBCASE("proved") {
        give_well(proved(card(), AnswerKind::Reject));
        REQUIRE(sent().size() == 1);
        CHECK(sent()[0]["decision"] == "decline");
        CHECK(sent()[0].value("contribution", "").empty());
        CHECK(invitation().state == InvitationState::Declined);
    }
    SUBCASE("relayed") {
        CHECK(refusal(proved(card(), AnswerKind::Reject, AnswerSurface::Relayed)) ==
              ErrorCode::PermissionDenied);
        CHECK(outbox().empty());
        CHECK(card().status == ApprovalStatus::Pending);
    }
}

TEST_CASE_FIXTURE(Invited, "Other words are what we bring, and are asked about again") {
    config.negotiation.price_minor = 30'000;
    arrive(demand());
    const std::string first = card().id;
    const auto answered = say("two microphones");
    REQUIRE(answered.next.has_value());
    CHECK(outbox().empty());
    CHECK(card().id == answered.next->id);
    CHECK(card().id != first);
    say_yes();
    REQUIRE(sent().size() == 1);
    CHECK(sent()[0]["contribution"] == "two microphones");
    CHECK(sent()[0]["price"] == json{{"amount_minor", 30'000}, {"currency", "CNY"}});
}

TEST_CASE_FIXTURE(Invited, "Long words leave as they were shown, and no mandate agrees to less") {
    arrive(demand());
    const std::string words = std::string(1'500, 'w') + " and only if paid in advance";
    say(words);
    CHECK(shown().find("paid in advance") != std::string::npos);
    say_yes();
    REQUIRE(sent().size() == 1);
    CHECK(sent()[0]["contribution"] == words);
    give_mandate(0);
    auto told = bare_plan();
    told.proposal.parts[0].responsibility = words.substr(0, 1'000);
    arrive(told);
    CHECK(invitation().state == InvitationState::AskedToAccept);
    say(words);
    CHECK(shown().find("paid in advance") != std::string::npos);
    say_yes();
    REQUIRE(sent().size() == 2);
    CHECK(sent()[1]["adjustment_request"] == words);
}

TEST_CASE_FIXTURE(Invited, "The owner's table declines at once, and commits to nothing") {
    SUBCASE("everything") {
        config.negotiation.invitations = collab::Invitations::Decline;
    }
    SUBCASE("a demand that needs none of our capabilities") {
        config.negotiation.tags = {"photography"};
    }
    const Job job = arrive(demand());
    CHECK(job.state == JobState::Done);
    CHECK(job.decision == "answer");
    REQUIRE(sent().size() == 1);
    CHECK(sent()[0]["decision"] == "decline");
    CHECK(invitation().state == InvitationState::Declined);
    CHECK(invitation().approval_id.empty());
}

TEST_CASE_FIXTURE(Invited, "Nobody but a proved requester changes anything") {
    for (const Provenance provenance : {Provenance::Unverified, Provenance::Forged}) {
        const Job job = arrive(demand(), provenance);
        CHECK(job.rule_id == collab::kIgnoredInvitationRule);
        CHECK_FALSE(is_invited());
    }
    arrive(demand(), Provenance::Vouched);
    say_yes();
    arrive(plan(), Provenance::Verified, "ag_other");
    arrive(plan(), Provenance::Forged);
    arrive(end(NegotiationOutcome::Agreed, true), Provenance::Unverified);
    arrive(end(NegotiationOutcome::Agreed, true), Provenance::Verified, "ag_other");
    CHECK(invitation().state == InvitationState::Joined);
    CHECK(invitation().round == 0);
}

TEST_CASE_FIXTURE(Invited,
                  "A second invitation to a negotiation changes only what its card shows") {
    arrive(demand());
    const std::string asked = card().id;
    auto other = demand();
    other.demand.surface_demand = "something else";
    CHECK(arrive(other).rule_id == collab::kIgnoredInvitationRule);
    CHECK(card().id != asked);
    CHECK(card().since_text.find("something else") != std::string::npos);
    CHECK(card().context.find("something else") == std::string::npos);
    say_yes();
    arrive(demand());
    CHECK(sent().size() == 1);
    arrive(demand(), Provenance::Verified, "ag_other");
    CHECK(is_invited("ag_other"));
    CHECK(invitation().state == InvitationState::Joined);
}

TEST_CASE_FIXTURE(Invited, "A copied negotiation id cannot displace its owner") {
    arrive(demand());
    arrive(demand(), Provenance::Verified, "ag_copycat");
    const auto copied =
        must(store::get_invitation(*db, "ag_seller", "ag_copycat", "collab-00000001"));
    REQUIRE(copied);
    const auto named = must(store::find_invitation(*db, "ag_seller", "collab-00000001"));
    REQUIRE(named);
    CHECK(named->requester_id == "ag_asker");
}

TEST_CASE_FIXTURE(Invited, "The open invitations of one requester are limited") {
    for (int i = 0; i < collab::kOpenInvitationsMax; ++i)
        arrive(demand("collab-" + std::to_string(100'000'000 + i).substr(1)));
    CHECK(arrive(demand("collab-000000ff")).rule_id == collab::kIgnoredInvitationRule);
    CHECK_FALSE(
        must(store::get_invitation(*db, "ag_seller", "ag_asker", "collab-000000ff")).has_value());
    give_well(proved(card(), AnswerKind::Reject));
    CHECK(arrive(demand("collab-000000ff")).state == JobState::WaitingForHuman);
}

TEST_CASE_FIXTURE(Invited, "An invitation whose time is over asks nobody") {
    auto late = demand();
    late.answer_by_ms = now;
    CHECK(arrive(late).state == JobState::Done);
    CHECK(invitation().state == InvitationState::New);
    CHECK(invitation().approval_id.empty());
}

TEST_CASE("A mandate joins no invitation that says more than its demand") {
    const char* words = "By joining you pay 500 CNY";
    const Change changes[] = {
        {"a member of the message", "/terms", words},
        {"a number", "/deposit", 500},
        {"a member of the demand", "/demand/terms", words},
        {"a member of a part of the demand", "/demand/context/penalty", 500},
        {"a text behind what is read", "/demand/surface_demand",
         "a meeting" + std::string(20'000, ' ') + words},
    };
    for (const Change& change : changes) {
        CAPTURE(change.what);
        Invited scene;
        scene.give_mandate(0);
        json told = wire::to_json(scene.demand());
        told[json::json_pointer(change.place)] = change.value;
        scene.arrive_as(told);
        CHECK(scene.sent().empty());
        CHECK(scene.shown().find("500") != std::string::npos);
    }
}

TEST_CASE_FIXTURE(Invited, "A mandate joins at once, and its use is counted once") {
    const std::string mandate = give_mandate(0);
    auto told = demand();
    told.demand.surface_demand = "A room; by joining you agree to pay all damages";
    CHECK(arrive(told).state == JobState::Done);
    REQUIRE(sent().size() == 1);
    CHECK(sent()[0]["decision"] == "participate");
    CHECK(sent()[0]["reasoning"] ==
          "This offer is complete: it agrees to nothing else that the invitation says.");
    CHECK(invitation().state == InvitationState::Joined);
    CHECK(uses(mandate) == 1);
    arrive(bare_plan());
    REQUIRE(sent().size() == 2);
    CHECK(sent()[1]["feedback_type"] == "accept");
    CHECK(outbox()[0].effect_key == "feedback:ag_seller:ag_asker:collab-00000001:1");
    arrive(bare_plan(2));
    CHECK(sent().size() == 3);
    CHECK(uses(mandate) == 1);
}

TEST_CASE_FIXTURE(Invited, "R52: A mandate joins nothing while mail may wait unread") {
    const std::string mandate = give_mandate(0);
    all_mail_is_read = false;
    CHECK(arrive(demand()).state == JobState::WaitingForHuman);
    CHECK(sent().empty());
    CHECK(invitation().state == InvitationState::AskedToJoin);
    CHECK(uses(mandate) == 0);
}

TEST_CASE_FIXTURE(Invited, "A mandate that was revoked or is used up joins nothing more") {
    const std::string mandate = give_mandate(0, 1);
    arrive(demand());
    arrive(demand("collab-00000002"));
    CHECK(invitation("collab-00000002").state == InvitationState::AskedToJoin);
    write([&] {
        must(mandates::revoke(*db, "ag_seller", mandate, {"human", AnswerSurface::Terminal}, now));
    });
    arrive(plan());
    CHECK(invitation().state == InvitationState::AskedToAccept);
    CHECK(sent().size() == 1);
}

TEST_CASE_FIXTURE(Invited, "A mandate to join for nothing says nothing about prices, and back") {
    SUBCASE("free mandate, offer for a price") {
        give_mandate(0);
        config.negotiation.price_minor = 30'000;
    }
    SUBCASE("mandate for a price, free offer") {
        give_mandate(20'000);
    }
    SUBCASE("the price is below its lowest amount") {
        give_mandate(30'001);
        config.negotiation.price_minor = 30'000;
    }
    SUBCASE("the price is in another currency") {
        give_mandate(20'000);
        config.negotiation.price_minor = 30'000;
        config.negotiation.currency = "USD";
    }
    SUBCASE("the owner has not said what is brought") {
        give_mandate(0);
        config.negotiation.contribution.clear();
    }
    arrive(demand());
    CHECK(invitation().state == InvitationState::AskedToJoin);
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(Invited, "A mandate agrees to the price that was offered and to no other") {
    config.negotiation.price_minor = 30'000;
    const std::string mandate = give_mandate(25'000);
    arrive(demand());
    REQUIRE(sent().size() == 1);
    CHECK(sent()[0]["decision"] == "conditional");
    auto same = bare_plan();
    same.proposal.parts[0].price = Price{30'000, "CNY"};
    arrive(same);
    CHECK(invitation().feedback == FeedbackType::Accept);
    CHECK(uses(mandate) == 1);
    auto other = bare_plan(2);
    SUBCASE("less, though the mandate would go so low") {
        other.proposal.parts[0].price = Price{25'000, "CNY"};
    }
    SUBCASE("more") {
        other.proposal.parts[0].price = Price{40'000, "CNY"};
    }
    arrive(other);
    CHECK(invitation().state == InvitationState::AskedToAccept);
    CHECK(sent().size() == 2);
    CHECK(uses(mandate) == 1);
    // No message that is sent reveals the limit.
    for (const json& payload : sent()) {
        CHECK_FALSE(test::tells_number(payload.dump(), "25000"));
        CHECK_FALSE(test::tells_number(payload.dump(), "250.00"));
    }
    const std::string shown = card::in_text(card::card_of(card(), i18n::Language::English).lines,
                                            i18n::Language::English);
    CHECK_MESSAGE(shown.find("With a no / ") != std::string::npos, shown);
    CHECK(shown.find("300.00 CNY", shown.find("With a no / ")) != std::string::npos);
    const json refusal = json::parse(card().action_json)["request"]["refusal"];
    give_well(proved(card(), AnswerKind::Reject));
    CHECK(sent().back() == refusal);
    CHECK(sent().back()["requested_price"]["amount_minor"] == 30'000);
}

TEST_CASE_FIXTURE(
    Invited, "A plan that differs from the offer is put to the human, with or without a mandate") {
    give_mandate(0);
    arrive(demand());
    auto other = bare_plan();
    PlanPart& part = other.proposal.parts[0];
    SUBCASE("other work") {
        part.responsibility = "a room for 300 people";
    }
    SUBCASE("a note") {
        part.notes = "and the catering";
    }
    SUBCASE("a dependency") {
        part.dependencies = {"pays the deposit"};
    }
    SUBCASE("another day") {
        other.proposal.start_date = "2026-02-16";
    }
    SUBCASE("two parts") {
        other.proposal.parts.push_back(part);
    }
    arrive(other);
    CHECK(invitation().state == InvitationState::AskedToAccept);
    CHECK(sent().size() == 1);
}

constexpr const char* kEverybodyPays = "Everybody pays 900 CNY to the organiser";

std::vector<Change> changes_with_words() {
    const json far_behind =
        "a room for 30 people" + std::string(2'000, ' ') + "and you pay 900 CNY";
    return {
        {"words of the demand", "/proposal/objective", "a meeting about AI in Beijing"},
        {"behind what was offered", "/proposal/assignments/0/responsibility", far_behind},
        {"in other letters", "/proposal/assignments/0/responsibility", "A ROOM for 30 people"},
        {"a role", "/proposal/assignments/0/role", "pays 900 CNY"},
        {"a name", "/proposal/assignments/0/display_name", kEverybodyPays},
        {"a member of the part", "/proposal/assignments/0/penalty", "you pay 900 EUR"},
        {"a dependency", "/proposal/assignments/0/dependencies", {"you first transfer 300 CNY"}},
        {"a note", "/proposal/assignments/0/notes", "pay 900"},
        {"a price where none was offered",
         "/proposal/assignments/0/price",
         {{"amount_minor", 1}, {"currency", "CNY"}}},
        {"a price that is none", "/proposal/assignments/0/price", kEverybodyPays},
        {"a member of the plan", "/proposal/terms", kEverybodyPays},
        {"a member of the message", "/terms", kEverybodyPays},
        {"its summary", "/proposal/summary", kEverybodyPays},
        {"its goal", "/proposal/objective", kEverybodyPays},
        {"its reasoning", "/proposal/rationale", kEverybodyPays},
        {"its id", "/proposal/proposal_id", kEverybodyPays},
        {"its confidence", "/proposal/confidence", kEverybodyPays},
        {"its version", "/proposal/version", 900},
        {"the time of its making", "/proposal/created_at_ms", 900},
        {"a number in words", "/max_rounds", kEverybodyPays},
        {"a gap", "/proposal/gaps", {"You bring the food, too"}},
        {"an end of its time", "/proposal/timeline/end_date", "tomorrow at 4 in the morning"},
        {"a day in words", "/proposal/timeline/start_date", kEverybodyPays},
        {"a milestone", "/proposal/timeline/milestones",
         json::array({{{"name", "MILE1"}, {"date", "2026-02-15"}}})},
        {"changes", "/proposal/adjustment_summary", {{"changes_made", {kEverybodyPays}}}},
        {"another's part",
         "/proposal/assignments/-",
         {{"agent_id", "ag_x1"}, {"responsibility", "receives 900 CNY from ag_seller"}}},
        {"something that is no part", "/proposal/assignments/-", kEverybodyPays},
    };
}

TEST_CASE("A mandate accepts only a plan in the words that were offered") {
    for (const Change& change : changes_with_words()) {
        CAPTURE(change.what);
        Invited scene;
        scene.give_mandate(0);
        scene.arrive(scene.demand());
        json told = wire::to_json(scene.bare_plan());
        told["round"] = 1;
        told[json::json_pointer(change.place)] = change.value;
        scene.arrive_as(told);
        CHECK(scene.invitation().state == InvitationState::AskedToAccept);
        CHECK(scene.sent().size() == 1);
    }
}

TEST_CASE_FIXTURE(Invited, "A mandate agrees to the plan that says nothing but what was offered") {
    give_mandate(0);
    arrive(demand());
    json told = wire::to_json(bare_plan());
    json& plan = told["proposal"];
    SUBCASE("nothing more") {}
    SUBCASE("the day that was named, and who is meant") {
        plan["timeline"]["start_date"] = "2026-02-15";
        plan["proposal_id"] = "prop_collab-00000001_1";
        plan["assignments"][0]["role"] = plan["assignments"][0]["responsibility"];
    }
    arrive_as(told);
    CHECK(invitation().state == InvitationState::Answered);
    CHECK(sent().size() == 2);
}

TEST_CASE_FIXTURE(Invited, "A day that the demand has put into words is no day for a mandate") {
    give_mandate(0);
    auto told = demand();
    told.demand.date = "when you have paid 500 CNY";
    arrive(told);
    auto repeated = bare_plan();
    repeated.proposal.start_date = told.demand.date;
    arrive(repeated);
    CHECK(invitation().state == InvitationState::AskedToAccept);
}

TEST_CASE_FIXTURE(Invited, "A card about an invitation shows all that was sent, whole") {
    json told = wire::to_json(demand());
    const std::string words(3'000, 'w');
    told["penalty"] = "PENALTY of the message";
    told["filter_reason"] = words + " REASON";
    json& wanted = told["demand"];
    wanted["penalty"] = "you pay PEN1";
    wanted["surface_demand"] = std::string(9'000, 'w') + " SURFACE";
    wanted["deep_understanding"]["motivation"] = words + " MOTIVE";
    for (int i = 0; i < 40; ++i)
        wanted["deep_understanding"]["likely_preferences"].push_back("p" + std::to_string(i) + "Z");
    wanted["context"].update(
        {{"number_of_people", "30 PPL1"}, {"other", "OTH1"}, {"budget", 5'000}});
    arrive_as(told);
    const std::string whole = shown();
    for (const char* part : {"PENALTY of", "REASON", "PEN1", "SURFACE", "MOTIVE", "p0Z", "p39Z",
                             "30 PPL1", "OTH1", "5000", "2026-02-15"}) {
        CAPTURE(part);
        REQUIRE(told.dump().find(part) != std::string::npos);
        CHECK(whole.find(part) != std::string::npos);
    }
}

TEST_CASE_FIXTURE(Invited, "A card about a plan shows all that was sent, whole") {
    arrive(demand());
    say_yes();
    json told = wire::to_json(plan());
    const std::string words(3'000, 'w');
    told["penalty"] = "PENALTY of the message";
    json& plan = told["proposal"];
    plan["extra_clause"] = "CLAUSE";
    for (const char* name : {"summary", "objective", "rationale"})
        plan[name] = words + " end of " + name;
    plan["timeline"] = {{"start_date", words + " STARTS"}, {"end_date", "ENDS"}};
    for (int i = 0; i < 80; ++i) {
        plan["timeline"]["milestones"].push_back(
            {{"name", words + " m" + std::to_string(i) + "Z"}, {"description", "DESCRIBED"}});
        plan["gaps"].push_back(words + " g" + std::to_string(i) + "Z");
    }
    json& part = plan["assignments"][0];
    part["responsibility"] = words + " RESPONSIBLE";
    part["notes"] = words + " NOTED";
    part["role"] = words + " ROLE";
    part["dependencies"] = {words + " DEPENDS"};
    part["penalty"] = "you pay PEN2";
    for (int i = 0; i < 300; ++i)
        plan["assignments"].push_back(
            {{"agent_id", "ag_x"}, {"terms", "o" + std::to_string(i) + "Z"}});
    plan["assignments"].push_back("NOPART");
    arrive_as(told);
    const std::string whole = shown();
    for (const char* said : {"PENALTY of",
                             "CLAUSE",
                             "end of summary",
                             "end of objective",
                             "end of rationale",
                             "STARTS",
                             "ENDS",
                             "m0Z",
                             "m79Z",
                             "DESCRIBED",
                             "g0Z",
                             "g79Z",
                             "RESPONSIBLE",
                             "NOTED",
                             "ROLE",
                             "DEPENDS",
                             "PEN2",
                             "o0Z",
                             "o299Z",
                             "NOPART"}) {
        CAPTURE(said);
        REQUIRE(told.dump().find(said) != std::string::npos);
        CHECK(whole.find(said) != std::string::npos);
    }
}

TEST_CASE_FIXTURE(Invited, "A human agrees to exactly the version that was shown") {
    arrive(demand());
    say_yes();
    arrive(plan());
    const Approval first = card();
    CHECK(first.action == "demand.accept");
    CHECK(first.answer_by_ms == now + 120'000);
    const auto yes = give_well(proved(first, AnswerKind::Approve));
    // The requester goes on before the yes is carried out.
    arrive(plan(2));
    CHECK(stored(first.id).outcome == ApprovalOutcome::Failed);
    CHECK(sent().size() == 1);
    const Approval second = card();
    CHECK(second.id != first.id);
    CHECK_FALSE(say_yes().empty());
    CHECK(sent().back()["feedback_type"] == "accept");
    CHECK(sent().back()["round"] == 2);
    CHECK(yes.needs_execution);
}

TEST_CASE_FIXTURE(Invited, "A newer plan calls the question about the older one off") {
    arrive(demand());
    say_yes();
    arrive(plan());
    const Approval first = card();
    arrive(plan(2));
    CHECK(stored(first.id).status == ApprovalStatus::Cancelled);
    CHECK(refusal(proved(first, AnswerKind::Approve)) == ErrorCode::Conflict);
    CHECK(invitation().state == InvitationState::AskedToAccept);
    CHECK(arrive(plan(2)).rule_id == collab::kIgnoredInvitationRule);
    CHECK(arrive(plan(1)).rule_id == collab::kIgnoredInvitationRule);
    CHECK(card().status == ApprovalStatus::Pending);
}

TEST_CASE_FIXTURE(Invited, "A human asks for changes, or leaves") {
    config.negotiation.price_minor = 30'000;
    arrive(demand());
    say_yes();
    auto lower = plan();
    lower.proposal.parts[0].price = Price{20'000, "CNY"};
    arrive(lower);
    SUBCASE("no") {
        give_well(proved(card(), AnswerKind::Reject));
        CHECK(sent().back()["feedback_type"] == "negotiate");
        CHECK(sent().back()["requested_price"]["amount_minor"] == 30'000);
        CHECK(invitation().state == InvitationState::Answered);
    }
    SUBCASE("words, which are shown before they leave") {
        CHECK(say("only until nine o'clock").next.has_value());
        CHECK(sent().size() == 1);
        say_yes();
        CHECK(sent().back()["feedback_type"] == "negotiate");
        CHECK(sent().back()["adjustment_request"] == "only until nine o'clock");
    }
    SUBCASE("a no to those words sends nothing") {
        say("only until nine o'clock");
        give_well(proved(card(), AnswerKind::Reject));
        CHECK(sent().size() == 1);
        CHECK(invitation().state == InvitationState::Reviewing);
    }
    SUBCASE("leave") {
        say("leave");
        CHECK(sent().back()["feedback_type"] == "withdraw");
        CHECK(invitation().state == InvitationState::Withdrawn);
        arrive(plan(2));
        CHECK(invitation().round == 1);
    }
    SUBCASE("leave, as the card says it, even if the language has changed since") {
        policy.language = i18n::Language::Chinese;
        say("leave");
        CHECK(invitation().state == InvitationState::Withdrawn);
    }
    SUBCASE("leave, relayed without a proof") {
        CHECK(refusal(saying("leave", AnswerSurface::Relayed)) == ErrorCode::PermissionDenied);
        CHECK(sent().size() == 1);
        CHECK(invitation().state == InvitationState::AskedToAccept);
    }
}

TEST_CASE_FIXTURE(Invited, "A plan without a part for us is answered so by a rule") {
    arrive(demand());
    say_yes();
    auto without = plan();
    without.proposal.parts[0].agent_id = "ag_third";
    arrive(without);
    CHECK(sent().back()["feedback_type"] == "negotiate");
    CHECK(invitation().state == InvitationState::Answered);
    arrive(end(NegotiationOutcome::Agreed, true));
    CHECK_FALSE(invitation().is_bound);
}

TEST_CASE_FIXTURE(Invited, "An end binds those who agreed, whatever the requester claims") {
    arrive(demand());
    say_yes();
    arrive(plan());
    SUBCASE("agreed") {
        say_yes();
        arrive(end(NegotiationOutcome::Agreed, true));
        CHECK(invitation().is_bound);
        REQUIRE(news.has_value());
        CHECK(news->body_json.find("a room for 30 people") != std::string::npos);
    }
    SUBCASE("agreed, but to another part") {
        say_yes();
        auto told = end(NegotiationOutcome::Agreed, true);
        told.proposal = plan().proposal;
        told.proposal->parts[0].responsibility = "a room for 300 people";
        arrive(told);
        CHECK_FALSE(invitation().is_bound);
    }
    SUBCASE("the requester says that it does not") {
        say_yes();
        arrive(end(NegotiationOutcome::Partial, false));
        CHECK_FALSE(invitation().is_bound);
    }
    SUBCASE("nobody has answered") {
        const Approval open = card();
        arrive(end(NegotiationOutcome::Agreed, true));
        CHECK_FALSE(invitation().is_bound);
        CHECK(stored(open.id).status == ApprovalStatus::Cancelled);
        CHECK(invitation().state == InvitationState::Ended);
        CHECK(refusal(proved(open, AnswerKind::Approve)) == ErrorCode::Conflict);
    }
    SUBCASE("a yes that was not carried out yet") {
        const Approval open = card();
        give_well(proved(open, AnswerKind::Approve));
        arrive(end(NegotiationOutcome::Agreed, true));
        CHECK_FALSE(invitation().is_bound);
        CHECK(stored(open.id).outcome == ApprovalOutcome::Failed);
        CHECK(sent().size() == 1);
    }
    SUBCASE("it failed") {
        say_yes();
        arrive(end(NegotiationOutcome::Failed, true));
        CHECK_FALSE(invitation().is_bound);
    }
    CHECK(invitation().state == InvitationState::Ended);
    CHECK(arrive(end(NegotiationOutcome::Agreed, true)).rule_id == collab::kIgnoredInvitationRule);
    CHECK(arrive(plan(2)).rule_id == collab::kIgnoredInvitationRule);
}

TEST_CASE_FIXTURE(Invited, "A part with one more member than was shown binds nobody") {
    arrive(demand());
    say_yes();
    arrive(plan());
    say_yes();
    auto told = end(NegotiationOutcome::Agreed, true);
    told.proposal = plan().proposal;
    json changed = wire::to_json(told);
    bool binds = true;
    SUBCASE("the same part") {
        changed["proposal"]["summary"] = "in other words";
    }
    SUBCASE("one more member") {
        changed["proposal"]["assignments"][0]["penalty"] = "900 CNY";
        binds = false;
    }
    arrive_as(changed);
    CHECK(invitation().is_bound == binds);
}

TEST_CASE_FIXTURE(Invited, "An end before our answer closes the invitation") {
    arrive(demand());
    const Approval open = card();
    arrive(end(NegotiationOutcome::Cancelled, false));
    CHECK(stored(open.id).status == ApprovalStatus::Cancelled);
    CHECK(invitation().state == InvitationState::Ended);
    CHECK(invitation().outcome == "cancelled");
    CHECK(outbox().empty());
}

TEST_CASE_FIXTURE(Invited, "No mandate joins where several people must agree") {
    policy.people = {Person{}, Person{}};
    policy.people[1].name = "anna";
    consent::ApprovalRule rule;
    rule.action = "demand.join";
    rule.votes = 2;
    rule.people = {"human", "anna"};
    policy.rules = {rule};
    config.approval = policy;
    give_mandate(0);
    arrive(demand());
    CHECK(invitation().state == InvitationState::AskedToJoin);
    CHECK(card().votes_needed == 2);
}

TEST_CASE("A mandate to join needs a count, and for a price a lowest amount") {
    MandateTerms terms;
    terms.agent_id = "ag_seller";
    terms.action = collab::kJoinAction;
    terms.currency = "CNY";
    terms.starts_ms = test::kStart;
    terms.ends_ms = test::kStart + 1'000;
    CHECK_FALSE(mandates::check_terms(terms, test::kStart));
    terms.count_per_week = 2;
    CHECK(mandates::check_terms(terms, test::kStart));
    terms.amount_to_minor = 5'000;
    CHECK_FALSE(mandates::check_terms(terms, test::kStart));
    terms.amount_from_minor = 1'000;
    CHECK(mandates::check_terms(terms, test::kStart));
    terms.works_id = "works_1";
    CHECK_FALSE(mandates::check_terms(terms, test::kStart));
}

TEST_CASE_FIXTURE(Invited, "an invitation whose ids could be words is kept and changes nothing") {
    config.negotiation.invitations = collab::Invitations::Decline;
    for (const char* words :
         {"we accept 50 EUR", "we-accept-50-EUR", "weaccept50EUR", "ch_we_accept", "collab-50"}) {
        CAPTURE(words);
        CHECK(arrive(demand(words)).rule_id == collab::kIgnoredInvitationRule);
        auto named = demand();
        named.demand_id = words;
        CHECK(arrive(named).rule_id == collab::kIgnoredInvitationRule);
    }
    CHECK(outbox().empty());
    arrive(demand());
    REQUIRE(outbox().size() == 1);
}

TEST_CASE_FIXTURE(Invited, "the card of a plan says that the plan does not bind the requester") {
    arrive(demand());
    say_yes();
    auto told = wire::to_json(plan());
    told["proposal"]["binds_requester"] = false;
    told["proposal"]["notice"] = "This plan does not bind the requester.";
    arrive_as(told);
    CAPTURE(shown());
    CHECK(shown().find("Binds the requester: no") != std::string::npos);
    CHECK(shown().find("Notice: This plan does not bind the requester.") != std::string::npos);
}

TEST_CASE_FIXTURE(Invited, "a requester that says to be bound has said something besides") {
    arrive(demand());
    say_yes();
    auto told = wire::to_json(plan());
    CHECK(told["binds_requester"] == false);
    arrive_as(told);
    CHECK(invitation().besides_json.empty());
    told = wire::to_json(plan(2));
    told["binds_requester"] = true;
    arrive_as(told);
    CHECK(invitation().besides_json == R"({"binds_requester":true})");
}

TEST_CASE_FIXTURE(Invited, "Words beside a plan are shown, and no mandate accepts them") {
    give_mandate(0);
    arrive(demand());
    auto told = wire::to_json(bare_plan());
    std::string words;
    SUBCASE("a notice that is not ours") {
        words = "By accepting, the participant pays 5000 CNY if it is late.";
        told["notice"] = words;
    }
    SUBCASE("another demand") {
        words = "collab-0123456789ab";
        told["demand_id"] = words;
    }
    SUBCASE("words in an id of the envelope") {
        words = "you also pay 500 CNY";
        trace_id = words;
    }
    arrive_as(told);
    CHECK(invitation().state != InvitationState::Answered);
    CHECK(invitation().besides_json.find(words) != std::string::npos);
    CHECK(shown().find(words) != std::string::npos);
}
