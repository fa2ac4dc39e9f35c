#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/base/file.h"
#include "core/base/ids.h"
#include "market/api/replay_guard.h"
#include "market/broker/access.h"
#include "market/broker/token.h"
#include "market/options.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::market;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

}  // namespace

TEST_CASE("the three forms of client ids belong to their agent") {
    CHECK(agent_of_client_id("GID_agent@@@ag_a1") == "ag_a1");
    CHECK(agent_of_client_id("GID_agent@@@ag_a1_pub_0123abcd") == "ag_a1");
    CHECK(agent_of_client_id("GID_agent@@@ag_a1_rt_b7-2.x_y") == "ag_a1");
}

TEST_CASE("client ids that look alike belong to nobody") {
    for (const char* id :
         {"", "ag_a1", "GID_agent@@@", "GID_agent@@@ag_", "GID_agent@@@a1", "GID_agent@@@ag_a1_",
          "GID_agent@@@ag_a1_pub_", "GID_agent@@@ag_a1_pub_0123ABCD",
          "GID_agent@@@ag_a1_pub_0123abcd0", "GID_agent@@@ag_a1_rt_", "GID_agent@@@ag_a1_xx_1",
          "GID_agent@@@ag_a1_rt_a/b", "GID_agent@@@ag_a1/b", "gid_agent@@@ag_a1",
          "GID_agent@@@ag_a1 "}) {
        CAPTURE(id);
        CHECK_FALSE(agent_of_client_id(id));
    }
    CHECK_FALSE(agent_of_client_id("GID_agent@@@ag_a1_rt_" + std::string(65, 'x')));
    CHECK_FALSE(agent_of_client_id("GID_agent@@@ag_" + std::string(49, 'x')));
}

TEST_CASE("an agent receives on its own topic only") {
    CHECK(may_receive("ag_a1", receive_topic("ag_a1")));
    for (const char* topic :
         {"P2P_TOPIC/p2p/GID_agent@@@ag_a2", "P2P_TOPIC/p2p/GID_agent@@@ag_a", "#", "+/+/+",
          "P2P_TOPIC/p2p/GID_agent@@@ag_a1/", "P2P_TOPIC/p2p/GID_agent@@@ag_a1_pub_0123abcd", ""}) {
        CAPTURE(topic);
        CHECK_FALSE(may_receive("ag_a1", topic));
    }
}

TEST_CASE("publishing goes to receive topics, bounded and never retained") {
    const std::string topic = receive_topic("ag_a1");
    CHECK(may_publish(topic, kPayloadBytesMax, false));
    CHECK_FALSE(may_publish(topic, kPayloadBytesMax + 1, false));
    CHECK_FALSE(may_publish(topic, 1, true));
    CHECK_FALSE(may_publish("P2P_TOPIC/p2p/GID_agent@@@", 1, false));
    CHECK_FALSE(may_publish("P2P_TOPIC/p2p/GID_agent@@@+", 1, false));
    CHECK_FALSE(may_publish("$SYS/broker", 1, false));
}

TEST_CASE("a token says what was signed, until it expires") {
    const test::TempDir dir;
    const auto signer = TokenSigner::open(dir.path());
    REQUIRE(signer);
    const auto verifier = TokenVerifier::open(dir.path() / "token.pub");
    REQUIRE(verifier);
    const auto token = signer->sign({"ag_a1", "GID_agent@@@ag_a1", 1000, 2000});
    REQUIRE(token);
    const auto claims = verifier->verify(*token, 1999);
    REQUIRE(claims);
    CHECK(claims->agent_id == "ag_a1");
    CHECK(claims->client_id == "GID_agent@@@ag_a1");
    CHECK(claims->expires_at_s == 2000);
    const auto expired = verifier->verify(*token, 2000);
    REQUIRE_FALSE(expired);
    CHECK(expired.error().code == ErrorCode::Unauthenticated);
}

TEST_CASE("no changed character of a token goes unnoticed") {
    const test::TempDir dir;
    const auto signer = TokenSigner::open(dir.path());
    REQUIRE(signer);
    const auto verifier = TokenVerifier::open(dir.path() / "token.pub");
    REQUIRE(verifier);
    const std::string token = *signer->sign({"ag_a1", "GID_agent@@@ag_a1", 1000, 2000});
    // The last character of a part may carry bits that do not count; all others do.
    const auto last_dot = token.rfind('.');
    for (std::size_t i = 0; i < last_dot; ++i) {
        std::string changed = token;
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        CAPTURE(i);
        CHECK_FALSE(verifier->verify(changed, 1500));
    }
    for (const std::string& broken :
         {std::string(), std::string("."), std::string(".."), token.substr(0, last_dot),
          token.substr(0, last_dot + 1), token + "A", std::string(100'000, 'A')}) {
        CHECK_FALSE(verifier->verify(broken, 1500));
    }
}

TEST_CASE("the token key is made once, kept, and for its owner only") {
    const test::TempDir dir;
    const auto token = TokenSigner::open(dir.path())->sign({"ag_a1", "c", 1, 2000});
    const auto again = TokenSigner::open(dir.path());
    REQUIRE(again);
    CHECK(TokenVerifier::open(dir.path() / "token.pub")->verify(*token, 1).has_value());
    struct stat status {};
    REQUIRE(::stat((dir.path() / "token.key").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a missing key file is Unavailable and a broken one Corrupt") {
    const test::TempDir dir;
    const auto missing = TokenVerifier::open(dir.path() / "token.pub");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ErrorCode::Unavailable);
    std::ofstream(dir.path() / "token.key") << "not a key";
    const auto broken = TokenSigner::open(dir.path());
    REQUIRE_FALSE(broken);
    CHECK(broken.error().code == ErrorCode::Corrupt);
    const auto no_folder = TokenSigner::open(dir.path() / "none");
    REQUIRE_FALSE(no_folder);
    CHECK(no_folder.error().code == ErrorCode::Unavailable);
}

TEST_CASE("a nonce is good once an agent, also after a restart") {
    const test::TempDir dir;
    {
        auto guard = ReplayGuard::open(dir.path() / "nonce.db");
        REQUIRE(guard);
        CHECK(*guard->first_use("ag_1", "n1", kNow));
        CHECK_FALSE(*guard->first_use("ag_1", "n1", kNow + 1));
        CHECK(*guard->first_use("ag_2", "n1", kNow));
    }
    auto guard = ReplayGuard::open(dir.path() / "nonce.db");
    REQUIRE(guard);
    CHECK_FALSE(*guard->first_use("ag_1", "n1", kNow + 2 * ReplayGuard::kWindowMs));
}

TEST_CASE("a nonce is forgotten only when its timestamp cannot be used any more") {
    const test::TempDir dir;
    auto guard = ReplayGuard::open(dir.path() / "nonce.db");
    REQUIRE(guard);
    REQUIRE(*guard->first_use("ag_1", "n1", kNow));
    CHECK(*guard->first_use("ag_1", "n1", kNow + 2 * ReplayGuard::kWindowMs + 1));
}

TEST_CASE("addresses are read with their port, IPv6 in brackets") {
    CHECK(split_address("127.0.0.1:0").value() ==
          std::pair<std::string, std::uint16_t>("127.0.0.1", 0));
    CHECK(split_address("[::1]:7800").value() ==
          std::pair<std::string, std::uint16_t>("::1", 7800));
    for (const char* text : {"", ":", "host", "host:", ":80", "h:65536", "h:-1", "h:8o"})
        CHECK_FALSE(split_address(text));
}
