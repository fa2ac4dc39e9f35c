// The rights of the owner: a caller that calls itself a person has no more rights than an
// assistant, unless it proves to be the owner.

#include <doctest/doctest.h>

#include <string>

#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

std::string code_of(const json& result) {
    return result.contains("error") ? result["error"].value("code", std::string()) : "ok";
}

json proved_by(json arguments, const std::string& pin) {
    arguments["proof"] = {{"pin", pin}};
    return arguments;
}

json demand_for(const Scene& s) {
    return {{"raw_input", "I pay 500 CNY for a portrait"}, {"invite", {s.buyer_account.agent_id}}};
}

}  // namespace

TEST_CASE("R59: a caller that says it is human sends nobody a demand without the PIN") {
    Scene s;
    const json demand = demand_for(s);
    CHECK(code_of(s.seller.call_human("demand.submit", demand.dump())) == "PIN_REQUIRED");
    CHECK(s.seller.call_human("negotiation.list")["data"]["items"].empty());
    CHECK(s.seller.call_human("approval.list")["data"]["approvals"].empty());
    const json guessed = proved_by(demand, "000000");
    CHECK(code_of(s.seller.call_human("demand.submit", guessed.dump())) == "PLATFORM_90005");
    CHECK(s.replies_to_buyer().empty());

    const json proved = s.seller.call_owner("demand.submit", demand.dump());
    REQUIRE_MESSAGE(proved["ok"] == true, proved.dump());
    CHECK(eventually([&] { return !s.replies_to_buyer().empty(); }));
    const json ended{{"demand_id", proved["data"]["demand_id"]}};
    CHECK(code_of(s.seller.call_human("negotiation.cancel", ended.dump())) == "PIN_REQUIRED");
    CHECK(s.seller.call_owner("negotiation.cancel", ended.dump())["ok"] == true);
}

TEST_CASE("R59: wrong PINs of a caller that says it is human lock the PIN") {
    Scene s;
    const json guess = proved_by(demand_for(s), "000000");
    for (int i = 0; i < 5; ++i)
        CHECK(s.seller.call_human("demand.submit", guess.dump())["ok"] == false);
    const json right = s.seller.call_owner("demand.submit", demand_for(s).dump());
    CHECK_MESSAGE(code_of(right) == "PLATFORM_401", right.dump());
    CHECK(s.replies_to_buyer().empty());
}

TEST_CASE("R59: a proof of the wrong shape proves nobody") {
    Scene s;
    for (const json& proof : {json("271828"), json(nullptr), json::array(), json::object(),
                              json{{"pin", 271828}}, json{{"pin", "271828"}, {"person", "nobody"}},
                              json{{"pin", ""}}, json{{"session", "271828"}}}) {
        json call = demand_for(s);
        call["proof"] = proof;
        const json result = s.seller.call_human("demand.submit", call.dump());
        CHECK_MESSAGE(result["ok"] == false, proof.dump() << result.dump());
    }
    CHECK(s.replies_to_buyer().empty());
}

TEST_CASE("R59: an assistant can neither prove to be the owner nor lock the PIN") {
    Scene s;
    const json demand = demand_for(s);
    for (int i = 0; i < 6; ++i)
        s.seller.call_assistant("status", proved_by(json::object(), "000000").dump());
    const json right = proved_by(demand, std::string(Daemon::kPin));
    const json asked = s.seller.call_assistant("demand.submit", right.dump());
    CHECK_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    CHECK(s.seller.call_human("negotiation.list")["data"]["items"].empty());
    CHECK(s.seller.call_owner("demand.submit", demand.dump())["ok"] == true);
}

TEST_CASE("R59: queued mail is sent again or dropped only by the proved owner") {
    Scene s;
    const json all{{"all_held", true}};
    for (const char* action : {"outbox.requeue", "outbox.drop"}) {
        CHECK(code_of(s.seller.call_human(action, all.dump())) == "PIN_REQUIRED");
        CHECK(s.seller.call_owner(action, all.dump())["ok"] == true);
        CHECK(s.seller.call_assistant(
                  action, proved_by(all, std::string(Daemon::kPin)).dump())["ok"] == false);
    }
}

TEST_CASE("R59: a caller that says it is human has the twenty open questions of assistants") {
    Scene s;
    for (int i = 0; i < 20; ++i) {
        const json question{{"peer_id", s.buyer_account.agent_id},
                            {"question", "Is number " + std::to_string(i) + " right?"}};
        CHECK(s.seller.call_human("approval.create", question.dump())["ok"] == true);
    }
    const json one_more{{"peer_id", s.buyer_account.agent_id}, {"question", "And this?"}};
    CHECK(s.seller.call_human("approval.create", one_more.dump())["ok"] == false);
}

TEST_CASE("R59: a caller that says it is human is asked like the assistant by the owner's choice") {
    Scene s({.config = "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = "
                       "[\"terminal\"]\n[send]\nassistant = \"ask\"\n"});
    const json hello{{"target_agent_id", s.buyer_account.agent_id}, {"text", "Good morning!"}};
    const json said = s.seller.call_human("send", hello.dump());
    REQUIRE_MESSAGE(said["error"].contains("approval_id"), said.dump());
    CHECK(s.replies_to_buyer().empty());
    const json named{{"approval_id", said["error"]["approval_id"]}};
    const json shown = s.seller.call_human("approval.list", named.dump())["data"]["approvals"][0];
    CHECK(shown["requested_by"] == "tool:terminal/send");
    CHECK(shown.dump().find("assistant wants") == std::string::npos);
}

TEST_CASE("R59: a2h asks for the PIN where the owner's own word is needed") {
    Scene s;
    const std::string buyer = s.buyer_account.agent_id;
    const Ran refused =
        s.seller.a2h({"negotiate", "A portrait, please", "--invite", buyer, "--no-follow"});
    CHECK_MESSAGE(refused.status != 0, refused.out);
    CHECK(s.seller.call_human("negotiation.list")["data"]["items"].empty());
    const Ran begun = s.seller.a2h(
        {"negotiate", "A portrait, please", "--invite", buyer, "--no-follow", "--pin-stdin"},
        std::string(Daemon::kPin) + "\n");
    CHECK_MESSAGE(begun.status == 0, begun.out << begun.err);
    CHECK(s.seller.call_human("negotiation.list")["data"]["items"].size() == 1);
}
