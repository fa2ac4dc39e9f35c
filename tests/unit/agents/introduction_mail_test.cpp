#include <doctest/doctest.h>

#include "core/domain/approval.h"
#include "daemon/consent/mandates.h"
#include "tests/unit/agents/post.h"

using namespace a2h;
using a2h::test::introduction_json;
using a2h::test::Post;
using nlohmann::json;

TEST_CASE_FIXTURE(Post,
                  "An introduction within the home puts the contact into the asker's registry") {
    const std::string asker = s.spawn("ag_root");
    const auto request = s.send(asker, "ag_root", "introduction_request", introduction_json());
    REQUIRE(request);
    const auto asked =
        store::get_introduction(*s.reader, "ag_root", asker, IntroductionSide::Asked, *request);
    CHECK((*asked)->required_capability == "test");
    CHECK(s.open_approvals("ag_root").empty());
    REQUIRE(s.send(
        "ag_root", asker, "introduction_response",
        {{"request_id", *request},
         {"introduced", true},
         {"contact",
          {{"id", "ag_tester"},
           {"role", "tester"},
           {"interfaceSpec",
            {{"services", "tests"}, {"input_format", "files"}, {"output_format", "report"}}}}}}));
    const auto contact = s.contact(asker, "ag_tester");
    REQUIRE(contact);
    CHECK(contact->source == ContactSource::Introduction);
    CHECK(contact->introduced_by == "ag_root");
    CHECK(contact->role == "tester");
    CHECK(contact->interface_spec->services == "tests");
    const auto settled = [&](const std::string& agent, const std::string& peer,
                             IntroductionSide side) {
        return store::get_introduction(*s.reader, agent, peer, side, *request).value()->state;
    };
    CHECK(settled(asker, "ag_root", IntroductionSide::Asking) == IntroductionState::Answered);
    CHECK(settled("ag_root", asker, IntroductionSide::Asked) == IntroductionState::Answered);
}

TEST_CASE_FIXTURE(Post, "A refused introduction leaves no contact, and says why") {
    const auto request = s.send("ag_root", "ag_root2", "introduction_request", introduction_json());
    REQUIRE(s.send("ag_root2", "ag_root", "introduction_response",
                   {{"request_id", *request}, {"introduced", false}, {"reason", "nobody"}}));
    const auto asked = store::get_introduction(*s.reader, "ag_root", "ag_root2",
                                               IntroductionSide::Asking, *request);
    CHECK((*asked)->state == IntroductionState::Declined);
    CHECK((*asked)->refusal == "nobody");
}

TEST_CASE_FIXTURE(Post, "An answer that nobody asked for introduces nobody") {
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "ag_thief"}, {"role", "bank"}}}});
    CHECK_FALSE(s.contact("ag_root", "ag_thief"));
    REQUIRE(s.send("ag_root", "ag_far", "introduction_request", introduction_json()));
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "ag_thief"}, {"role", "bank"}}}},
              Provenance::Unverified);
    CHECK_FALSE(s.contact("ag_root", "ag_thief"));
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "not an id"}, {"role", "bank"}}}});
    CHECK_FALSE(s.contact("ag_root", "not an id"));
    s.receive("ag_far", "ag_root", "introduction_response",
              {{"introduced", true}, {"contact", {{"id", "ag_friend"}, {"role", "bank"}}}});
    CHECK(s.contact("ag_root", "ag_friend")->introduced_by == "ag_far");
}

TEST_CASE_FIXTURE(Post, "An introduction does not change a contact that is better known") {
    know_tester("ag_root");
    const auto request = s.send("ag_root", "ag_root2", "introduction_request", introduction_json());
    REQUIRE(s.send("ag_root2", "ag_root", "introduction_response",
                   {{"request_id", *request},
                    {"introduced", true},
                    {"contact", {{"id", "ag_tester"}, {"role", "other"}}}}));
    CHECK(s.contact("ag_root", "ag_tester")->source == ContactSource::Manual);
    CHECK(s.contact("ag_root", "ag_tester")->role == "Tester");
}

TEST_CASE_FIXTURE(Post,
                  "From elsewhere an introduction is the human's to make, and the yes sends it") {
    know_tester("ag_root");
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "introduction_request", introduction_json());
    const auto asked = s.open_approvals("ag_root");
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].action == "message.send");
    CHECK(asked[0].question.find("ag_tester") != std::string::npos);
    CHECK(outbox("ag_root").empty());
    const json request = json::parse(asked[0].action_json)["request"];
    CHECK(request["payload"]["contact"]["id"] == "ag_tester");
    CHECK(request["payload"]["request_id"] == message.message_id);
}

TEST_CASE_FIXTURE(Post, "The question about an introduction holds all that is asked for") {
    know_tester("ag_root");
    json request = introduction_json();
    request["reason"] = std::string(300, 'x') + " and you pay all damages";
    s.receive("ag_far", "ag_root", "introduction_request", request);
    const Approval asked = s.open_approvals("ag_root").at(0);
    CHECK(asked.question.find("damages") == std::string::npos);
    CHECK(asked.context.find("and you pay all damages") != std::string::npos);
}

TEST_CASE_FIXTURE(Post, "A no to an introduction refuses it") {
    know_tester("ag_root");
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "introduction_request", introduction_json());
    const Approval asked = s.open_approvals("ag_root").at(0);
    CHECK_FALSE(asked.reject_text.empty());
    s.answer(asked, AnswerKind::Reject);
    const auto refused = store::get_introduction(*s.reader, "ag_root", "ag_far",
                                                 IntroductionSide::Asked, message.message_id);
    CHECK((*refused)->state == IntroductionState::Declined);
    REQUIRE(outbox("ag_root").size() == 1);
    const json sent = json::parse(outbox("ag_root")[0].payload_json);
    CHECK(sent["introduced"] == false);
    CHECK(sent["reason"] == asked.reject_text);
}

TEST_CASE_FIXTURE(Post, "A no to an assistant's words about an introduction sends nothing") {
    const InboxMessage message =
        s.receive("ag_far", "ag_root", "introduction_request", introduction_json());
    const json answer{{"request_id", message.message_id}, {"introduced", false}, {"reason", "No."}};
    consent::Ask ask;
    ask.agent_id = "ag_root";
    ask.peer_id = "ag_far";
    ask.action = "message.send";
    ask.requested_by = "tool:introduction.answer";
    ask.request_json = json{
        {"message_type", "introduction_response"},
        {"payload", answer},
        {"target_agent_id",
         "ag_far"}}.dump();
    REQUIRE(s.write([&](store::Database& db) -> Result<void> {
        const auto opened = consent::open_approval(
            db, consent::new_approval(ask, s.config->approval, s.clock.now_ms()),
            s.config->approval, s.clock.now_ms());
        return opened ? Result<void>() : fail(opened.error());
    }));
    s.answer(s.open_approvals("ag_root").at(0), AnswerKind::Reject);
    CHECK(outbox("ag_root").empty());
    const auto asked = store::get_introduction(*s.reader, "ag_root", "ag_far",
                                               IntroductionSide::Asked, message.message_id);
    CHECK((*asked)->state == IntroductionState::Open);
}

TEST_CASE_FIXTURE(Post, "The human is notified if there is nobody to name, and nothing is sent") {
    s.receive("ag_far", "ag_root", "introduction_request", introduction_json());
    CHECK(s.open_approvals("ag_root").empty());
    CHECK(outbox("ag_root").empty());
    CHECK(store::list_introductions(*s.reader, "ag_root", IntroductionState::Open, 0, 9)
              ->items.size() == 1);
}

TEST_CASE("With the setting never, every introduction for another home is refused") {
    Post post(agents::Introductions::Never);
    post.know_tester("ag_root");
    post.s.receive("ag_far", "ag_root", "introduction_request", introduction_json());
    CHECK(post.s.open_approvals("ag_root").empty());
    REQUIRE(post.outbox("ag_root").size() == 1);
    CHECK(json::parse(post.outbox("ag_root")[0].payload_json)["introduced"] == false);
}

TEST_CASE(
    "With the setting known, the agent answers known senders, and the human decides about others") {
    Post post(agents::Introductions::Known);
    post.know_tester("ag_root");
    post.s.receive("ag_tester", "ag_root", "introduction_request", introduction_json());
    CHECK(post.s.open_approvals("ag_root").empty());
    post.s.receive("ag_far", "ag_root", "introduction_request", introduction_json());
    CHECK(post.s.open_approvals("ag_root").size() == 1);
}
