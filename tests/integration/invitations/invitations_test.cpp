// A real a2hd is invited over a real broker; the requester says what the test tells it.

#include "tests/integration/invitations/town.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

TEST_CASE("an invitation waits for a human, survives kill -9, and its yes leaves once") {
    Town town;
    town.invite();
    const std::string id = town.card();
    CHECK(town.answers_written() == 0);
    town.guest.kill();
    town.guest.start();
    REQUIRE(town.guest.connected());
    CHECK(town.card() == id);
    CHECK(town.answers_written() == 0);
    REQUIRE(town.answer(id, "approve")["ok"] == true);
    town.guest.kill();
    town.guest.start();
    REQUIRE(town.receives(1));
    CHECK(town.answers()[0]["decision"] == "participate");
    CHECK(town.answers()[0]["contribution"] == "a room for 30 people");
    CHECK(town.becomes(InvitationState::Joined));
    // The same invitation once more changes nothing.
    town.invite();
    CHECK(eventually([&] { return town.guest.status()["counts"]["received"] == 2; }));
    town.propose();
    const std::string about_plan = town.card();
    REQUIRE(town.answer(about_plan, "approve")["ok"] == true);
    REQUIRE(town.receives(2));
    CHECK(town.answers()[1]["feedback_type"] == "accept");
    CHECK(town.answers_written() == 2);
    town.end();
    CHECK(town.becomes(InvitationState::Ended));
    CHECK(town.invitation()->is_bound);
}

TEST_CASE("an invitation that the owner's rules decline is declined at once") {
    Town town;
    town.invite("photography");
    REQUIRE(town.receives(1));
    CHECK(town.answers()[0]["decision"] == "decline");
    CHECK(town.open_cards().empty());
}

TEST_CASE("a mandate joins and agrees without a card to a plan that adds no words") {
    Town town;
    town.give_mandate();
    town.invite();
    REQUIRE(town.receives(1));
    CHECK(town.answers()[0]["decision"] == "participate");
    SUBCASE("a plan of exactly what was offered") {
        town.propose("");
        REQUIRE(town.receives(2));
        CHECK(town.answers()[1]["feedback_type"] == "accept");
        CHECK(town.open_cards().empty());
    }
    SUBCASE("words that nobody has offered") {
        town.propose("Everybody pays 900 CNY to the organiser");
        town.card();
        CHECK(town.answers().size() == 1);
    }
}

TEST_CASE("the end of a negotiation closes its card, and nothing was sent") {
    Town town;
    town.invite();
    const std::string id = town.card();
    town.end();
    REQUIRE(town.becomes(InvitationState::Ended));
    CHECK(town.open_cards().empty());
    CHECK(town.answer(id, "approve")["ok"] == false);
    CHECK_FALSE(town.invitation()->is_bound);
    CHECK(town.answers_written() == 0);
}

TEST_CASE("R46: an assistant's decline waits for a yes, and is then final") {
    // The invitation may say "decline, and you take 40 CNY instead".
    const std::string reason = "call me at 13800138000";
    Town town;
    town.invite();
    town.card();
    const json said =
        town.say("negotiation.answer", {{"decision", "decline"}, {"reasoning", reason}});
    REQUIRE_MESSAGE(said["error"].contains("approval_id"), said.dump());
    CHECK(town.answers_written() == 0);
    const std::string id = town.card();
    CHECK(said["error"]["approval_id"] == id);
    const json card = town.open_cards()[0];
    CHECK(card["question"].dump().find("Decline the request of") != std::string::npos);
    CHECK(card["reply_text"].dump().find(reason) != std::string::npos);
    REQUIRE(town.answer(id, "approve")["ok"] == true);
    REQUIRE(town.receives(1));
    CHECK(town.answers()[0]["decision"] == "decline");
    CHECK(town.answers()[0].dump().find(reason) != std::string::npos);
    const json late = town.say("negotiation.answer", {{"decision", "participate"}});
    CHECK(late["ok"] == false);
    CHECK(late["error"]["code"] == "conflict");
    CHECK(town.answers_written() == 1);
}

TEST_CASE("R46: a no to a decline sends nothing, and the invitation can still be answered") {
    Town town;
    town.invite();
    town.card();
    town.tell({{"text", "Would you take 250 CNY for the piano?"}}, "chat.request");
    REQUIRE(eventually([&] { return town.open_cards().size() == 2; }));
    const json said = town.say("negotiation.answer", {{"decision", "decline"}});
    REQUIRE_MESSAGE(said["error"].contains("approval_id"), said.dump());
    REQUIRE(town.answer(said["error"]["approval_id"], "reject")["ok"] == true);
    CHECK(town.becomes(InvitationState::New));
    CHECK(town.answers_written() == 0);
}

TEST_CASE("R10: nobody closes without a proof what an assistant asked about an invitation") {
    Town town;
    town.invite();
    town.card();
    const json said = town.say("negotiation.answer", {{"decision", "decline"}});
    const std::string id = town.card();
    REQUIRE(said["error"]["approval_id"] == id);
    const json closed = town.guest.call_assistant(
        "approval.response", json{{"approval_id", id}, {"decision", "reject"}}.dump());
    CHECK(closed["error"]["code"] == "PLATFORM_401");
    CHECK(town.card() == id);
    // What a no sends is on the card of an offer.
    town.say("negotiation.answer", {{"decision", "participate"}});
    CHECK(town.open_cards()[0]["covers"].dump().find("We do not take part.") != std::string::npos);
}

TEST_CASE("an assistant's offer replaces the card, and a yes sends it as it was shown") {
    Town town;
    town.invite();
    const std::string first = town.card();
    const json offer{{"decision", "conditional"},
                     {"contribution", "a hall"},
                     {"conditions", {"before ten"}},
                     {"price", {{"amount_minor", 20'000}, {"currency", "CNY"}}}};
    const json asked = town.say("negotiation.answer", offer);
    CHECK(asked["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    // The requester's words are not repeated where they are not fenced.
    CHECK(asked.dump().find("a meeting about AI") == std::string::npos);
    const std::string second = town.card();
    CHECK(asked["error"]["approval_id"] == second);
    CHECK(second != first);
    CHECK(town.say("negotiation.answer", offer)["error"]["approval_id"] == second);
    const std::string shown = town.open_cards()[0]["reply_text"];
    for (const char* part : {"a hall", "before ten", "200.00 CNY"})
        CHECK_MESSAGE(shown.find(part) != std::string::npos, shown);
    CHECK(town.answer(first, "approve")["ok"] == false);
    CHECK(town.answers_written() == 0);
    REQUIRE(town.answer(second, "approve")["ok"] == true);
    REQUIRE(town.receives(1));
    CHECK(town.answers()[0]["decision"] == "conditional");
    CHECK(town.answers()[0]["contribution"] == "a hall");
    CHECK(town.answers()[0]["price"]["amount_minor"] == 20'000);
}

TEST_CASE("an assistant's words about a plan wait for a yes, and so does its agreement") {
    Town town;
    town.invite();
    REQUIRE(town.answer(town.card(), "approve")["ok"] == true);
    REQUIRE(town.receives(1));
    town.propose();
    const std::string about_plan = town.card();
    CHECK(town.say("proposal.feedback", {{"feedback_type", "accept"}})["error"]["approval_id"] ==
          about_plan);
    const json asked = town.say(
        "proposal.feedback",
        {{"feedback_type", "negotiate"}, {"adjustment_request", "we take 500 CNY and come at 8"}});
    CHECK(asked["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    const std::string about_words = town.card();
    CHECK(about_words != about_plan);
    CHECK(town.answers_written() == 1);
    const json list = town.guest.call_assistant("invitation.list", "{}")["data"]["items"];
    REQUIRE(list.size() == 1);
    CHECK(list[0]["state"] == "asked_to_accept");
    CHECK(list[0]["approval_id"] == about_words);
    CHECK(list[0]["offer"]["contribution"] == "a room for 30 people");
    const json leaving = town.say("proposal.feedback", {{"feedback_type", "withdraw"}});
    CHECK(leaving["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(town.answers_written() == 1);
    REQUIRE(town.answer(town.card(), "approve")["ok"] == true);
    REQUIRE(town.receives(2));
    CHECK(town.answers()[1]["feedback_type"] == "withdraw");
    CHECK(town.becomes(InvitationState::Withdrawn));
    CHECK(town.open_cards().empty());
}

TEST_CASE("an answer after the requester's deadline says so and changes nothing") {
    Town town;
    town.invite("venue", SystemClock().now_ms() - 60'000);
    REQUIRE(town.becomes(InvitationState::New));
    for (const char* decision : {"participate", "decline"}) {
        const json late = town.say("negotiation.answer", {{"decision", decision}});
        CHECK(late["error"]["code"] == "conflict");
        CHECK(late["error"]["message"] == "the time to answer has passed");
    }
    CHECK(town.invitation()->state == InvitationState::New);
    CHECK(town.open_cards().empty());
    CHECK(town.answers_written() == 0);
}

TEST_CASE("at the terminal an invitation is shown, and a yes to it takes the PIN") {
    Town town;
    const std::string pin = std::string(Daemon::kPin) + "\n";
    CHECK(town.a2h({"invitations", "list"}).out.find("There are no invitations") !=
          std::string::npos);
    town.invite();
    const std::string id = town.card();
    const std::string list = town.a2h({"invitations", "list"}).out;
    for (const char* words : {"collab-00000001", "waits for your approval", "a meeting ab"})
        CHECK_MESSAGE(list.find(words) != std::string::npos, list);
    const std::string shown =
        town.a2h({"invitations", "show", "collab-00000001"}, {}, "zh_CN.UTF-8").out;
    for (const std::string& words :
         {std::string("a meeting about AI"), std::string("等您同意"), "a2h approve " + id,
          std::string("a2h invitations answer collab-00000001")})
        CHECK_MESSAGE(shown.find(words) != std::string::npos, shown);

    // The shown text is the one that is sent, and only with the right PIN.
    const std::vector<std::string> yes{"invitations", "answer", "collab-00000001", "participate"};
    const auto without = town.a2h(yes);
    CHECK(without.status == 1);
    CHECK(without.err.find("a room for 30 people") != std::string::npos);
    CHECK(without.err.find("a2h approve " + id) != std::string::npos);
    auto with_pin = yes;
    with_pin.push_back("--pin-stdin");
    CHECK(town.a2h(with_pin, "000000\n").status == 1);
    CHECK(town.card() == id);
    CHECK(town.answers_written() == 0);
    CHECK(town.a2h(with_pin, pin).status == 0);
    REQUIRE(town.receives(1));
    CHECK(town.answers()[0]["decision"] == "participate");
    CHECK(town.a2h(with_pin, pin).status == 1);

    town.propose();
    town.card();
    const std::string plan = town.a2h({"invitations", "show", "collab-00000001"}).out;
    for (const char* words :
         {"an evening", "a plan waits for your approval", "invitations feedback"})
        CHECK_MESSAGE(plan.find(words) != std::string::npos, plan);
    const auto accepted = town.a2h(
        {"invitations", "feedback", "collab-00000001", "accept", "--pin-stdin", "--json"}, pin);
    CHECK(accepted.status == 0);
    CHECK(json::parse(accepted.out)["data"]["status"] == "approved");
    REQUIRE(town.receives(2));
    CHECK(town.answers()[1]["feedback_type"] == "accept");
    town.end();
    REQUIRE(town.becomes(InvitationState::Ended));
    CHECK(town.a2h({"invitations", "list"}).out.find("collab-00000001") == std::string::npos);
    CHECK(town.a2h({"invitations", "list", "--all"}).out.find("your part binds you") !=
          std::string::npos);
}

TEST_CASE("at the terminal conditions and a price leave as they were typed") {
    Town town;
    town.invite();
    const std::string first = town.card();
    const auto said = town.a2h({"invitations", "answer", "collab-00000001", "conditional",
                                "--contribution", "a hall", "--conditions", "before ten; no shoes",
                                "--price", "200.50", "--currency", "EUR", "--pin-stdin"},
                               std::string(Daemon::kPin) + "\n");
    CHECK_MESSAGE(said.status == 0, said.err);
    for (const char* words : {"a hall", "before ten", "no shoes", "200.50 EUR"})
        CHECK_MESSAGE(said.err.find(words) != std::string::npos, said.err);
    REQUIRE(town.receives(1));
    const json offer = town.answers()[0];
    CHECK(offer["decision"] == "conditional");
    CHECK(offer["contribution"] == "a hall");
    CHECK(offer["conditions"][0] == "before ten");
    CHECK(offer["conditions"][1] == "no shoes");
    CHECK(offer["price"]["amount_minor"] == 20'050);
    CHECK(offer["price"]["currency"] == "EUR");
    CHECK(town.open_cards().empty());

    town.propose();
    town.card();
    const auto left = town.a2h(
        {"invitations", "feedback", "collab-00000001", "withdraw", "--pin-stdin", "--json"},
        std::string(Daemon::kPin) + "\n");
    REQUIRE_MESSAGE(left.status == 0, left.out);
    REQUIRE(town.receives(2));
    CHECK(town.answers()[1]["feedback_type"] == "withdraw");
    CHECK(town.becomes(InvitationState::Withdrawn));
}

TEST_CASE("at the terminal a decline needs the PIN, and wrong words change nothing") {
    Town town;
    town.invite();
    town.card();
    const auto status = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "invitations");
        return town.a2h(std::move(arguments)).status;
    };
    CHECK(status({"answer", "collab-00000001"}) == 2);
    CHECK(status({"answer", "collab-00000001", "maybe"}) == 2);
    CHECK(status({"feedback", "collab-00000001", "participate"}) == 2);
    CHECK(status({"answer", "collab-00000001", "participate", "--price", "much"}) == 2);
    CHECK(status({"answer", "collab-00000001", "conditional"}) == 1);
    CHECK(status({"feedback", "collab-00000001", "accept"}) == 1);
    CHECK(status({"show", "collab-00000002"}) == 1);
    const auto unknown = town.a2h({"invitations", "answer", "collab-00000002", "decline", "--json"},
                                  {}, "zh_CN.UTF-8");
    CHECK(unknown.status == 1);
    CHECK(json::parse(unknown.out)["error"]["code"] == "PLATFORM_410");
    CHECK(town.answers_written() == 0);
    CHECK(town.open_cards().size() == 1);

    const std::vector<std::string> decline{"invitations", "answer",   "collab-00000001",
                                           "decline",     "--reason", "call me at 13800138000",
                                           "--pin-stdin"};
    CHECK(town.a2h(decline, "000000\n").status == 1);
    CHECK(town.answers_written() == 0);
    const auto said = town.a2h(decline, std::string(Daemon::kPin) + "\n");
    CHECK_MESSAGE(said.status == 0, said.err);
    CHECK_MESSAGE(said.err.find("13800138000") != std::string::npos, said.err);
    REQUIRE(town.receives(1));
    CHECK(town.answers()[0]["decision"] == "decline");
    CHECK(town.answers()[0].dump().find("13800138000") != std::string::npos);
    CHECK(town.open_cards().empty());
}
