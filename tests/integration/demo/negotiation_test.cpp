// The demo of a negotiation, whole and for real: a dozen a2hd, a market and a broker.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/integration/demo/running.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr auto kEnough = 240s;
constexpr std::string_view kDemoPinLine = "246810\n";  ///< cli/demo/place.h

/// The answer of `a2h --home … --json`.
json ask(const fs::path& home, std::vector<std::string> words, std::string_view input = {}) {
    words.insert(words.begin(), {kDemoProgram, "--home", home.string()});
    words.emplace_back("--json");
    const auto ran = test::run(words, {{"LC_ALL", "C.UTF-8"}}, input, kEnough);
    CAPTURE(ran.err);
    CAPTURE(ran.out);
    REQUIRE(ran.status == 0);
    return json::parse(ran.out)["data"];
}

/// Messages of each type and round that an agent has decided about.
std::map<std::string, int> received_at(const fs::path& home) {
    std::map<std::string, int> received;
    const json data = ask(home, {"events"});
    for (const json& event : data["events"]) {
        if (event["kind"] == "message.decided" && event.contains("detail"))
            ++received[event["detail"].value("message_type", "")];
    }
    return received;
}

std::vector<fs::path> homes_of_owners(const fs::path& temp) {
    std::vector<fs::path> homes;
    for (const auto& folder : fs::directory_iterator(temp)) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (entry.is_directory() && name.starts_with("owner")) homes.push_back(entry.path());
        }
    }
    return homes;
}

fs::path home_of_requester(const fs::path& temp) {
    for (const auto& folder : fs::directory_iterator(temp)) {
        if (fs::exists(folder.path() / "requester")) return folder.path() / "requester";
    }
    return {};
}

void check_final(const json& negotiation) {
    CHECK(negotiation["state"] == "finalized");
    CHECK(negotiation["outcome"] == "agreed");
    CHECK(negotiation["round"] == 2);
    std::set<std::string> accepted;
    for (const json& feedback : negotiation["rounds"][1]["feedback"]) {
        CHECK_FALSE(feedback.value("presumed", false));
        if (feedback["feedback_type"] == "accept") accepted.insert(feedback["agent_id"]);
    }
    std::set<std::string> parts;
    for (const json& part : negotiation["proposals"].back()["assignments"])
        parts.insert(part["agent_id"].get<std::string>());
    CHECK(parts.size() == 6);
    CHECK(parts == accepted);
    REQUIRE(negotiation["gaps"].size() == 1);
    int answered = 0;
    for (const json& candidate : negotiation["candidates"]) {
        CHECK(candidate["state"] != "silent");
        answered += candidate.contains("offer");
    }
    CHECK(answered >= 8);
}

}  // namespace

TEST_CASE("a party is planned by agents of many owners, in both languages, nothing left over") {
    for (const char* language : {"en_US.UTF-8", "zh_CN.UTF-8"}) {
        CAPTURE(language);
        const TempDir temp;
        const auto ran = test::run({kDemoProgram, "demo", "--negotiation", "--auto", "--json"},
                                   demo_environment(temp.path(), language), {}, kEnough);
        CAPTURE(ran.err);
        REQUIRE(ran.status == 0);
        const json data = json::parse(ran.out)["data"];
        check_final(data["negotiation"]);
        const auto has = [&](const json& step) {
            return std::find(data["steps"].begin(), data["steps"].end(), step) !=
                   data["steps"].end();
        };
        for (const char* step : {"started", "towow.demand.understood", "towow.filter.completed",
                                 "towow.offer.submitted", "towow.proposal.distributed",
                                 "towow.proposal.feedback", "towow.negotiation.round_started",
                                 "towow.proposal.finalized", "towow.gap.identified"}) {
            CAPTURE(step);
            CHECK(has(step));
        }
        CHECK((ran.err.find("AI 主题聚会") != std::string::npos) == (language[0] == 'z'));
        CHECK(ran.err.find('\x1b') == std::string::npos);
        CHECK(fs::is_empty(temp.path()));
    }
}

TEST_CASE("nobody is asked twice, the plan is kept, and Ctrl-C leaves nothing behind") {
    Running demo({"--negotiation"});
    demo.wait_for("Ctrl-C ends the demo", kEnough);
    const std::string told = demo.told();
    CHECK(told.find("/enter?t=") != std::string::npos);
    CHECK(told.find("a2h_negotiation_apply") != std::string::npos);

    const std::vector<fs::path> homes = homes_of_owners(demo.temp());
    REQUIRE(homes.size() >= 8);
    // Market, broker, the requester's a2hd, the others' one.
    CHECK(demo.children().size() == homes.size() + 4);
    int planned = 0;
    for (const fs::path& home : homes) {
        CAPTURE(home);
        std::map<std::string, int> received;
        CHECK(test::eventually([&] {
            received = received_at(home);
            return received["proposal_review"] == 0 || received["negotiation_ended"] == 1;
        }));
        CHECK(received["demand_offer"] == 1);
        const bool takes_part = received["proposal_review"] > 0;
        CHECK(received["proposal_review"] == (takes_part ? 2 : 0));  // one a round
        planned += takes_part;
    }
    CHECK(planned == 7);
    const fs::path requester = home_of_requester(demo.temp());
    const json list = ask(requester, {"negotiate", "list"});
    REQUIRE(list["items"].size() == 1);
    const std::string demand = list["items"][0]["demand_id"];
    check_final(ask(requester, {"negotiate", "show", demand}));
    // The next step that the demo suggests: six parts and a gap become questions of their own.
    const json real = ask(requester, {"negotiate", "apply", demand});
    CHECK(real["items"].size() == 7);

    // The step that the demo suggests to try: the same people, another plan.
    const json other = ask(
        requester, {"negotiate", "A venue and catering in Beijing for 30 people", "--pin-stdin"},
        kDemoPinLine);
    CHECK(other["state"] == "finalized");

    demo.signal(SIGINT);
    CHECK(demo.wait(120s) == 0);
    demo.check_nothing_is_left();
    CHECK(fs::is_empty(demo.temp()));
}

TEST_CASE("Ctrl-C while it starts leaves nothing either") {
    Running demo({"--negotiation"});
    demo.wait_for("market and broker run", kEnough);
    demo.signal(SIGINT);
    CHECK(demo.wait(120s) == 0);
    demo.check_nothing_is_left();
    CHECK(fs::is_empty(demo.temp()));
}

TEST_CASE("a program that is missing is named") {
    const TempDir temp;
    const TempDir alone;
    fs::copy(kDemoProgram, alone.path() / "a2h");
    std::map<std::string, std::string> environment = demo_environment(temp.path(), "en_US.UTF-8");
    environment["PATH"] = "";
    const auto ran = test::run({(alone.path() / "a2h").string(), "demo", "--negotiation", "--auto"},
                               environment, {}, 60s);
    CHECK(ran.status == 1);
    CHECK(ran.err.find("a2h-market is not installed") != std::string::npos);
    CHECK(fs::is_empty(temp.path()));
}
