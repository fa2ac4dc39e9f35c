// The owner's setting for an assistant's words: `[send] assistant`.

#include <doctest/doctest.h>

#include <string>

#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

std::string config_with(const std::string& choice) {
    return "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = "
           "[\"terminal\"]\n"
           "[send]\nassistant = \"" +
           choice + "\"\n";
}

/// The seller's assistant writes to the buyer.
json send(Scene& s, json call) {
    call["target_agent_id"] = s.buyer_account.agent_id;
    return s.seller.call_assistant("send", call.dump());
}

bool is_asked(const json& result) {
    return result["ok"] == false && result["error"].contains("approval_id");
}

}  // namespace

TEST_CASE("an owner who wants to be asked about every text is asked about a greeting") {
    Scene s({.config = config_with("ask")});
    const json greeted = send(s, {{"text", "Good morning!"}});
    CHECK_MESSAGE(is_asked(greeted), greeted.dump());
    CHECK_MESSAGE(s.open_approval().dump().find("every such text waits") != std::string::npos,
                  s.open_approval().dump());
    CHECK(s.replies_to_buyer().empty());
}

TEST_CASE("a text that is no text is put to the human like other members") {
    Scene s({.config = config_with("review")});
    const json texts{5, true, nullptr, json::array({"I accept"}), {{"yes", "no"}}};
    for (const json& text : texts) {
        const json asked = send(s, {{"extra_payload", {{"text", text}}}});
        CHECK_MESSAGE(asked["ok"] == false, text.dump() << asked.dump());
    }
    CHECK(s.seller.call_human("status")["ok"] == true);
    CHECK(s.replies_to_buyer().empty());
}

TEST_CASE("an owner who lets an assistant speak freely is asked about nothing but what binds") {
    Scene s({.config = config_with("open")});
    s.buyer_says("Would you take 250 CNY for it?");
    const json said = send(s, {{"text", "Yes, we will deliver it on Monday."}});
    CHECK_MESSAGE(said["ok"] == true, said.dump());
    REQUIRE(eventually([&] { return !s.replies_to_buyer().empty(); }));
    const std::string id = s.seller.call_human("outbox.list")["data"]["items"][0]["message_id"];
    const std::string why = s.seller.a2h({"why", id}).out;
    CHECK_MESSAGE(why.find("nobody reviews its messages") != std::string::npos, why);

    const json price{{"amount", 250}, {"currency", "CNY"}};
    for (const json& call :
         {json{{"extra_payload", {{"type", "offer"}, {"price", price}}}},
          json{{"message_type", "collaboration_response"}, {"extra_payload", {{"accepted", true}}}},
          json{{"text", "Hello"}, {"extra_payload", {{"deposit", 500}}}}}) {
        const json asked = send(s, call);
        CHECK_MESSAGE(asked["ok"] == false, call.dump() << asked.dump());
    }
    const json demand{{"raw_input", "We pay 500 CNY for a room tonight."},
                      {"invite", {s.buyer_account.agent_id}}};
    const json submitted = s.seller.call_assistant("demand.submit", demand.dump());
    CHECK_MESSAGE(is_asked(submitted), submitted.dump());
}
