// The requester's a2hd is killed at every numbered step of a negotiation (A2H_FAULT_POINT) and
// starts again: it continues where it was, and sends no question or notice twice.
#include "tests/integration/negotiation/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

const json kUnhappy{{"feedback_type", "negotiate"}, {"adjustment_request", "again, please"}};
const json kAccept{{"feedback_type", "accept"}};

void check_asked_once(Round& round) {
    for (const auto& puppet : round.puppets) {
        CHECK(puppet->invitations().size() == 1);
        CHECK(puppet->reviews().size() == 2);
        for (const auto& [number, ids] : puppet->reviews()) {
            CAPTURE(number);
            CHECK(ids.size() == 1);
        }
        CHECK(puppet->endings().size() == 1);
    }
}

}  // namespace

TEST_CASE("killed at any step: it goes on where it was, and nobody is asked twice") {
    // Passes of point 10, after each commit, are the moments between the states.
    const std::vector<std::string> faults{
        "demand.3:1",  "demand.4:1",  "demand.5:1",  "demand.6:1",  "demand.7:1",
        "demand.8:1",  "demand.9:1",  "demand.9:5",  "demand.10:1", "demand.10:2",
        "demand.10:3", "demand.10:4", "demand.10:5", "demand.10:6", "demand.10:7"};
    Round round;
    for (int i = 0; i < 3; ++i) {
        round.add("one" + std::to_string(i),
                  {{{"decision", "participate"}, {"contribution", "a room"}}, {kUnhappy, kAccept}});
    }
    for (const std::string& fault : faults) {
        CAPTURE(fault);
        round.daemon.stop();
        auto doomed = round.start_doomed(fault);
        round.call_doomed("demand.submit",
                          {{"raw_input", "A room, please: " + fault}, {"invite", round.ids()}});
        REQUIRE_MESSAGE(eventually([&] {
                            round.pump();
                            return doomed->wait(std::chrono::milliseconds(0)).has_value();
                        }),
                        "a2hd never came to this step");
        round.daemon.start();
        REQUIRE(round.daemon.connected());
        const json list = round.daemon.call_human("negotiation.list")["data"];
        REQUIRE(list["items"].size() >= 1);
        const std::string demand = list["items"][0]["demand_id"];
        REQUIRE(round.until(demand, "finalized"));
        CHECK(round.view(demand)["round"] == 2);
        REQUIRE(round.until_told());
        check_asked_once(round);
        for (auto& puppet : round.puppets)
            puppet->forget();
    }
}
