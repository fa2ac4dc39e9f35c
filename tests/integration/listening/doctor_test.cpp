#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/packet_proxy.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// A real a2hd with a real market and broker, and `a2h doctor` beside it.
struct Clinic {
    explicit Clinic(const std::string& notify = "channels = []\n")
        : proxy(market.broker_port()),
          daemon(
              dir.path() / "home", {market.register_agent("seller")}, proxy.uri(),
              {.config = "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\n" + notify,
               .environment = {{"A2H_CANARY_PATIENCE_MS", std::to_string(kSlowdown * 500)}}}) {
        REQUIRE(daemon.connected());
    }

    struct Seen {
        int status = -1;
        std::map<std::string, std::string> states;  ///< the last of each check
        json data;
    };
    Seen doctor(std::vector<std::string> options = {}) {
        options.insert(options.begin(),
                       {A2H_BIN_DIR "/a2h", "doctor", "--json", "--home", daemon.home().string()});
        const Ran ran = run(options, {{"LC_ALL", "C.UTF-8"}});
        const json envelope = json::parse(ran.out, nullptr, false);
        REQUIRE_MESSAGE(envelope.is_object(), (ran.out + ran.err));
        REQUIRE_MESSAGE(envelope["ok"] == true, envelope.dump());
        Seen seen{ran.status, {}, envelope["data"]};
        for (const json& line : seen.data["checks"])
            seen.states[line["check"]] = line["state"];
        return seen;
    }
    Ran words(const std::string& language) {
        return run({A2H_BIN_DIR "/a2h", "doctor", "--home", daemon.home().string()},
                   {{"LC_ALL", language}});
    }

    TempDir dir;
    Market market{dir.path() / "market"};
    PacketProxy proxy;
    Daemon daemon;
};

/// What differs between two looks.
std::map<std::string, std::string> changed(const Clinic::Seen& before, const Clinic::Seen& after) {
    std::map<std::string, std::string> changes;
    for (const auto& [check, state] : after.states) {
        const auto was = before.states.find(check);
        if (was == before.states.end() || was->second != state) changes[check] = state;
    }
    return changes;
}

using Changes = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("a healthy home has one line a check, and only the missing channel to be looked at") {
    Clinic c;
    auto seen = c.doctor();
    CHECK(seen.status == 3);
    for (const auto& [check, state] : seen.states)
        CHECK_MESSAGE(state == (check == "channels" ? "warning" : "ok"), check);
    CHECK(seen.states.size() == 25);
    CHECK(seen.data["counts"]["warning"] == 1);
}

TEST_CASE("a canary that is swallowed fails just its line, and nothing is measured on its way") {
    Clinic c;
    const auto before = c.doctor();
    c.proxy.hold([](const Packet& packet) {
        return !packet.from_client && packet.type == PacketType::Publish;
    });
    const auto after = c.doctor();
    CHECK(after.status == 4);
    CHECK(changed(before, after) ==
          Changes{{"round_trip", "failed"}, {"clock_broker", "not_checked"}});
}

TEST_CASE("channels are tried when that is asked for, and only then") {
    Clinic c(
        "channels = [\"webhook\"]\nwebhook_url = \"http://127.0.0.1:9/hook\"\n"
        "webhook_secret = \"0123456789abcdef\"\n");
    CHECK(c.doctor().states["channels"] == "not_checked");
    auto tried = c.doctor({"--notify"});
    CHECK(tried.states["channels"] == "failed");
    CHECK(tried.status == 4);
}

TEST_CASE("a market that is away fails its lines, and no other") {
    Clinic c;
    const auto before = c.doctor();
    c.market.stop_market();
    const auto after = c.doctor();
    CHECK(after.status == 4);
    CHECK(changed(before, after) == Changes{{"market", "failed"},
                                            {"registration", "not_checked"},
                                            {"token", "failed"},
                                            {"clock_market", "not_checked"},
                                            {"versions", "not_checked"}});
}

TEST_CASE("without a2hd the doctor looks all the same, and says what needs one") {
    Clinic c;
    const auto before = c.doctor();
    c.daemon.stop();
    const auto after = c.doctor();
    CHECK(after.status == 3);
    CHECK(changed(before, after) == Changes{{"connection", "not_checked"},
                                            {"other_instance", "not_checked"},
                                            {"round_trip", "not_checked"},
                                            {"clock_broker", "not_checked"}});
    c.daemon.start();
}

TEST_CASE("where a2hd does not start, the home says why") {
    Clinic c;
    c.daemon.stop();
    const auto human = c.daemon.home() / "human.json";
    std::filesystem::permissions(human, std::filesystem::perms::others_read,
                                 std::filesystem::perm_options::add);
    auto seen = c.doctor();
    CHECK(seen.status == 4);
    CHECK(seen.states["permissions"] == "failed");
    CHECK(seen.states["daemon"] == "failed");
    CHECK(seen.states["identity"] == "ok");
    std::filesystem::permissions(human, std::filesystem::perms::others_all,
                                 std::filesystem::perm_options::remove);
    c.daemon.start();
}

TEST_CASE("the doctor speaks English and Chinese") {
    Clinic c;
    const Ran english = c.words("en_US.UTF-8");
    CHECK(english.status == 3);
    CHECK(english.out.find("Certificates (TLS)") != std::string::npos);
    CHECK(english.out.find("to look at") != std::string::npos);
    const Ran chinese = c.words("zh_CN.UTF-8");
    CHECK(chinese.status == 3);
    CHECK(chinese.out.find("证书（TLS）") != std::string::npos);
    CHECK(chinese.out.find("正常") != std::string::npos);
    CHECK(chinese.out.find(" ok") == std::string::npos);
}
