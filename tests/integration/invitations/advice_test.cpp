// A model is asked for advice before the human is; a stand-in of its documented API on loopback
// answers, answers nonsense, or hangs until a2hd is killed.

#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "tests/integration/invitations/town.h"
#include "tests/integration/negotiation/step_model.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

struct Counsel {
    TempDir dir;
    StepModel model;
    Town town;

    explicit Counsel(int timeout_seconds = 10) : town(model.config(dir.path(), timeout_seconds)) {}

    void offer(const std::string& contribution) {
        model.answer(kAnswer, {{"decision", "participate"},
                               {"contribution", contribution},
                               {"conditions", json::array()},
                               {"reasoning", "the loft is free"},
                               {"decline_reason", ""},
                               {"confidence", 90}});
    }
    void join() {
        town.invite();
        REQUIRE(town.answer(town.card(), "approve")["ok"] == true);
        REQUIRE(town.receives(1));
    }
    bool is_asked(const std::string& step, int times = 1) {
        return eventually([&] { return model.count(step) >= times; });
    }
    /// Acts as if this invitation had arrived and the model was to be asked about it.
    void mark(store::Database& db, const std::string& negotiation) const {
        InboxMessage message;
        message.agent_id = town.guest_account.agent_id;
        message.sender_id = town.asker_account.agent_id;
        message.message_id = new_message_id(SystemClock().now_ms());
        message.message_type = "demand_offer";
        message.payload_json = "{}";
        message.envelope_json = "{}";
        const auto stored = store::insert_inbox(db, message);
        REQUIRE(stored);
        Job job = store::get_job_of_inbox(db, stored->inbox_id).value().value();
        job.state = JobState::WaitingForHuman;
        REQUIRE(store::update_job(db, job));
        Invitation invitation;
        invitation.agent_id = message.agent_id;
        invitation.requester_id = message.sender_id;
        invitation.negotiation_id = negotiation;
        invitation.demand_json = R"({"surface_demand":"a meeting about AI"})";
        invitation.thought_job_id = job.id;
        REQUIRE(store::insert_invitation(db, invitation));
    }
    void die_and_return() {
        town.guest.kill();
        offer("the loft");
        town.guest.start();
        REQUIRE(town.guest.connected());
    }
};

}  // namespace

TEST_CASE("the offer that a model suggests is on the card and leaves after a yes") {
    Counsel s;
    s.offer("the loft");
    s.town.invite();
    const std::string id = s.town.card();
    const json shown = s.town.open_cards()[0];
    CHECK(shown["question"].get<std::string>().find("a model proposes") != std::string::npos);
    CHECK(shown["context"].get<std::string>().find("the loft is free") != std::string::npos);
    CHECK(s.town.answers_written() == 0);
    // The requester's demand is quoted as data, not as an instruction.
    CHECK(s.model.last(kAnswer)["system"].dump().find("a meeting about AI") == std::string::npos);
    CHECK(s.model.last(kAnswer)["messages"].dump().find("a meeting about AI") != std::string::npos);
    REQUIRE(s.town.answer(id, "approve")["ok"] == true);
    REQUIRE(s.town.receives(1));
    CHECK(s.town.answers()[0]["contribution"] == "the loft");
    CHECK(s.town.answers()[0].dump().find("is free") == std::string::npos);
}

TEST_CASE("killed while the model thinks: thought about again, one card, one answer") {
    Counsel s;
    s.model.hang(kAnswer);
    s.town.invite();
    REQUIRE(s.is_asked(kAnswer));
    CHECK(s.town.open_cards().empty());
    s.die_and_return();
    const std::string id = s.town.card();
    CHECK(s.model.count(kAnswer) == 2);
    s.town.guest.kill();
    s.town.guest.start();
    REQUIRE(s.town.guest.connected());
    CHECK(s.town.card() == id);
    CHECK(s.model.count(kAnswer) == 2);
    REQUIRE(s.town.answer(id, "approve")["ok"] == true);
    REQUIRE(s.town.receives(1));
    CHECK(s.town.answers_written() == 1);
}

TEST_CASE("the model reads only the oldest of many invitations by one requester") {
    constexpr int kThoughtAbout = 8;
    Counsel s;
    s.model.hang(kAnswer);
    s.town.guest.stop();
    {
        const auto db = Town::database(s.town.guest, store::Database::Mode::ReadWrite);
        REQUIRE(db->begin());
        for (int i = 0; i <= kThoughtAbout; ++i)
            s.mark(*db, "collab-0000000" + std::to_string(i));
        REQUIRE(db->commit());
    }
    s.town.guest.start();
    REQUIRE(s.town.guest.connected());
    s.town.card();
    CHECK(s.is_asked(kAnswer));
    CHECK(s.town.open_cards().size() == 1);
}

TEST_CASE("a decline by the assistant while the model thinks is final") {
    Counsel s;
    s.model.hang(kAnswer);
    s.town.invite();
    REQUIRE(s.is_asked(kAnswer));
    const json asked = s.town.say("negotiation.answer", {{"decision", "decline"}});
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    REQUIRE(s.town.answer(asked["error"]["approval_id"], "approve")["ok"] == true);
    REQUIRE(s.town.receives(1));
    s.die_and_return();
    CHECK(s.town.answers()[0]["decision"] == "decline");
    // The next invitation is under way, so the ones before it have been processed.
    s.town.invite("venue", 0, "collab-00000002");
    s.town.card();
    CHECK(s.model.count(kAnswer) == 2);
    CHECK(s.town.answers_written() == 1);
}

TEST_CASE("with a model that answers nonsense or hangs, rules make the card") {
    Counsel s(1);
    SUBCASE("nonsense") {}
    SUBCASE("no answer in time") {
        s.model.hang(kAnswer);
    }
    SUBCASE("an order") {
        s.model.answer(kAnswer, {{"decision", "approve"}, {"contribution", "all"}});
    }
    s.town.invite();
    REQUIRE(s.town.answer(s.town.card(), "approve")["ok"] == true);
    REQUIRE(s.town.receives(1));
    CHECK(s.town.answers()[0]["contribution"] == "a room for 30 people");
}

TEST_CASE("the changes that a model suggests for a plan are one more option of the card") {
    Counsel s;
    s.offer("a room for 30 people");
    s.join();
    s.model.answer(kJudge, {{"feedback_type", "negotiate"},
                            {"reasoning", "the evening is short"},
                            {"proposed_changes", {{"reason", "please begin at six"}}}});
    s.town.propose();
    const std::string id = s.town.card();
    const json shown = s.town.open_cards()[0];
    REQUIRE(shown["options"].size() == 2);
    CHECK(shown["context"].get<std::string>().find("please begin at six") != std::string::npos);
    CHECK(s.town.answers_written() == 1);
    const json chosen{
        {"approval_id", id}, {"decision", shown["options"][1]}, {"pin", Daemon::kPin}};
    const json said = s.town.guest.call_human("approval.answer", chosen.dump());
    REQUIRE_MESSAGE(said["ok"] == true, said.dump());
    REQUIRE(s.town.receives(2));
    CHECK(s.town.answers()[1]["feedback_type"] == "negotiate");
    CHECK(s.town.answers()[1]["adjustment_request"] == "please begin at six");
}
