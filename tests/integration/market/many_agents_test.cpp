// The cost of many agents of the market for a broker: none, because it keeps no state of them.

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "market/broker/access.h"
#include "market/broker/token.h"
#include "market/db/database.h"
#include "market/store/agent_store.h"
#include "tests/support/market.h"
#include "tests/support/raw_mqtt.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using market::listener_client_id;

namespace {

constexpr int kAgents = 100'000;
constexpr int kVisitors = 1000;
constexpr long kNoise_kB = 1024;

std::string agent_id(int number) {
    return "ag_many" + std::to_string(number);
}

/// Adds rows as if the agents had registered; over HTTP it would take minutes.
void add_agents(const test::Market& market) {
    auto database = market.database_url().empty()
                        ? market::db::open_sqlite(market.dir() / "market.db")
                        : market::db::open_postgresql(market.database_url(), 1);
    REQUIRE(database);
    const auto added = (*database)->write([](market::db::Transaction& transaction) -> Result<void> {
        for (int i = 0; i < kAgents; ++i) {
            market::Agent agent;
            agent.agent_id = agent_id(i);
            agent.name = "Agent " + std::to_string(i);
            agent.agent_key = "key";
            agent.public_key = "public key " + std::to_string(i);
            A2H_TRY(market::store::add_agent(transaction, agent));
        }
        return {};
    });
    REQUIRE_MESSAGE(added.has_value(), added.error().message);
}

long resident_kB(const test::Process& process) {
    std::ifstream status("/proc/" + std::to_string(process.pid()) + "/status");
    std::string line;
    while (std::getline(status, line) && !line.starts_with("VmRSS:")) {
    }
    REQUIRE(line.starts_with("VmRSS:"));
    return std::stol(line.substr(6));
}

std::string broker_config(const test::Market& market) {
    const auto printed = test::run({A2H_BIN_DIR "/a2h-market", "broker-config", "--data",
                                    market.dir(), "--port", std::to_string(market.broker_port())});
    REQUIRE(printed.status == 0);
    return printed.out;
}

/// The files that the broker reads when it starts.
std::uintmax_t broker_file_bytes(const test::Market& market) {
    std::uintmax_t bytes = 0;
    for (const char* name : {"token.pub", "revoked", "mosquitto.conf"})
        bytes += std::filesystem::file_size(market.dir() / name);
    return bytes;
}

/// Logs each of `kVisitors` agents in with a session that ends with its connection.
void visit(const test::Market& market, int first) {
    const auto signer = market::TokenSigner::open(market.dir());
    REQUIRE(signer);
    const std::int64_t now_s = SystemClock().now_ms() / 1000;
    int let_in = 0;
    for (int i = 0; i < kVisitors; ++i) {
        const std::string id = agent_id(first + i);
        const std::string client_id = listener_client_id(id);
        const auto token = *signer->sign({id, client_id, now_s, now_s + 600});
        test::RawMqtt visitor(market.broker_port(), {client_id, id, token});
        let_in += visitor.connected() && visitor.subscribe(market::receive_topic(id)) ? 1 : 0;
    }
    CHECK(let_in == kVisitors);
}

}  // namespace

TEST_CASE("100 000 agents cost the broker no memory, no configuration and no file") {
    const test::TempDir dir;
    test::Market market(dir.path());
    const std::string config = broker_config(market);
    const auto file_bytes = broker_file_bytes(market);
    visit(market, kAgents);  // what the first logins allocate is no cost of agents
    const long before_kB = resident_kB(market.broker());

    add_agents(market);
    CHECK(
        market.client(market.register_agent("one more")).fetch_broker_token("GID_x").error().code ==
        ErrorCode::PermissionDenied);
    const long with_agents_kB = resident_kB(market.broker());
    visit(market, 0);
    const long after_visits_kB = resident_kB(market.broker());
    market.stop_broker();
    market.start_broker();
    visit(market, kAgents / 2);
    const long restarted_kB = resident_kB(market.broker());

    MESSAGE("resident memory of mosquitto: "
            << before_kB << " kB without agents, " << with_agents_kB << " kB with 100 000, "
            << after_visits_kB << " kB after " << kVisitors << " of them came and went, "
            << restarted_kB << " kB after a restart");
    CHECK(with_agents_kB - before_kB < kNoise_kB);
    CHECK(after_visits_kB - before_kB < kNoise_kB);
    CHECK(restarted_kB - before_kB < kNoise_kB);
    CHECK(broker_config(market) == config);
    CHECK(broker_file_bytes(market) == file_bytes);
}
