// A plan and its end bind nobody on the requester's side, and say so. While anything else is open
// with a participant, it gets none: a plan could accept what it has said.
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
    void answer(const std::string& type, json payload) {
        payload["channel_id"] = tuner.last("demand_offer").at("channel_id");
        payload["agent_id"] = tuner.agent_id();
        tuner.say(requester.agent_id, type, std::move(payload));
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

TEST_CASE("R46: an assistant does not end a negotiation while a participant waits for anything") {
    Open s;
    s.tuner.script().offer = nullptr;
    const std::string demand = s.submit();
    REQUIRE(s.is_invited());
    const json call{{"demand_id", demand}};
    bool is_asked = false;
    SUBCASE("nothing is open") {}
    SUBCASE("an offer of a participant") {
        is_asked = true;
        s.offer();
    }
    const json said = s.daemon.call_assistant("negotiation.cancel", call.dump());
    REQUIRE_MESSAGE(said["ok"] == !is_asked, said.dump());
    if (is_asked) {
        const std::string id = said["error"]["approval_id"];
        const json cards = s.daemon.call_human("approval.list")["data"]["approvals"];
        CHECK_MESSAGE(cards.dump().find("If you send me a plan, you agree.") != std::string::npos,
                      cards.dump());
        CHECK(s.view(demand)["state"] != "failed");
        const json yes{{"approval_id", id}, {"decision", "approve"}, {"pin", Daemon::kPin}};
        REQUIRE(s.daemon.call_human("approval.answer", yes.dump())["ok"] == true);
    }
    CHECK(s.until(demand, "failed"));
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
