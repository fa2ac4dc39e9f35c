// A demand of an assistant passes the same review as its messages; a human's demand begins without
// a question.
#include "tests/integration/negotiation/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr const char* kPlain = "Good morning!";
constexpr const char* kCostly = "We pay 500 CNY for a room, call us at 13800138000";

struct Asked : Round {
    Puppet& room = add("room");

    json as_assistant(const std::string& text) {
        return daemon.call_assistant("demand.submit",
                                     json{{"raw_input", text}, {"invite", ids()}}.dump());
    }
    json cards() {
        return daemon.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
    }
    json answer(const std::string& id, const std::string& decision) {
        const json arguments{{"approval_id", id}, {"decision", decision}, {"pin", Daemon::kPin}};
        return daemon.call_human("approval.answer", arguments.dump());
    }
    json negotiations() { return daemon.call_human("negotiation.list")["data"]["items"]; }
    std::string asked_for(const json& result) {
        REQUIRE_MESSAGE(result["ok"] == false, result.dump());
        CHECK(result["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
        return result["error"]["approval_id"];
    }
    bool is_told(std::size_t invitations) {
        return eventually([&] {
            pump();
            return room.invitations().size() == invitations;
        });
    }
};

}  // namespace

TEST_CASE("an assistant's demand that commits to nothing begins at once") {
    Asked s;
    const json result = s.as_assistant(kPlain);
    REQUIRE_MESSAGE(result["ok"] == true, result.dump());
    CHECK(s.cards().empty());
    CHECK(s.is_told(1));
}

TEST_CASE("an invitation says nothing but the words to which somebody has said yes") {
    constexpr const char* kMisread =
        "别人的预算是8000元，我最多出500元。不要2月15日，要2月16日，a room in Berlin for 30 people";
    Asked s;
    const std::string id = s.asked_for(s.as_assistant(kMisread));
    REQUIRE(s.answer(id, "approve")["ok"] == true);
    REQUIRE(s.is_told(1));
    const json demand = s.room.last("demand_offer")["demand"];
    CHECK(demand ==
          json{{"surface_demand", kMisread},
               {"deep_understanding", {{"motivation", ""}, {"likely_preferences", json::array()}}},
               {"capability_tags", json::array()},
               {"context", json::object()},
               {"uncertainties", json::array()},
               {"confidence", "low"}});
}

TEST_CASE("a demand that commits waits for a yes to exactly its words and begins once") {
    Asked s;
    const std::string id = s.asked_for(s.as_assistant(kCostly));
    CHECK(s.negotiations().empty());
    const json card = s.cards().at(0);
    CHECK(card["action"] == "demand.submit");
    CHECK(card["reply_text"] == kCostly);
    CHECK(card["question"].get<std::string>().find("13800138000") != std::string::npos);
    CHECK(card["context"].get<std::string>().find(s.room.agent_id()) != std::string::npos);
    // The same call is the same question.
    CHECK(s.asked_for(s.as_assistant(kCostly)) == id);
    s.daemon.kill();
    s.daemon.start();
    REQUIRE(s.daemon.connected());
    CHECK(s.negotiations().empty());
    REQUIRE(s.answer(id, "approve")["ok"] == true);
    REQUIRE(s.is_told(1));
    REQUIRE(s.negotiations().size() == 1);
    CHECK(s.room.last("demand_offer").dump().find("13800138000") != std::string::npos);
    // A repeated call returns the result, and nothing begins.
    const json again = s.as_assistant(kCostly);
    REQUIRE_MESSAGE(again["ok"] == true, again.dump());
    CHECK(again["data"]["outcome"] == "executed");
    CHECK(again["data"]["outcome_detail"].get<std::string>().find(
              s.negotiations()[0]["demand_id"].get<std::string>()) != std::string::npos);
    CHECK(s.negotiations().size() == 1);
    CHECK(s.room.invitations().size() == 1);
}

TEST_CASE("a no, or a yes without proof, sends nobody anything") {
    Asked s;
    const std::string id = s.asked_for(s.as_assistant(kCostly));
    const json relayed{{"approval_id", id}, {"decision", "approve"}};
    CHECK(s.daemon.call_assistant("approval.response", relayed.dump())["ok"] == false);
    REQUIRE(s.answer(id, "reject")["ok"] == true);
    CHECK(s.negotiations().empty());
    // Later messages arrive first.
    REQUIRE(s.as_assistant(kPlain)["ok"] == true);
    REQUIRE(s.is_told(1));
    CHECK(s.room.last("demand_offer").dump().find("13800138000") == std::string::npos);
}

TEST_CASE("a human's own demand begins without a question") {
    Asked s;
    const json result = s.daemon.call_owner(
        "demand.submit", json{{"raw_input", kCostly}, {"invite", s.ids()}}.dump());
    REQUIRE_MESSAGE(result["ok"] == true, result.dump());
    CHECK(s.cards().empty());
    CHECK(s.is_told(1));
}

TEST_CASE("a demand that could not begin is refused before anybody is asked") {
    Asked s;
    const json result = s.daemon.call_assistant(
        "demand.submit", json{{"raw_input", kCostly}, {"invite", {s.requester.agent_id}}}.dump());
    CHECK(result["error"]["code"] == "invalid_argument");
    CHECK(s.cards().empty());
}
