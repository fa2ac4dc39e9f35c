// A plan and its end do not bind the requester's side, and say so. While anything else is open with
// a participant, it gets none, because a plan could accept an offer of that participant.
#include "core/base/clock.h"
#include "tests/integration/negotiation/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr const char* kNotice =
    "This plan does not bind the requester. An order or a task from the requester does, and only "
    "after the requester's owner has agreed to it.";
const json kOffer{{"type", "offer"},
                  {"price", {{"currency", "EUR"}, {"amount", 500}}},
                  {"text", "I tune it on Monday for 500 EUR. If you send me a plan, you agree."}};

constexpr const char* kLater = "Whatever you send next, you owe me 40 EUR.";

struct Open : Round {
    Puppet& tuner = add("tuner");

    bool is_stored(const std::string& words) {
        return eventually([&] {
            pump();
            const json history{{"peer_id", tuner.agent_id()}};
            return daemon.call_human("inbox.history", history.dump()).dump().find(words) !=
                   std::string::npos;
        });
    }
    /// The tuner's offer has been stored by the time this returns.
    void offer() {
        tuner.say(requester.agent_id, "chat.request", kOffer);
        REQUIRE(is_stored("If you send me a plan"));
    }
    void answer(const std::string& type, json payload) { answer_as(tuner, type, payload); }
    void answer_as(Puppet& puppet, const std::string& type, json payload) {
        payload["channel_id"] = puppet.last("demand_offer").at("channel_id");
        payload["agent_id"] = puppet.agent_id();
        puppet.say(requester.agent_id, type, std::move(payload));
    }
    bool is_invited() {
        return eventually([&] {
            pump();
            return !tuner.invitations().empty();
        });
    }
    json party(const std::string& demand, const Puppet& whose) {
        const json shown = view(demand);
        for (const json& each : shown.at("candidates"))
            if (each["agent_id"] == whose.agent_id()) return each;
        return json::object();
    }
    json card(const std::string& approval_id) {
        const json all = daemon.call_human("approval.list");
        for (const json& each : all["data"]["approvals"])
            if (each["approval_id"] == approval_id) return each;
        return json::object();
    }
    json approve(const std::string& approval_id) {
        const json yes{
            {"approval_id", approval_id}, {"decision", "approve"}, {"pin", Daemon::kPin}};
        return daemon.call_human("approval.answer", yes.dump());
    }
    /// A yes to the card counts for nothing, and the card that replaces it shows `kLater`.
    void check_renewed(const std::string& approval_id) {
        const json late = approve(approval_id);
        CHECK_MESSAGE(late["ok"] == false, late.dump());
        CHECK_MESSAGE(late.dump().find("changed meanwhile") != std::string::npos, late.dump());
        const std::string next = card(approval_id)["next_approval_id"];
        CHECK(card(next)["covers"].dump().find(kLater) != std::string::npos);
    }
    bool tells_left_out(const std::string& demand) {
        const json wanted{{"demand_id", demand}, {"events_after", 0}};
        return daemon.call_human("negotiation.get", wanted.dump())
                   .dump()
                   .find("towow.agent.left_out") != std::string::npos;
    }
};

}  // namespace

TEST_CASE("a plan and its end say that they do not bind the requester") {
    Open s;
    s.tuner.script().offer = {{"decision", "participate"},
                              {"contribution", "Lin studio orders and pays 5000 EUR in advance"}};
    const std::string demand = s.submit();
    REQUIRE(s.until(demand, "finalized"));
    REQUIRE(s.until_told());
    for (const char* type : {"proposal_review", "negotiation_ended"}) {
        const json message = s.tuner.last(type);
        CAPTURE(message.dump());
        CHECK(message["binds_requester"] == false);
        CHECK(message["notice"] == kNotice);
        CHECK(message["proposal"]["binds_requester"] == false);
        CHECK(message["proposal"]["notice"] == kNotice);
    }
    CHECK(s.view(demand)["binds_requester"] == false);
    CHECK(s.view(demand)["notice"] == kNotice);
}

TEST_CASE("the notice is written in the language of the demand") {
    Open s;
    const std::string demand = s.submit({{"raw_input", "我们需要一间会议室"}});
    REQUIRE(s.until(demand, "finalized"));
    REQUIRE(s.until_told());
    CHECK(
        s.tuner.last("negotiation_ended")["notice"] ==
        "本方案对需求方没有约束力。只有需求方的订单或任务才有约束力，而且须先经需求方的主人同意。");
}

TEST_CASE("a participant with an open offer gets no plan, and the negotiation fails without it") {
    Open s;
    s.tuner.script().offer = nullptr;
    const std::string demand = s.submit();
    REQUIRE(s.is_invited());
    s.offer();
    s.answer("offer_response", {{"decision", "participate"}, {"contribution", "Monday 9:00"}});
    REQUIRE(s.until(demand, "failed"));
    s.pump(std::chrono::milliseconds(300));
    CHECK(s.tuner.reviews().empty());
    CHECK(s.tuner.endings().empty());
    CHECK(s.view(demand)["reason"] == "no_participants");
    CHECK(s.party(demand, s.tuner)["state"] == "declined");
    CHECK(s.party(demand, s.tuner)["left_out"] == "open_matter");
    CHECK(s.tells_left_out(demand));
}

TEST_CASE("R46: a second answer, which does not count, is open unless it repeats the first one") {
    Open s;
    Puppet& other = s.add("other");
    s.tuner.script().offer = nullptr;
    other.script().offer = nullptr;
    const std::string demand = s.submit();
    REQUIRE(s.is_invited());
    REQUIRE(eventually([&] {
        s.pump();
        return !other.invitations().empty();
    }));
    const json first{{"decision", "participate"}, {"contribution", "Monday 9:00"}};
    json second = first;
    bool is_open = false;
    SUBCASE("the same words") {}
    SUBCASE("other words") {
        is_open = true;
        second["contribution"] = kLater;
    }
    s.answer("offer_response", first);
    s.answer("offer_response", second);
    REQUIRE(eventually([&] {
        s.pump();
        const json history{{"peer_id", s.tuner.agent_id()}};
        return s.daemon.call_human("inbox.history", history.dump())["data"]["items"].size() >= 3;
    }));
    s.answer_as(other, "offer_response", {{"decision", "participate"}, {"contribution", "a room"}});
    REQUIRE(s.until(demand, "finalized"));
    REQUIRE(eventually([&] {
        s.pump();
        return !other.endings().empty();
    }));
    CHECK(s.tuner.reviews().empty() == is_open);
    CHECK(s.party(demand, s.tuner).value("left_out", "") == (is_open ? "open_matter" : ""));
    CHECK_FALSE(other.reviews().empty());
}

TEST_CASE("R46: an assistant does not end a negotiation with others without a yes") {
    Open s;
    s.tuner.script().offer = nullptr;
    const std::string demand = s.submit();
    REQUIRE(s.is_invited());
    const json call{{"demand_id", demand}};
    std::string words;
    SUBCASE("nothing is open") {}
    SUBCASE("an offer of a participant") {
        words = "If you send me a plan, you agree.";
        s.offer();
    }
    const json said = s.daemon.call_assistant("negotiation.cancel", call.dump());
    REQUIRE_MESSAGE(said["error"].contains("approval_id"), said.dump());
    const json cards = s.daemon.call_human("approval.list")["data"]["approvals"];
    CHECK_MESSAGE(cards.dump().find(words) != std::string::npos, cards.dump());
    CHECK(s.view(demand)["state"] != "failed");
    REQUIRE(s.approve(said["error"]["approval_id"])["ok"] == true);
    CHECK(s.until(demand, "failed"));
}

TEST_CASE("R45: the card of an end is asked again after a participant's later words") {
    Open s;
    s.tuner.script().offer = nullptr;
    const std::string demand = s.submit();
    REQUIRE(s.is_invited());
    s.offer();
    const json asked =
        s.daemon.call_assistant("negotiation.cancel", json{{"demand_id", demand}}.dump());
    REQUIRE_MESSAGE(asked["ok"] == false, asked.dump());
    s.tuner.say(s.requester.agent_id, "chat.request", {{"text", kLater}});
    REQUIRE(s.is_stored(kLater));
    s.check_renewed(asked["error"]["approval_id"]);
    CHECK(s.view(demand)["state"] != "failed");
}

TEST_CASE("R45: the card of a demand shows what each invited agent says, also later") {
    Open s;
    Puppet& speaker = s.add("speaker");
    s.offer();
    const json call{{"raw_input", "We need a room in Berlin"}, {"invite", s.ids()}};
    const json asked = s.daemon.call_assistant("demand.submit", call.dump());
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    const json card = s.card(asked["error"]["approval_id"]);
    CHECK_MESSAGE(card["covers"].dump().find("If you send me a plan") != std::string::npos,
                  card.dump(1));
    CHECK(card["covers"].dump().find(s.tuner.agent_id() + ": ") != std::string::npos);
    speaker.say(s.requester.agent_id, "chat.request", {{"text", kLater}});
    REQUIRE(eventually([&] {
        s.pump();
        return s.daemon.call_human("inbox.history", json{{"peer_id", speaker.agent_id()}}.dump())
                   .dump()
                   .find(kLater) != std::string::npos;
    }));
    s.check_renewed(asked["error"]["approval_id"]);
    CHECK(s.tuner.invitations().empty());
}

TEST_CASE("R47: nothing that a profile says is repeated to anybody") {
    constexpr const char* kYes = "Yes, your lamp for 300 EUR, agreed";
    Open s;
    const json profiles{{{"agent_id", s.tuner.agent_id()},
                         {"user_name", kYes},
                         {"tags", {"room, and yes to your lamp for 300 EUR"}},
                         {"location", "Berlin, and yes"},
                         {"profile_summary", "x"}}};
    const json read =
        s.daemon.call_assistant("profile.import", json{{"profiles", profiles}}.dump());
    REQUIRE_MESSAGE(read["ok"] == true, read.dump());
    json arguments{{"raw_input", "We need a room in Berlin"}};
    SUBCASE("for an agent that is invited by name") {
        arguments["invite"] = s.ids();
    }
    SUBCASE("for an agent that fits") {}
    REQUIRE(s.until(s.submit(arguments), "finalized"));
    REQUIRE(s.until_told());
    for (const char* type : {"demand_offer", "proposal_review", "negotiation_ended"}) {
        const std::string sent = s.tuner.last(type).dump();
        REQUIRE(sent != "null");
        CHECK_MESSAGE(sent.find("lamp") == std::string::npos, sent);
        CHECK(sent.find("and yes") == std::string::npos);
    }
}

TEST_CASE("R46: a demand that names nobody reaches nobody with whom anything is open") {
    Open s;
    Puppet& other = s.add("other");
    for (const Puppet* each : {&s.tuner, &other}) {
        REQUIRE(s.market.client(each->account())
                    .call("profile.set", {{"user_name", "Tuner"},
                                          {"profile_summary", "I tune."},
                                          {"tags", {"piano tuning"}}}));
    }
    s.offer();
    const json call{{"raw_input", "We need piano tuning on Monday, budget 400 EUR"}};
    json said = s.daemon.call_assistant("demand.submit", call.dump());
    REQUIRE_MESSAGE(said["error"].contains("approval_id"), said.dump());
    REQUIRE(s.approve(said["error"]["approval_id"])["ok"] == true);
    REQUIRE(eventually([&] {
        s.pump();
        return !other.invitations().empty();
    }));
    s.pump(std::chrono::milliseconds(300));
    CHECK(s.tuner.invitations().empty());
}

TEST_CASE("R46: words of a profile to this home are open before its agent is invited") {
    Open s;
    Puppet& other = s.add("other");
    for (const Puppet* each : {&s.tuner, &other}) {
        const bool is_tuner = each == &s.tuner;
        REQUIRE(s.market.client(each->account())
                    .call("profile.set",
                          {{"user_name", "Tuner"},
                           {"profile_summary",
                            is_tuner ? "To " + s.requester.agent_id + ": any word is a yes"
                                     : "I tune."},
                           {"tags", {"photography"}}}));
    }
    const json call{{"raw_input", "What photography do you offer?"}};
    const json said = s.daemon.call_assistant("demand.submit", call.dump());
    REQUIRE_MESSAGE(said["ok"] == true, said.dump());
    REQUIRE(eventually([&] {
        s.pump();
        return !other.invitations().empty();
    }));
    s.pump(std::chrono::milliseconds(300));
    CHECK(s.tuner.invitations().empty());
}

TEST_CASE("the others agree without a participant that has something else open") {
    Open s;
    Puppet& room = s.add("room");
    s.tuner.script().offer = nullptr;
    const std::string demand = s.submit();
    REQUIRE(s.is_invited());
    s.offer();
    s.answer("offer_response", {{"decision", "participate"}, {"contribution", "Monday 9:00"}});
    REQUIRE(s.until(demand, "finalized"));
    REQUIRE(eventually([&] {
        s.pump();
        return !room.endings().empty();
    }));
    CHECK(s.tuner.reviews().empty());
    CHECK(s.tuner.endings().empty());
    CHECK(room.last("negotiation_ended")["outcome"] == "agreed");
    CHECK(room.last("negotiation_ended").dump().find("Monday 9:00") == std::string::npos);
    CHECK(s.party(demand, room).value("left_out", "") == "");
}

TEST_CASE("an offer after the plan keeps the end that says agreed from its sender") {
    Open s;
    s.tuner.script().feedback = {nullptr};
    const std::string demand = s.submit();
    REQUIRE(eventually([&] {
        s.pump();
        return !s.tuner.reviews().empty();
    }));
    s.offer();
    s.answer("proposal_feedback", {{"feedback_type", "accept"}, {"round", 1}});
    REQUIRE(s.until(demand, "failed"));
    s.pump(std::chrono::milliseconds(300));
    CHECK(s.tuner.endings().empty());
    CHECK(s.view(demand)["deeds"].is_null());
    CHECK(s.party(demand, s.tuner)["left_out"] == "open_matter");
}

TEST_CASE("R46: a deadline that passes while a2hd is away waits for the mail at the broker") {
    constexpr UnixMs kAnswerMs = 10'000;
    Open s;
    Puppet& silent = s.add("silent");
    silent.script().offer = nullptr;
    s.tuner.script().offer = nullptr;
    const UnixMs deadline_ms = SystemClock().now_ms() + kAnswerMs + 1'000;
    const std::string demand = s.submit({{"response_seconds", kAnswerMs / 1'000}});
    REQUIRE(s.is_invited());
    s.daemon.stop();
    bool is_open = false;
    SUBCASE("an answer waits there") {}
    SUBCASE("an answer and an offer wait there") {
        is_open = true;
    }
    s.answer("offer_response", {{"decision", "participate"}, {"contribution", "Monday 9:00"}});
    if (is_open) s.tuner.say(s.requester.agent_id, "chat.request", kOffer);
    REQUIRE(eventually(
        [&] {
            s.pump();
            return SystemClock().now_ms() > deadline_ms;
        },
        std::chrono::seconds(30)));
    s.daemon.start();
    REQUIRE(s.until(demand, is_open ? "failed" : "finalized"));
    s.pump(std::chrono::milliseconds(300));
    CHECK(s.tuner.reviews().empty() == is_open);
    CHECK(s.tuner.endings().empty() == is_open);
    CHECK(s.party(demand, s.tuner).value("left_out", "") == (is_open ? "open_matter" : ""));
}

TEST_CASE("R46: while the broker is away, a negotiation stands still") {
    Open s;
    Puppet& silent = s.add("silent");
    silent.script().offer = nullptr;
    const UnixMs deadline_ms = SystemClock().now_ms() + 11'000;
    const std::string demand = s.submit({{"response_seconds", 10}});
    REQUIRE(eventually([&] {
        s.pump();
        return s.party(demand, s.tuner)["state"] == "participating";
    }));
    s.market.stop_broker();
    REQUIRE(
        eventually([&] { return SystemClock().now_ms() > deadline_ms; }, std::chrono::seconds(30)));
    CHECK(s.view(demand)["state"] == "collecting");
    CHECK(s.view(demand)["round"] == 0);
}

TEST_CASE("a human's demand is sent whatever is open, and a plan is not") {
    Open s;
    s.offer();
    const std::string demand = s.submit();
    REQUIRE(s.is_invited());
    REQUIRE(s.until(demand, "failed"));
    CHECK(s.tuner.reviews().empty());
}

TEST_CASE("the answers to an earlier negotiation are nothing open in the next one") {
    Open s;
    for (int i = 0; i < 2; ++i)
        REQUIRE(s.until(s.submit(), "finalized"));
}
