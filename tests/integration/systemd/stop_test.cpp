// A stop in the middle of calls that are never answered.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/packet_proxy.h"
#include "tests/support/scripted_http.h"
#include "tests/support/temp_dir.h"

using namespace std::chrono_literals;
using a2h::platform::Account;
using a2h::test::Daemon;
using a2h::test::eventually;
using a2h::test::Market;
using a2h::test::Packet;
using a2h::test::PacketProxy;
using a2h::test::ScriptedHttp;
using a2h::test::TempDir;
using nlohmann::json;

namespace {

/// Far below the 10 s and more that each call has.
constexpr auto kStopMax = 3s;

bool is_asked(const ScriptedHttp& server, std::string_view request_line) {
    for (const auto& request : server.requests())
        if (request.head.starts_with(request_line)) return true;
    return false;
}

json publish_portrait(Daemon& daemon) {
    return daemon.call_assistant("works.publish", json{{"type", 3},
                                                       {"title", "Portrait"},
                                                       {"content", "An hour in the studio."},
                                                       {"expected_price", "90 CNY"},
                                                       {"service_method", "offline"},
                                                       {"service_location", "Hangzhou"}}
                                                      .dump());
}

}  // namespace

TEST_CASE("SIGTERM ends a2hd although answers of market and phone are outstanding") {
    const TempDir dir;
    ScriptedHttp silent(
        [](ScriptedHttp::Peer& peer, const ScriptedHttp::Request&) { peer.hang(); });
    Account account{silent.url(""), "ag_self", {}};
    account.keys.agent_key = "key";
    Daemon daemon(dir.path() / "home", {account}, "mqtt://127.0.0.1:1",
                  {.config = "[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = [\"phone\"]\n"
                             "[[channel]]\nname = \"phone\"\nkind = \"ntfy\"\nserver = \"" +
                             silent.url("") + "\"\ntopic = \"mine\"\nreply_topic = \"back\"\n"});
    const json asked = publish_portrait(daemon);
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    // The calls run on threads of three kinds: a listener, a notification worker and workers.
    REQUIRE(eventually([&] {
        return is_asked(silent, "GET /back/json") && is_asked(silent, "POST / ") &&
               is_asked(silent, "GET /findu-user/") && is_asked(silent, "POST /agent-service/");
    }));
    CHECK(daemon.process().stop(kStopMax) == 0);
}

TEST_CASE("a call that the market received while a2hd was stopped is neither lost nor made twice") {
    const TempDir dir;
    Market market(dir.path() / "market");
    const Account account = market.register_agent("seller");
    PacketProxy way(market.port(), PacketProxy::Content::Http);
    Account behind = account;
    behind.api_base = way.url();
    Daemon daemon(dir.path() / "home", {behind}, market.mqtt_url());
    REQUIRE(daemon.connected());
    const auto listed = [&] {
        const auto found = market.client(account).own_listings(std::nullopt, 1, 100);
        return found ? found->size() : 0;
    };

    const json asked = publish_portrait(daemon);
    const std::string id = asked["error"].value("approval_id", "");
    REQUIRE_MESSAGE(!id.empty(), asked.dump());
    way.hold([](const Packet& piece) { return !piece.from_client; });
    const json answer{{"approval_id", id}, {"decision", "approve"}, {"pin", Daemon::kPin}};
    REQUIRE(daemon.call_human("approval.answer", answer.dump())["ok"] == true);
    REQUIRE(eventually([&] { return listed() == 1; }));
    CHECK(daemon.process().stop(kStopMax) == 0);
    way.cut();
    way.release();

    daemon.start();
    const json found{{"approval_id", id}};
    REQUIRE_MESSAGE(eventually(
                        [&] {
                            const json all = daemon.call_human("approval.list", found.dump());
                            return all["data"]["approvals"][0]["outcome"] == "executed";
                        },
                        30s),
                    daemon.call_human("approval.list", found.dump()).dump());
    CHECK(listed() == 1);
}
