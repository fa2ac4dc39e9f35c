// Actions that depend on a peer's mail wait until the mail at the broker was read, also while the
// connection stands but delivers nothing.

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/packet_proxy.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// A seller and a buyer. What the broker delivers to the seller can be held up.
struct Backlog {
    Backlog() {
        REQUIRE(seller.connected());
        REQUIRE(buyer.connected());
    }

    static json say(Daemon& daemon, const platform::Account& to, const std::string& text) {
        return daemon.call_assistant("send",
                                     json{{"target_agent_id", to.agent_id}, {"text", text}}.dump());
    }
    static json approve(Daemon& daemon, const std::string& id) {
        return daemon.call_human(
            "approval.answer",
            json{{"approval_id", id}, {"decision", "approve"}, {"pin", Daemon::kPin}}.dump());
    }
    /// The buyer's human has said yes to it, if it needed one.
    void buyer_says(const std::string& text) {
        const json sent = say(buyer, seller_account, text);
        if (sent["ok"] == true) return;
        const json answered = approve(buyer, sent["error"]["approval_id"]);
        REQUIRE_MESSAGE(answered["ok"] == true, answered.dump());
    }
    json seller_says(const std::string& text) { return say(seller, buyer_account, text); }
    bool seller_received(int count) {
        return eventually([&] { return seller.status()["counts"]["received"] == count; });
    }
    /// From now on the broker delivers nothing to the seller.
    void hold_up() {
        proxy.hold([](const Packet& packet) {
            return !packet.from_client && packet.type == PacketType::Publish;
        });
    }
    bool is_held_up() {
        return eventually([&] { return proxy.held() > 0; });
    }
    json status_of(const std::string& approval_id) {
        const json listed =
            seller.call_human("approval.list", json{{"approval_id", approval_id}}.dump());
        return listed["data"]["approvals"][0]["status"];
    }
    bool has_left(const std::string& text) {
        return seller.call_human("outbox.list").dump().find(text) != std::string::npos;
    }

    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account seller_account = market.register_agent("seller");
    platform::Account buyer_account = market.register_agent("buyer");
    PacketProxy proxy{market.broker_port()};
    Daemon seller{dir.path() / "seller", {seller_account}, proxy.uri()};
    Daemon buyer{dir.path() / "buyer", {buyer_account}, market.mqtt_url()};
};

}  // namespace

TEST_CASE("R46: a yes counts only after the mail at the broker was read") {
    Backlog s;
    s.buyer_says("Would you take 250 CNY for the portrait?");
    REQUIRE(s.seller_received(1));
    const json asked = s.seller_says("I agree to 250 CNY.");
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    const std::string id = asked["error"]["approval_id"];
    s.hold_up();
    s.buyer_says("I take my offer of 250 CNY back.");
    REQUIRE(s.is_held_up());

    const json early = Backlog::approve(s.seller, id);
    CHECK_MESSAGE(
        early["error"]["message"].dump().find("mail is still being read") != std::string::npos,
        early.dump());
    CHECK(s.status_of(id) == "pending");

    s.proxy.release();
    REQUIRE(s.seller_received(2));
    REQUIRE(eventually([&] { return s.seller.status()["backlog"]["undecided"] == 0; }));
    const json late = Backlog::approve(s.seller, id);
    CHECK_MESSAGE(late["ok"] == false, late.dump());
    CHECK_FALSE(s.has_left("I agree to 250 CNY."));
}

TEST_CASE("R46: a no needs no mail to be read") {
    Backlog s;
    const json asked = s.seller_says("I agree to 250 CNY.");
    const std::string id = asked["error"]["approval_id"];
    s.hold_up();
    const json answered = s.seller.call_human(
        "approval.answer",
        json{{"approval_id", id}, {"decision", "reject"}, {"pin", Daemon::kPin}}.dump());
    CHECK_MESSAGE(answered["ok"] == true, answered.dump());
    CHECK(s.status_of(id) == "rejected");
}

TEST_CASE("R46: a text waits for the mail that the broker has not delivered yet") {
    Backlog s;
    s.hold_up();
    s.buyer_says("Greet me if you take 250 CNY for it.");
    REQUIRE(s.is_held_up());
    std::thread later;
    SUBCASE("and that does not come") {}
    SUBCASE("and that comes") {
        later = std::thread([&s] {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            s.proxy.release();
        });
    }
    const json held = s.seller_says("Good morning!");
    if (later.joinable()) later.join();
    CHECK_MESSAGE(held["error"].contains("approval_id"), held.dump());
    CHECK_FALSE(s.has_left("Good morning!"));
}
