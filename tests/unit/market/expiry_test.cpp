// Things that expire: upload addresses, chat files, logins and leases, on a clock of the test's.

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/domain/outbox.h"
#include "core/wire/envelope.h"
#include "core/wire/payload.h"
#include "market/api/serve.h"
#include "market/api/upload.h"
#include "market/relay/own_agent.h"
#include "market/relay/recorder.h"
#include "market/store/login_store.h"
#include "market/store/message_store.h"
#include "market/sweep.h"
#include "tests/support/bare_market.h"

using namespace a2h;
using namespace a2h::market;
using nlohmann::json;

namespace {

constexpr UnixMs kNow = a2h::test::BareMarket::kNow;
constexpr std::string_view kLease = "/agent-service/api/v1/agent-runtime/lease/";

struct Market : a2h::test::BareMarket {
    int messages = 0;

    json data(const std::string& method, const std::string& target, const json& body) {
        const auto response = send(method, target, body.is_null() ? "" : body.dump());
        REQUIRE_MESSAGE(response.status == 200, response.body);
        const json answer = json::parse(response.body);
        return answer.contains("data") ? answer["data"] : answer;
    }

    /// The target of a signed upload address for a file of five bytes.
    std::string sign(const std::string& upload_type) {
        const json signing = data("POST", "/findu-oss/api/v1/oss_signurl/upload/sign",
                                  {{"upload_type", upload_type},
                                   {"file_name", "a.txt"},
                                   {"file_size", 5},
                                   {"file_type", "text/plain"}});
        return signing["upload_url"].get<std::string>().substr(std::string("http://market").size());
    }

    http::Request put_request(const std::string& target) const {
        auto put = request("PUT", target);
        put.headers.emplace_back("content-length", "5");
        put.headers.emplace_back("content-type", "text/plain");
        return put;
    }

    /// Uploads as the HTTP server does it; answers the public path.
    std::string upload(const std::string& upload_type, std::chrono::minutes takes = {}) {
        auto put = put_request(sign(upload_type));
        const auto choice = choose_body(parts, put);
        const auto* file = std::get_if<http::Server::BodyFile>(&choice);
        REQUIRE(file != nullptr);
        std::ofstream(file->path) << "hello";
        clock.advance(takes);
        put.body_file = file->path;
        const auto response = serve(parts, put);
        REQUIRE_MESSAGE(response.status == 200, response.body);
        return put.path;
    }

    /// Acts like the recorder when the broker delivers a message.
    void keep_messages(int count) {
        REQUIRE(database->write([&](db::Transaction& transaction) -> Result<void> {
            for (int i = 0; i < count; ++i) {
                A2H_TRY(store::record_message(
                    transaction, {ann.agent_id, own_agent.agent.agent_id,
                                  "msg_" + std::to_string(++messages), "t", "{}", clock.now_ms()}));
            }
            return {};
        }));
    }
    std::int64_t in_history() {
        return data("GET",
                    "/agent-message/api/v1/agents/sessions/messages?sessionId=" +
                        session_id(ann.agent_id, own_agent.agent.agent_id),
                    nullptr)["total"];
    }
    std::int64_t on_disk() const {
        return (*database->read_as<std::int64_t>(
            [](db::Transaction& transaction) -> Result<std::int64_t> {
                A2H_ASSIGN_OR_RETURN(const auto row,
                                     transaction.query_one("select count(*) from message", {}));
                return row->integer(0);
            }));
    }

    std::size_t files_on_disk() const {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(dir.path() / "files"))
            count += entry.is_regular_file() ? 1 : 0;
        return count;
    }

    json begin_login() {
        const auto response = send("POST", "/v1/auth/init-login", "timestamp=1&mac=aa%3Abb");
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    }
    int poll(const json& login) {
        return send("GET", "/findu-user/api/v1/public/user/agent/auth?code=" +
                               login["code"].get<std::string>())
            .status;
    }
    json lease(const std::string& action, const json& body) {
        return data("POST", std::string(kLease) + action, body);
    }
};

}  // namespace

TEST_CASE("a chat file expires after 24 hours, at once for readers and then on disk") {
    Market market;
    const auto path = market.upload("chatfile");
    market.clock.advance(std::chrono::hours(24) - std::chrono::seconds(1));
    REQUIRE(sweep(market.parts));
    CHECK(market.send("GET", path).status == 200);
    market.clock.advance(std::chrono::seconds(1));
    const auto gone = market.send("GET", path);
    CHECK(gone.status == 404);
    CHECK(json::parse(gone.body)["code"] == "PLATFORM_410");
    CHECK(market.files_on_disk() == 1);
    REQUIRE(sweep(market.parts));
    CHECK(market.files_on_disk() == 0);
    CHECK(market.send("GET", path).status == 404);
}

TEST_CASE("a profile file stays for years") {
    Market market;
    const auto path = market.upload("profile");
    market.clock.advance(std::chrono::hours(24 * 3650));
    REQUIRE(sweep(market.parts));
    const auto response = market.send("GET", path);
    CHECK(response.status == 200);
    CHECK(std::filesystem::exists(response.body_file));
}

TEST_CASE("more chat files than one batch are swept at once") {
    Market market;
    for (int i = 0; i < 105; ++i)
        market.upload("chatfile");
    market.clock.advance(std::chrono::hours(25));
    REQUIRE(sweep(market.parts));
    CHECK(market.files_on_disk() == 0);
}

TEST_CASE("an upload address ends after 15 minutes, but not under an upload that has begun") {
    Market market;
    const auto target = market.sign("chatfile");
    market.clock.advance(std::chrono::minutes(15));
    const auto choice = choose_body(market.parts, market.put_request(target));
    REQUIRE(std::holds_alternative<http::Response>(choice));
    CHECK(std::get<http::Response>(choice).status == 401);
    CHECK(market.send("GET", market.upload("chatfile", std::chrono::minutes(40))).status == 200);
}

TEST_CASE("files on disk whose row is missing are removed at start, known ones stay") {
    Market market;
    const auto path = market.upload("profile");
    std::ofstream(market.dir.path() / "files" / std::string(32, 'f')) << "x";
    for (const auto& entry : std::filesystem::directory_iterator(market.dir.path() / "files")) {
        std::filesystem::last_write_time(
            entry.path(), std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    }
    REQUIRE(remove_unknown_files(market.parts));
    CHECK(market.files_on_disk() == 1);
    CHECK(market.send("GET", path).status == 200);
}

TEST_CASE("a login ends after 10 minutes, for the program and for the page") {
    Market market;
    const json login = market.begin_login();
    const auto page = login["url"].get<std::string>().substr(std::string("http://market").size());
    CHECK(market.poll(login) == 200);
    CHECK(market.send("GET", page).status == 200);
    market.clock.advance(std::chrono::minutes(10));
    CHECK(market.poll(login) == 404);
    CHECK(market.send("GET", page).status == 404);
    CHECK(market.send("POST", page, "choice=create&name=Eve").status == 404);
    REQUIRE(sweep(market.parts));
    const auto left = market.database->read_as<std::int64_t>(store::count_logins);
    CHECK(*left == 0);
}

TEST_CASE("one address may begin 30 logins a minute") {
    Market market;
    for (int i = 0; i < 30; ++i)
        market.begin_login();
    const auto refused = market.send("POST", "/v1/auth/init-login", "timestamp=1&mac=a");
    CHECK(refused.status == 429);
    market.clock.advance(std::chrono::seconds(61));
    market.begin_login();
}

TEST_CASE("an expired lease goes to the next that asks, with a higher epoch") {
    Market market;
    const json first = market.lease("acquire", {{"instanceId", "a"}});
    CHECK(first["role"] == "leader");
    CHECK(first["leaseUntil"] == kNow + 15'000);
    CHECK(market.lease("acquire", {{"instanceId", "b"}})["role"] == "follower");
    market.clock.advance(std::chrono::seconds(10));
    CHECK(market.lease("heartbeat", {{"instanceId", "a"}, {"epoch", first["epoch"]}})["role"] ==
          "leader");
    market.clock.advance(std::chrono::seconds(14));
    CHECK(market.lease("acquire", {{"instanceId", "b"}})["role"] == "follower");
    market.clock.advance(std::chrono::seconds(1));
    const json second = market.lease("acquire", {{"instanceId", "b"}});
    CHECK(second["role"] == "leader");
    CHECK(second["epoch"] > first["epoch"]);
    const json late = market.lease("heartbeat", {{"instanceId", "a"}, {"epoch", first["epoch"]}});
    CHECK(late["role"] == "follower");
    CHECK(late["leaderInstanceId"] == "b");
}

TEST_CASE("a lease that a clock set back made long ends like a new one") {
    Market market;
    const json first = market.lease("acquire", {{"instanceId", "a"}});
    market.clock.set_wall(kNow - 5 * 3'600'000);
    CHECK(market.lease("acquire", {{"instanceId", "b"}})["role"] == "follower");
    CHECK(market.lease("heartbeat", {{"instanceId", "a"}, {"epoch", first["epoch"]}})["role"] ==
          "leader");
    market.clock.advance(std::chrono::seconds(14));
    CHECK(market.lease("acquire", {{"instanceId", "b"}})["role"] == "follower");
    market.clock.advance(std::chrono::seconds(1));
    CHECK(market.lease("acquire", {{"instanceId", "b"}})["role"] == "leader");
}

TEST_CASE("a heartbeat that comes late finds its lease when nobody took it") {
    Market market;
    const json first = market.lease("acquire", {{"instanceId", "a"}});
    market.clock.advance(std::chrono::minutes(5));
    const json late = market.lease("heartbeat", {{"instanceId", "a"}, {"epoch", first["epoch"]}});
    CHECK(late["role"] == "leader");
    CHECK(late["epoch"] == first["epoch"]);
}

TEST_CASE("history holds messages within the retention, and older ones leave the disk") {
    Market market;
    market.parts.history_kept = std::chrono::days(2);
    market.keep_messages(3);
    market.clock.advance(std::chrono::days(1));
    market.keep_messages(2);
    market.clock.advance(std::chrono::days(1));
    REQUIRE(sweep(market.parts));
    CHECK(market.in_history() == 5);
    market.clock.advance(std::chrono::milliseconds(1));
    CHECK(market.in_history() == 2);  // before anything was deleted
    CHECK(market.on_disk() == 5);
    REQUIRE(sweep(market.parts));
    CHECK(market.on_disk() == 2);
    market.clock.advance(std::chrono::days(365));
    REQUIRE(sweep(market.parts));
    CHECK(market.on_disk() == 0);
}

TEST_CASE("without a limit the history is kept for ever") {
    Market market;
    market.keep_messages(3);
    market.clock.advance(std::chrono::days(3650));
    REQUIRE(sweep(market.parts));
    CHECK(market.in_history() == 3);
}

TEST_CASE("old messages are deleted in small transactions between which others write") {
    Market market;
    market.parts.history_kept = std::chrono::days(1);
    market.keep_messages(10'000);
    market.clock.advance(std::chrono::days(2));
    const auto before = market.database->stats();
    REQUIRE(sweep(market.parts));
    const auto after = market.database->stats();
    CHECK(market.on_disk() == 0);
    CHECK(after.transactions - before.transactions >= 20);
    const auto each_us = (after.commit_us - before.commit_us) /
                         static_cast<std::int64_t>(after.commits - before.commits);
    MESSAGE("10 000 messages deleted in " << after.transactions - before.transactions
                                          << " transactions, a commit took " << each_us << " us");
}

TEST_CASE("nobody brings a deleted message back into a session by publishing it again") {
    Market market;
    const auto keys = wire::new_key_pair();
    OutboxMessage message;
    message.agent_id = market.ann.agent_id;
    message.target_id = "ag_bob";
    message.message_id = "msg_1";
    message.message_type = "chat.request";
    message.trace_id = "trace_1";
    message.payload_json = R"({"text":"hello"})";
    Agent bob;
    bob.agent_id = "ag_bob";
    bob.name = "Bob";
    bob.agent_key = "key-of-bob";
    bob.public_key = "pk2";
    REQUIRE(market.database->write_as<Agent>(
        [&](db::Transaction& transaction) { return store::add_agent(transaction, bob); }));
    const auto text = *wire::sign_envelope(
        message, {.agent_key = market.ann.agent_key, .key_pair = keys}, market.clock.now_ms());
    Recorder recorder(*market.database, market.clock, market.own_agent.sender_id(),
                      std::chrono::days(1));
    const std::string topic = "P2P_TOPIC/p2p/GID_agent@@@ag_bob";
    REQUIRE(recorder.record(topic, text));
    CHECK(recorder.recorded() == 1);
    market.clock.advance(std::chrono::days(2));
    market.parts.history_kept = std::chrono::days(1);
    REQUIRE(sweep(market.parts));
    CHECK(market.on_disk() == 0);
    REQUIRE(recorder.record(topic, text));
    const std::string session = session_id(market.ann.agent_id, "ag_bob");
    const auto page = market.database->read_with(store::list_messages, std::string_view(session),
                                                 UnixMs{0}, std::int64_t{0}, std::int64_t{10});
    CHECK(page->total == 0);
}
