// One requester's a2hd and scripted agents of others, over the real broker.
#include "tests/integration/negotiation/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

const json kRoom{{"decision", "participate"}, {"contribution", "a room for 30"}};
const json kDecline{{"decision", "decline"}, {"decline_reason", "busy"}};
const json kAccept{{"feedback_type", "accept"}, {"reasoning", "fine"}};
const json kWithdraw{{"feedback_type", "withdraw"}, {"reasoning", "no"}};

}  // namespace

TEST_CASE("the participants accept a plan, and everybody is told once that it is agreed") {
    Round round;
    Puppet& room = round.add("room", {kRoom, {kAccept}});
    Puppet& speaker = round.add("speaker", {{{"decision", "conditional"},
                                             {"contribution", "a talk"},
                                             {"conditions", {"in the morning"}}},
                                            {kAccept}});
    Puppet& busy = round.add("busy", {kDecline, {kAccept}});
    const std::string demand = round.submit();
    REQUIRE(round.until(demand, "finalized"));
    const json view = round.view(demand);
    CHECK(view["outcome"] == "agreed");
    CHECK(view["round"] == 1);
    CHECK(eventually([&] {
        round.pump();
        return room.endings().size() == 1 && speaker.endings().size() == 1;
    }));
    CHECK(room.last("negotiation_ended")["is_bound"] == true);
    CHECK(room.last("negotiation_ended")["outcome"] == "agreed");
    CHECK(room.invitations().size() == 1);
    CHECK(room.reviews().at(1).size() == 1);
    CHECK(busy.reviews().empty());
    CHECK(busy.endings().empty());
    // Each sees its own conditions and not those of others.
    CHECK(room.last("proposal_review").dump().find("in the morning") == std::string::npos);
    CHECK(speaker.last("proposal_review").dump().find("in the morning") != std::string::npos);
}

TEST_CASE("another price is granted in the next round") {
    Round round;
    Puppet& room =
        round.add("room", {{{"decision", "participate"},
                            {"contribution", "a room"},
                            {"price", {{"amount_minor", 10'000}, {"currency", "EUR"}}}},
                           {{{"feedback_type", "negotiate"},
                             {"requested_price", {{"amount_minor", 12'000}, {"currency", "EUR"}}},
                             {"adjustment_request", "120 EUR"}},
                            kAccept}});
    const std::string demand = round.submit();
    REQUIRE(round.until(demand, "finalized"));
    CHECK(round.view(demand)["round"] == 2);
    const json plan = room.last("proposal_review")["proposal"];
    CHECK(plan["assignments"][0]["price"]["amount_minor"] == 12'000);
    const json story = round.daemon.call_human(
        "negotiation.get", json{{"demand_id", demand}, {"events_after", 0}}.dump())["data"];
    std::vector<std::string> asked;
    for (const json& event : story["events"]) {
        if (event["event_type"] == "towow.proposal.feedback")
            asked.push_back(event["payload"].value("adjustment_request", ""));
    }
    CHECK(asked == std::vector<std::string>{"120 EUR", ""});
}

TEST_CASE("three rounds without agreement end it, with the best that was accepted as compromise") {
    Round round;
    const json unhappy{{"feedback_type", "negotiate"}, {"adjustment_request", "all else"}};
    round.add("one", {kRoom, {kAccept}});
    round.add("two", {kRoom, {unhappy}});
    SUBCASE("more for it than against it") {
        const std::string demand = round.submit();
        REQUIRE(round.until(demand, "finalized"));
        const json view = round.view(demand);
        CHECK(view["outcome"] == "partial");
        CHECK(view["round"] == 3);
        CHECK(view["compromise"]["assignments"].size() == 1);
        REQUIRE(round.until_told());
        CHECK(round.puppets[0]->last("negotiation_ended")["is_bound"] == true);
        CHECK(round.puppets[1]->last("negotiation_ended")["is_bound"] == false);
        CHECK_FALSE(round.puppets[1]->last("negotiation_ended").contains("proposal"));
    }
    SUBCASE("nobody accepts") {
        round.puppets[0]->script().feedback = {unhappy};
        const std::string demand = round.submit();
        REQUIRE(round.until(demand, "failed"));
        CHECK(round.view(demand)["reason"] == "no_agreement");
        CHECK(round.view(demand)["round"] == 3);
    }
}

TEST_CASE("nobody takes part: it fails with suggestions, and nobody is asked again") {
    Round round;
    round.add("one", {kDecline, {}});
    round.add("silent", {nullptr, {}});
    const std::string demand = round.submit({{"response_seconds", 1}});
    REQUIRE(round.until(demand, "failed"));
    const json view = round.view(demand);
    CHECK(view["reason"] == "no_participants");
    CHECK(view["compromise"]["suggestions"].size() > 0);
    CHECK(round.puppets[1]->invitations().size() == 1);
}

TEST_CASE("silence is presumed as the requester said, and binds nobody") {
    Round round;
    round.add("eager", {kRoom, {kAccept}});
    round.add("silent", {kRoom, {nullptr}});
    SUBCASE("as a yes") {
        const std::string demand =
            round.submit({{"feedback_seconds", 5}, {"on_timeout", "accept"}});
        REQUIRE(round.until(demand, "finalized"));
        REQUIRE(round.until_told());
        CHECK(round.puppets[0]->last("negotiation_ended")["is_bound"] == true);
        CHECK(round.puppets[1]->last("negotiation_ended")["is_bound"] == false);
        CHECK(round.view(demand)["gaps"].size() >= 1);
    }
    SUBCASE("as a no") {
        const std::string demand =
            round.submit({{"feedback_seconds", 5}, {"on_timeout", "decline"}});
        REQUIRE(round.until(demand, "failed"));
        CHECK(round.view(demand)["round"] == 3);
    }
    SUBCASE("silence alone agrees to nothing") {
        round.puppets[0]->script().feedback = {nullptr};
        const std::string demand =
            round.submit({{"feedback_seconds", 1}, {"on_timeout", "accept"}});
        REQUIRE(round.until(demand, "failed"));
    }
}

TEST_CASE("most of them withdraw: the negotiation fails at once") {
    Round round;
    round.add("one", {kRoom, {kWithdraw}});
    round.add("two", {kRoom, {kWithdraw}});
    round.add("three", {kRoom, {nullptr}});
    const std::string demand = round.submit({{"feedback_seconds", 100'000}});
    REQUIRE(round.until(demand, "failed"));
    CHECK(round.view(demand)["reason"] == "rejected");
}

TEST_CASE("only those who were asked count, once, and only while they are asked") {
    Round round;
    Puppet& slow = round.add("slow", {nullptr, {nullptr}});
    Puppet& room = round.add("room", {kRoom, {nullptr}});
    Puppet stranger(round.market, "stranger");
    const std::string demand = round.submit();
    REQUIRE(eventually([&] {
        round.pump();
        return slow.invitations().size() == 1 && room.invitations().size() == 1;
    }));
    const std::string negotiation = round.view(demand)["channel_id"];
    const std::string requester = round.requester.agent_id;
    json offer = kRoom;
    offer["channel_id"] = negotiation;
    // Another agent claims to be the one that has not answered yet.
    offer["agent_id"] = slow.agent_id();
    stranger.say(requester, "offer_response", offer);
    json feedback{{"feedback_type", "accept"}, {"channel_id", negotiation}};
    room.say(requester, "proposal_feedback", feedback);  // nobody asks for that yet
    const auto rule_count = [&](std::string_view why) {
        const json events = round.daemon.call_human("events.list", R"({"limit":500})")["data"];
        const std::string text = events.dump();
        std::size_t count = 0;
        for (auto at = text.find(why); at != std::string::npos; at = text.find(why, at + 1))
            ++count;
        return count;
    };
    REQUIRE(eventually([&] { return rule_count("answer_uninvited") == 1; }));
    REQUIRE(eventually([&] { return rule_count("answer_not_asked") == 1; }));
    CHECK(round.view(demand)["state"] == "collecting");

    json decline = kDecline;
    decline["channel_id"] = negotiation;
    slow.say(requester, "offer_response", decline);
    slow.say(requester, "offer_response", offer);  // another mind, too late
    REQUIRE(round.until(demand, "negotiating"));
    REQUIRE(eventually([&] { return rule_count("answer_not_asked") == 2; }));
    REQUIRE(eventually([&] {
        round.pump();
        return room.reviews().size() == 1;
    }));
    json negotiate{{"channel_id", negotiation}, {"feedback_type", "negotiate"}, {"round", 1}};
    stranger.say(requester, "proposal_feedback", feedback);
    room.script().feedback = {nullptr, kAccept};
    room.say(requester, "proposal_feedback", negotiate);
    REQUIRE(round.until(demand, "finalized"));
    const json done = round.view(demand);
    CHECK(done["round"] == 2);
    room.say(requester, "proposal_feedback",
             {{"channel_id", negotiation}, {"feedback_type", "withdraw"}});
    REQUIRE(eventually([&] { return rule_count("answer_not_asked") == 3; }));
    CHECK(round.view(demand)["state"] == "finalized");
    CHECK(round.view(demand)["outcome"] == "agreed");
}

TEST_CASE("its requester cancels it: the others are notified, and later answers do not count") {
    Round round;
    Puppet& room = round.add("room", {kRoom, {nullptr}});
    const std::string demand = round.submit();
    REQUIRE(round.until(demand, "negotiating"));
    const json arguments{{"demand_id", demand}};
    CHECK(round.daemon.call_owner("negotiation.cancel", arguments.dump())["ok"] == true);
    CHECK(round.daemon.call_owner("negotiation.cancel", arguments.dump())["ok"] == false);
    REQUIRE(round.until_told());
    CHECK(room.last("negotiation_ended")["outcome"] == "cancelled");
    CHECK(round.view(demand)["state"] == "failed");
}
