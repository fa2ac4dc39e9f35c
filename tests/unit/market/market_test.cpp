#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/base/ids.h"
#include "market/broker/access.h"
#include "market/broker/token.h"
#include "market/file.h"
#include "market/options.h"
#include "market/replay_guard.h"
#include "market/store.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::market;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

Agent agent(const std::string& id, const std::string& public_key) {
    Agent made;
    made.agent_id = id;
    made.name = "Ann";
    made.agent_key = "key-of-" + id;
    made.key_id = "kid";
    made.public_key = public_key;
    made.created_at_ms = kNow;
    return made;
}

Works works(const std::string& id, const std::string& title, UnixMs created_at_ms = kNow) {
    Works made;
    made.works_id = id;
    made.agent_id = "ag_1";
    made.type = 3;
    made.title = title;
    made.content = "内容 content of " + title;
    made.created_at_ms = created_at_ms;
    made.updated_at_ms = created_at_ms;
    return made;
}

Store open(const test::TempDir& dir) {
    auto store = Store::open(dir.path() / "market.db");
    REQUIRE(store);
    return std::move(*store);
}

std::vector<std::string> found(Store& store, const WorksQuery& query) {
    const auto rows = store.list_works(query);
    REQUIRE(rows);
    std::vector<std::string> ids;
    for (const Works& row : *rows)
        ids.push_back(row.works_id);
    return ids;
}

using Ids = std::vector<std::string>;

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

TEST_CASE("the same public key is the same agent") {
    const test::TempDir dir;
    auto store = open(dir);
    CHECK(store.add_agent(agent("ag_1", "pk1"))->agent_id == "ag_1");
    const auto again = store.add_agent(agent("ag_2", "pk1"));
    REQUIRE(again);
    CHECK(again->agent_id == "ag_1");
    CHECK(again->agent_key == "key-of-ag_1");
    CHECK_FALSE(store.find_agent("ag_2")->has_value());
}

TEST_CASE("a revoked agent is listed, stays revoked, and its posts are not found") {
    const test::TempDir dir;
    auto store = open(dir);
    REQUIRE(store.add_agent(agent("ag_1", "pk1")));
    REQUIRE(store.add_works(works("w1", "title")));
    REQUIRE(store.revoke_agent("ag_1", kNow));
    REQUIRE(store.revoke_agent("ag_1", kNow + 1));
    CHECK(store.find_agent("ag_1")->value().revoked);
    CHECK(*store.revoked_agents() == Ids{"ag_1"});
    CHECK(found(store, {}).empty());
    const auto nobody = store.revoke_agent("ag_9", kNow);
    REQUIRE_FALSE(nobody);
    CHECK(nobody.error().code == ErrorCode::NotFound);
}

TEST_CASE("posts are found by words of title or content, Chinese ones of two characters too") {
    const test::TempDir dir;
    auto store = open(dir);
    REQUIRE(store.add_agent(agent("ag_1", "pk1")));
    REQUIRE(store.add_works(works("w1", "上门修电脑 Laptop Repair")));
    REQUIRE(store.add_works(works("w2", "吉他 100% lessons_", kNow + 1)));
    const auto search = [&store](std::vector<std::string> words) {
        WorksQuery query;
        query.words = std::move(words);
        return found(store, query);
    };
    CHECK(search({"电脑"}) == Ids{"w1"});
    CHECK(search({"laptop", "上门"}) == Ids{"w1"});
    CHECK(search({"laptop", "吉他"}).empty());
    CHECK(search({"内容"}) == Ids{"w2", "w1"});
    CHECK(search({"0%"}) == Ids{"w2"});
    CHECK(search({"%"}) == Ids{"w2"});
    CHECK(search({"s_"}) == Ids{"w2"});
    CHECK(search({"'; drop table works; --"}).empty());
}

TEST_CASE("pages never overlap when many posts have the same time") {
    const test::TempDir dir;
    auto store = open(dir);
    REQUIRE(store.add_agent(agent("ag_1", "pk1")));
    for (int i = 0; i < 5; ++i)
        REQUIRE(store.add_works(works("w" + std::to_string(i), "t")));
    WorksQuery query;
    query.limit = 2;
    CHECK(found(store, query) == Ids{"w0", "w1"});
    query.offset = 2;
    CHECK(found(store, query) == Ids{"w2", "w3"});
    query.offset = 4;
    CHECK(found(store, query) == Ids{"w4"});
}

TEST_CASE("only the owner edits and deletes a post, and a failed edit changes nothing") {
    const test::TempDir dir;
    auto store = open(dir);
    REQUIRE(store.add_agent(agent("ag_1", "pk1")));
    REQUIRE(store.add_agent(agent("ag_2", "pk2")));
    REQUIRE(store.add_works(works("w1", "before")));
    const auto rename = [](Works& post) -> Result<void> {
        post.title = "after";
        return {};
    };
    const auto refuse = [](Works& post) -> Result<void> {
        post.title = "never";
        return fail(ErrorCode::InvalidArgument, "no");
    };
    CHECK(store.edit_works("w1", "ag_2", rename).error().code == ErrorCode::NotFound);
    CHECK(store.edit_works("w1", "ag_1", refuse).error().code == ErrorCode::InvalidArgument);
    CHECK(store.find_works("w1")->value().title == "before");
    CHECK(store.edit_works("w1", "ag_1", rename));
    CHECK(store.find_works("w1")->value().title == "after");
    CHECK(store.delete_works("w1", "ag_2").error().code == ErrorCode::NotFound);
    CHECK(store.delete_works("w1", "ag_1"));
    CHECK_FALSE(store.find_works("w1")->has_value());
}

TEST_CASE("what is no database is Corrupt, and where none can be made Unavailable") {
    const test::TempDir dir;
    std::ofstream(dir.path() / "market.db") << std::string(5000, 'x');
    const auto corrupt = Store::open(dir.path() / "market.db");
    REQUIRE_FALSE(corrupt);
    CHECK(corrupt.error().code == ErrorCode::Corrupt);
    const auto nowhere = Store::open(dir.path() / "none" / "market.db");
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().code == ErrorCode::Unavailable);
}

TEST_CASE("addresses are read with their port, IPv6 in brackets") {
    CHECK(split_address("127.0.0.1:0").value() ==
          std::pair<std::string, std::uint16_t>("127.0.0.1", 0));
    CHECK(split_address("[::1]:7800").value() ==
          std::pair<std::string, std::uint16_t>("::1", 7800));
    for (const char* text : {"", ":", "host", "host:", ":80", "h:65536", "h:-1", "h:8o"})
        CHECK_FALSE(split_address(text));
}
