// A negotiation of nine owners, each with an a2hd of their own. They join by mandate and agree to
// the plan themselves, because it contains words; the requester's a2hd is killed after each of its
// commits.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/control/client.h"
#include "core/control/home.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr int kParticipants = 8;
constexpr int kLivesMax = 20;

/// An agent that brings one thing, and whose human has permitted joining without a question.
struct Owner {
    platform::Account account;
    std::unique_ptr<Daemon> daemon;

    Owner(Market& market, const TempDir& dir, const std::string& name)
        : account(market.register_agent(name)) {
        daemon = std::make_unique<Daemon>(
            dir.path() / name, std::vector{account}, market.mqtt_url(),
            Daemon::Options{.config = "[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
                                      "[negotiation]\ncontribution = \"" +
                                      name + " for the whole evening\"\n"});
        const json mandate{{"action", "demand.join"},
                           {"currency", "CNY"},
                           {"count_per_day", 100},
                           {"pin", Daemon::kPin}};
        const json given = daemon->call_human("mandate.give", mandate.dump());
        REQUIRE_MESSAGE(given["ok"] == true, given.dump());
    }
    /// A plan contains words, to which a mandate does not agree.
    void agree_to_plan() {
        const json open = daemon->call_human("approval.list", R"({"status":"pending"})");
        for (const json& card : open["data"]["approvals"]) {
            REQUIRE(card["action"] == "demand.accept");
            const json yes{{"approval_id", card["approval_id"]},
                           {"decision", "approve"},
                           {"pin", Daemon::kPin}};
            daemon->call_human("approval.answer", yes.dump());
        }
    }
    /// Messages of this type that were decided about.
    int received(const std::string& type) {
        const std::string events = daemon->call_human("events.list", R"({"limit":500})").dump();
        const std::string wanted = "\"message_type\":\"" + type + "\"";
        int count = 0;
        for (auto at = events.find(wanted); at != std::string::npos;
             at = events.find(wanted, at + 1))
            ++count;
        return count;
    }
};

/// The answer may never come, because a2hd is killed by the call.
void submit_to(const std::filesystem::path& home, const json& invited) {
    std::unique_ptr<control::Client> client;
    REQUIRE(eventually([&] {
        auto connected = control::Client::connect(control::Home{home}.socket_file());
        if (connected) client = std::move(*connected);
        return client != nullptr;
    }));
    const json arguments{{"face", "human"},
                         {"proof", {{"pin", test::Daemon::kPin}}},
                         {"raw_input", "An evening with eight parts"},
                         {"invite", invited}};
    static_cast<void>(client->call("demand.submit", arguments.dump(), std::chrono::seconds(10)));
}

}  // namespace

TEST_CASE("nine daemons agree, though the requester's is killed after every commit") {
    TempDir dir;
    Market market(dir.path() / "market");
    std::vector<std::unique_ptr<Owner>> owners;
    json invited = json::array();
    for (int i = 0; i < kParticipants; ++i) {
        owners.push_back(std::make_unique<Owner>(market, dir, "part" + std::to_string(i)));
        invited.push_back(owners.back()->account.agent_id);
    }
    const auto requester = market.register_agent("requester");
    Daemon daemon(dir.path() / "requester", {requester}, market.mqtt_url());
    REQUIRE(daemon.connected());
    for (auto& owner : owners)
        REQUIRE(owner->daemon->connected());
    daemon.stop();
    const auto everybody_knows = [&] {
        return std::all_of(owners.begin(), owners.end(), [](const auto& owner) {
            return owner->received("negotiation_ended") == 1;
        });
    };
    int deaths = 0;
    for (int life = 0; life < kLivesMax && !everybody_knows(); ++life) {
        Process doomed({.argv = {A2H_BIN_DIR "/a2hd", "--home", daemon.home().string()},
                        .environment = {{"A2H_FAULT_POINT", "demand.10:1"}},
                        .stdout_file = dir.path() / "a2hd.out",
                        .stderr_file = dir.path() / "a2hd.log",
                        .pipe_stdin = false});
        if (life == 0) submit_to(daemon.home(), invited);
        bool died = false;
        REQUIRE(eventually([&] {
            for (auto& owner : owners)
                owner->agree_to_plan();
            died = doomed.wait(std::chrono::milliseconds(0)).has_value();
            return died || everybody_knows();
        }));
        deaths += died;
        if (!died) doomed.kill();
    }
    daemon.start();
    const json list = daemon.call_human("negotiation.list")["data"]["items"];
    REQUIRE(list.size() == 1);
    const json arguments{{"demand_id", list[0]["demand_id"]}};
    const auto view = [&] {
        return daemon.call_human("negotiation.get", arguments.dump())["data"];
    };
    CHECK(view()["state"] == "finalized");
    // Invited, collected, planned, handed out, evaluated, concluded; on a slow machine a step that
    // only waits may be among them.
    CHECK(deaths >= 6);
    CHECK(view()["outcome"] == "agreed");
    CHECK(view()["round"] == 1);
    for (auto& owner : owners) {
        CAPTURE(owner->account.agent_id);
        REQUIRE(eventually([&] { return owner->received("negotiation_ended") == 1; }));
        CHECK(owner->received("demand_offer") == 1);
        CHECK(owner->received("proposal_review") == 1);
    }
}
