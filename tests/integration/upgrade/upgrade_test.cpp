// A home, a backup and a market that an older version has left behind open and work. `make` beside
// this file makes such a fixture.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/platform/identity.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kFixture = A2H_SOURCE_DIR "/tests/integration/upgrade/2026-11-57a51b2.tar.gz";

constexpr const char* kOffer = "Would you do it for 250 CNY?";

struct Left {
    TempDir dir;

    Left() {
        const Ran ran = run({"tar", "-xzf", kFixture, "-C", dir.path().string()});
        REQUIRE_MESSAGE(ran.status == 0, ran.err);
    }
    /// Takes the seller out of its home, to be put back for the market where it is now.
    platform::Account take_seller(const Market& market) const {
        const auto identities = platform::load_agents(dir.path() / "home" / "agents");
        REQUIRE(identities);
        REQUIRE(identities->size() == 1);
        platform::Account account = identities->front().account;
        account.api_base = market.url();
        fs::remove_all(dir.path() / "home" / "agents");
        fs::remove(dir.path() / "home" / "human.json");
        return account;
    }
    /// The program `a2h` on the home `name`; what its JSON says.
    json a2h(const std::string& name, std::vector<std::string> words) const {
        words.insert(words.begin(), A2H_BIN_DIR "/a2h");
        const Ran ran = run(std::move(words), {{"LC_ALL", "en_US.UTF-8"},
                                               {"A2H_HOME", (dir.path() / name).string()}});
        REQUIRE_MESSAGE(ran.status == 0, (ran.out + ran.err));
        return json::parse(ran.out);
    }
};

bool holds(const json& data, const std::string& text) {
    return data.dump().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a home and a market of the version before open and work") {
    Left left;
    Market market(left.dir.path() / "market");
    Daemon seller(left.dir.path() / "home", {left.take_seller(market)}, market.mqtt_url());
    Daemon buyer(left.dir.path() / "buyer", {market.register_agent("buyer")}, market.mqtt_url());
    REQUIRE(seller.connected());
    REQUIRE(buyer.connected());

    const json conversations = seller.call_human("inbox.list")["data"]["conversations"];
    REQUIRE(conversations.size() == 1);
    const json buyer_before{{"peer_id", conversations[0]["peer_id"]}};
    CHECK(holds(seller.call_human("inbox.history", buyer_before.dump()), kOffer));
    const json approvals = seller.call_human("approval.list")["data"]["approvals"];
    CHECK(approvals.size() == 3);
    CHECK(holds(approvals, "offers 250.00 CNY"));
    const json mandates = seller.call_human("mandate.list", R"({"all":true})")["data"];
    CHECK(mandates["mandates"].size() == 1);
    CHECK(
        eventually([&] { return holds(seller.call_assistant("works.list"), "Portrait session"); }));

    const std::string seller_id = seller.status()["agent_id"];
    const json question{{"target_agent_id", seller_id},
                        {"text", "How much is the portrait session?"}};
    const json sent = buyer.call_assistant("send", question.dump());
    REQUIRE_MESSAGE(sent["ok"] == true, sent.dump());
    const json peer{{"peer_id", seller_id}};
    CHECK(eventually([&] { return holds(buyer.call_human("inbox.history", peer.dump()), "280"); }));
}

TEST_CASE("a backup of the version before can be restored") {
    const Left left;
    const json restored =
        left.a2h("restored", {"restore", (left.dir.path() / "backup").string(), "--json"});
    CHECK(holds(restored, "identities"));
    const std::string home = (left.dir.path() / "restored").string();
    const Ran ran = run({A2H_BIN_DIR "/a2hd", "--home", home, "--once", "approval.list"});
    REQUIRE_MESSAGE(ran.status == 0, (ran.out + ran.err));
    CHECK(json::parse(ran.out)["data"]["approvals"].size() == 3);
    CHECK(holds(json::parse(ran.out), kOffer));
}
