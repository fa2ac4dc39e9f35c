// The clock of a2hd's machine is set by hours while mail arrives. The market refuses requests that
// are signed with such a clock, so operations that need the market wait until the clock is right;
// mail goes on.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/store/outbox_store.h"
#include "tests/integration/crash/world.h"
#include "tests/support/packet_proxy.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr hours kJump{5};
/// Fast enough that back-off costs no real time, slow enough for disk and network.
constexpr int kRate = 20;

struct Clocked {
    World world;
    const platform::Account seller = world.new_seller("seller");
    Buyer buyer{world.market(), "buyer"};
    PacketProxy proxy{world.market().broker_port()};
    ProcessClock clock{world.dir() / "clock"};
    Daemon daemon{world.home(), {seller}, proxy.uri(), world.options(clock)};

    Clocked() {
        REQUIRE(wait_until_ready(daemon, {seller}));
        ask(1);
        REQUIRE(buyer.wait_for_replies());
        clock.run_at(kRate);
    }
    void ask(int questions) {
        for (int i = 0; i < questions; ++i)
            buyer.ask(seller.agent_id);
    }
    /// Waits until a2hd's clocks have advanced by `time`.
    bool live(seconds time) {
        const milliseconds end = clock.elapsed() + time;
        return eventually([&] { return clock.elapsed() >= end; }, time);
    }
    std::string state_of(const std::string& approval_id) {
        const auto found =
            daemon.call_human("approval.list", R"({"approval_id":")" + approval_id + R"("})");
        REQUIRE_MESSAGE(found.value("ok", false), found.dump());
        return found["data"]["approvals"][0]["status"];
    }
};

}  // namespace

TEST_CASE("a clock that is hours wrong, forward and back, loses no mail and stops nothing") {
    Clocked scene;
    for (const auto jump : {kJump, -2 * kJump, kJump}) {
        CAPTURE(jump.count());
        scene.clock.jump(jump);
        scene.ask(20);
        CHECK(scene.buyer.wait_for_replies());
        // The next connection is made while the clock is wrong.
        const auto connects = scene.proxy.count(true, PacketType::Connect);
        scene.proxy.cut();
        scene.ask(20);
        CHECK(scene.buyer.wait_for_replies());
        CHECK(scene.proxy.count(true, PacketType::Connect) > connects);
    }
    check_nothing_lost(scene.world, {scene.seller}, scene.buyer);
    CHECK(eventually([&] { return scene.daemon.status()["last_self_test"].value("ok", false); },
                     seconds(30)));
    CHECK(eventually([&] { return scene.daemon.status()["lease"]["standing"] == "leading"; },
                     seconds(30)));
}

TEST_CASE("a reply that waits for another try is sent soon after the clock is set back") {
    Clocked scene;
    scene.proxy.hold([](const Packet& packet) {
        return packet.from_client && packet.type == PacketType::Publish;
    });
    scene.ask(1);
    REQUIRE(eventually([&] {
        scene.buyer.pump(milliseconds(5));
        return scene.proxy.held() > 0;
    }));
    scene.proxy.refuse(true);
    scene.proxy.cut();
    const auto db = scene.world.database();
    REQUIRE(eventually([&] {
        const auto queued = store::list_outbox(*db, scene.seller.agent_id, OutboxState::Queued, 10);
        return queued->size() == 1 && queued->front().attempts > 0;
    }));
    scene.clock.jump(-kJump);
    scene.proxy.release();
    scene.proxy.refuse(false);
    CHECK(scene.buyer.wait_for_replies());
    check_nothing_lost(scene.world, {scene.seller}, scene.buyer);
}

TEST_CASE(
    "a question to the human ends at its time by the clock, not before, and releases nothing") {
    Clocked scene;
    const std::string question = R"({"peer_id":")" + scene.buyer.agent_id() +
                                 R"(","question":"Shall I?","reply_text":"Yes, for 280."})";
    const auto asked = scene.daemon.call_assistant("approval.create", question);
    REQUIRE_MESSAGE(asked.value("ok", false), asked.dump());
    const std::string id = asked["data"]["approval_id"];
    for (const auto jump : {kJump, -2 * kJump, kJump}) {
        scene.clock.jump(jump);
        REQUIRE(scene.live(seconds(30)));  // what ends by time is looked for every 10 s
        CHECK(scene.state_of(id) == "pending");
    }
    scene.clock.jump(hours(24));
    CHECK(eventually([&] { return scene.state_of(id) == "expired"; }, seconds(30)));
    scene.clock.jump(-hours(24));
    REQUIRE(scene.live(seconds(30)));
    CHECK(scene.state_of(id) == "expired");
    check_nothing_lost(scene.world, {scene.seller}, scene.buyer);
}
