#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/mqtt/connection.h"
#include "tests/support/broker.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/packet_proxy.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;
using std::chrono::seconds;

namespace {

/// A seller whose connection to the broker goes through a proxy, and a buyer beside it. Intervals
/// of 30 and 20 s take 0.3 s here.
struct Ears {
    static DaemonOptions quick() {
        return {.config =
                    "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n"
                    "[notify]\nchannels = [\"terminal\"]\n",
                .environment = {{"A2H_CANARY_INTERVAL_MS", std::to_string(kSlowdown * 300)},
                                {"A2H_CANARY_PATIENCE_MS", std::to_string(kSlowdown * 300)}}};
    }

    /// `own_broker`: instead of the market's, because its access rules can be changed.
    explicit Ears(std::uint16_t own_broker = 0)
        : proxy(own_broker != 0 ? own_broker : market.broker_port()),
          seller(dir.path() / "seller", {account}, proxy.uri(), quick()) {
        REQUIRE(seller.connected());
        REQUIRE(heard_well());
    }

    bool heard_well() {
        return eventually(
            [this] {
                const json status = seller.status();
                return status["last_self_test"]["ok"] == true && !has_problem("mqtt.deaf");
            },
            seconds(20));
    }
    bool has_problem(std::string_view code) {
        const json status = seller.status();
        for (const json& problem : status.value("problems", json::array())) {
            if (problem["code"] == code) return true;
        }
        return false;
    }
    /// Number of events of this kind.
    int events(std::string_view kind) {
        const json listed = seller.call_human("events.list", R"({"limit":1000})");
        int count = 0;
        for (const json& event : listed["data"]["events"])
            count += event["kind"] == kind ? 1 : 0;
        return count;
    }
    bool comes(std::string_view kind) {
        return eventually([&] { return events(kind) > 0; }, seconds(20));
    }
    /// Number of notifications of this kind.
    int told(std::string_view kind) {
        const json listed = seller.call_human("notify.list");
        int count = 0;
        for (const json& row : listed["data"]["items"])
            count += row["kind"] == kind ? 1 : 0;
        return count;
    }

    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account account = market.register_agent("seller");
    PacketProxy proxy;
    Daemon seller;
};

/// MQTT's UNSUBSCRIBE, with a packet id that Paho does not come to in a test.
std::string unsubscribe(const std::string& topic) {
    std::string body{'\x7f', '\xff', '\0', static_cast<char>(topic.size())};
    body += topic;
    return std::string{'\xa2', static_cast<char>(body.size())} + body;
}

}  // namespace

TEST_CASE("a connection that swallows everything is noticed, made anew, and mail comes again") {
    Ears s;
    s.proxy.hold([](const Packet& packet) { return packet.connection == 0; });
    Daemon buyer(s.dir.path() / "buyer", {s.market.register_agent("buyer")}, s.market.mqtt_url());
    REQUIRE(buyer.connected());
    const json sent = buyer.call_assistant(
        "send", json{{"target_agent_id", s.account.agent_id}, {"text", "Hello!"}}.dump());
    REQUIRE_MESSAGE(sent["ok"] == true, sent.dump());
    REQUIRE_MESSAGE(s.comes("listening.deaf"), s.seller.log());
    REQUIRE_MESSAGE(s.comes("listening.healed"), s.seller.log());
    CHECK(s.heard_well());
    CHECK(eventually([&] { return s.seller.status()["counts"]["received"] == 1; }));
    CHECK(eventually([&] { return s.told("listening.healed") == 1; }));
    CHECK(s.seller.status()["connection"]["reconnects"] == 1);
}

TEST_CASE("a subscription that the broker forgot is noticed while the connection lives") {
    Ears s;
    s.proxy.say_as_client(0, unsubscribe(mqtt::receive_topic(s.account.agent_id)));
    REQUIRE_MESSAGE(s.comes("listening.deaf"), s.seller.log());
    REQUIRE_MESSAGE(s.comes("listening.healed"), s.seller.log());
    CHECK(s.heard_well());
    CHECK(s.proxy.count(true, PacketType::Subscribe) == 2);
}

TEST_CASE("access rules that block mail are reported, and so is their correction") {
    const TempDir dir;
    const auto rules = dir.path() / "rules";
    std::ofstream(rules) << "pattern readwrite #\n";
    Broker broker(dir.path() / "broker", "acl_file " + rules.string() + "\n");
    Ears s(broker.port());
    std::ofstream(rules) << "pattern write #\n";
    broker.process().signal(SIGHUP);
    REQUIRE_MESSAGE(eventually([&] { return s.told("listening.deaf") == 1; }, seconds(20)),
                    s.seller.log());
    CHECK(eventually([&] { return s.has_problem("mqtt.deaf"); }));
    CHECK(s.told("listening.healed") == 0);
    std::ofstream(rules) << "pattern readwrite #\n";
    broker.process().signal(SIGHUP);
    REQUIRE_MESSAGE(s.comes("listening.healed"), s.seller.log());
    CHECK(s.heard_well());
    CHECK(eventually([&] { return s.told("listening.healed") == 1; }));
    CHECK(s.events("listening.deaf") == 1);
    CHECK(s.told("listening.deaf") == 1);
}

TEST_CASE("a broker that lost every session and subscription is subscribed to again") {
    const TempDir dir;
    Broker broker(dir.path() / "broker", "persistence false\n");
    Ears s(broker.port());
    broker.kill();
    broker.start();
    REQUIRE(eventually([&] { return s.seller.status()["connection"]["session_lost"] == 1; },
                       seconds(20)));
    CHECK(s.heard_well());
}

TEST_CASE("an agent whose self-test messages arrive makes no new connection") {
    Ears s;
    const auto published = s.proxy.count(true, PacketType::Publish);
    REQUIRE(eventually([&] { return s.proxy.count(true, PacketType::Publish) > published + 5; },
                       seconds(20)));
    CHECK(s.proxy.count(true, PacketType::Connect) == 1);
    CHECK(s.events("listening.deaf") == 0);
    CHECK(s.told("listening.healed") == 0);
}
