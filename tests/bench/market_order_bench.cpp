// Moves of orders, each one durable with its two events: through market/store by several threads,
// and over HTTP at a real a2h-market. Usage: market_order_bench BUILD DIR [ORDERS]. Not a test:
// times depend on the machine.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "core/base/ids.h"
#include "core/http/client.h"
#include "core/wire/crypto.h"
#include "core/wire/payload.h"
#include "market/store/agent_store.h"
#include "market/store/order_store.h"
#include "market/store/works_store.h"
#include "tests/support/process.h"

using namespace a2h;
using namespace a2h::market;
using nlohmann::json;

namespace {

constexpr int kThreads = 16;
constexpr int kRounds = 5;
constexpr const char* kRow = "| %-34s | %6d | %8.0f | %6.2f |\n";

template <typename T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "market_order_bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(result).value();
}
void must(const Result<void>& result) {
    if (!result) {
        std::fprintf(stderr, "market_order_bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
}

/// Runs `work(thread)` on all threads; answers the seconds until the last one is done.
double run_threads(const std::function<void(int)>& work) {
    const auto begin = std::chrono::steady_clock::now();
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i)
            threads.emplace_back([&work, i] { work(i); });
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The median of the rounds, in moves a second.
void print(const char* what, int moves, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    std::printf(kRow, what, moves, moves / median, median / moves * 1000 * kThreads);
}

struct Step {
    OrderAction action;
    const char* by;
};
constexpr std::array kSteps{Step{OrderAction::Confirm, "ag_buyer"},
                            Step{OrderAction::ConfirmReceived, "ag_seller"},
                            Step{OrderAction::ConfirmServiceCompleted, "ag_buyer"}};

void fill(db::Database& database) {
    must(database.write([](db::Transaction& transaction) -> Result<void> {
        for (const char* id : {"ag_seller", "ag_buyer"}) {
            Agent agent;
            agent.agent_id = id;
            agent.public_key = id;
            if (const auto added = store::add_agent(transaction, agent); !added) {
                return fail(added.error());
            }
        }
        Works works;
        works.works_id = "service";
        works.agent_id = "ag_seller";
        works.type = 3;
        works.title = "t";
        return store::add_works(transaction, works);
    }));
}

void measure_store(const std::filesystem::path& dir, int orders) {
    const auto database = must(db::open_sqlite(dir / "orders.db"));
    fill(*database);
    const SystemClock clock;
    std::vector<double> create_s;
    std::vector<double> move_s;
    for (int round = 0; round < kRounds; ++round) {
        std::array<std::vector<std::string>, kThreads> ids;
        create_s.push_back(run_threads([&](int thread) {
            auto& mine = ids.at(static_cast<std::size_t>(thread));
            for (int i = 0; i < orders / kThreads; ++i) {
                Order order;
                order.order_id = "WKS" + random_hex(16);
                order.provider_id = "ag_seller";
                order.customer_id = "ag_buyer";
                order.title = "t";
                order.price = {28000, "CNY"};
                order.product_id = "service";
                order.order_type = 3;
                order.created_at_ms = clock.now_ms();
                must(database->write([&](db::Transaction& transaction) {
                    return store::add_order(transaction, order);
                }));
                mine.push_back(order.order_id);
            }
        }));
        move_s.push_back(run_threads([&](int thread) {
            for (const std::string& id : ids.at(static_cast<std::size_t>(thread))) {
                for (const Step& step : kSteps) {
                    must(database->write_as<Order>([&](db::Transaction& transaction) {
                        return store::move_order(transaction, id, step.by, step.action,
                                                 clock.now_ms());
                    }));
                }
            }
        }));
    }
    const int made = orders / kThreads * kThreads;
    print("create, market/store", made, create_s);
    print("move, market/store", 3 * made, move_s);
}

struct Account {
    std::string agent_id;
    std::string agent_key;
};

json call(http::Client& client, const std::string& url, const Account& account,
          const std::string& path, const json& body) {
    const std::int64_t now_s = SystemClock().now_ms() / 1000;
    http::ClientRequest request;
    request.method = "POST";
    request.url = url + path;
    request.body = body.dump();
    request.headers = {
        {"X-Agent-Id", account.agent_id},
        {"X-Timestamp", std::to_string(now_s)},
        {"X-Agent-Signature",
         wire::platform_signature(account.agent_key, "POST", path, account.agent_id, now_s)}};
    const auto response = must(client.send(request));
    if (response.status != 200) {
        std::fprintf(stderr, "market_order_bench: %s\n", response.body.c_str());
        std::exit(1);
    }
    return json::parse(response.body)["data"];
}

Account register_at(http::Client& client, const std::string& url) {
    const auto keys = wire::new_key_pair();
    const std::string body = json{{"name", "bench"}, {"public_key", keys.public_key}}.dump();
    const std::int64_t now_s = SystemClock().now_ms() / 1000;
    const std::string nonce = random_hex(16);
    const std::string text =
        wire::nonce_signature_text("POST", "/v1/agents", "", now_s, nonce, body);
    http::ClientRequest request;
    request.method = "POST";
    request.url = url + "/v1/agents";
    request.body = body;
    request.headers = {{"X-Timestamp", std::to_string(now_s)},
                       {"X-A2H-Nonce", nonce},
                       {"X-A2H-Signature", must(wire::ed25519_sign(keys.secret_key, text))}};
    const json data = json::parse(must(client.send(request)).body)["data"];
    return {data["agent_id"], data["agent_key"]};
}

void measure_http(const std::filesystem::path& build, const std::filesystem::path& dir,
                  int orders) {
    // No broker: events wait in their rows.
    test::Process market(
        {.argv = {build / "bin/a2h-market", "--data", dir / "market", "--listen", "127.0.0.1:0",
                  "--mqtt-url", "mqtt://127.0.0.1:1", "--agent-rate", "0"},
         .environment = {},
         .stdout_file = {},
         .stderr_file = dir / "market.log"});
    constexpr std::string_view kListening = "listening on ";
    const auto line = market.read_line(std::chrono::seconds(20));
    if (!line || !line->starts_with(kListening)) {
        std::fprintf(stderr, "market_order_bench: a2h-market did not start\n");
        std::exit(1);
    }
    const std::string url = line->substr(kListening.size());
    http::Client client({});
    const Account seller = register_at(client, url);
    const Account buyer = register_at(client, url);
    const json works = call(client, url, seller, "/findu-user/api/v1/user/works/change-requests",
                            {{"type", 3}, {"title", "t"}, {"content", "c"}});
    const json draft{
        {"customerId", buyer.agent_id},  {"title", "t"},  {"price", 28000}, {"currency", "CNY"},
        {"productId", works["worksId"]}, {"orderType", 3}};
    std::array<std::vector<std::string>, kThreads> ids;
    const std::string orders_path = "/findu-trade/api/v1/orders/";
    const double create_s = run_threads([&](int thread) {
        http::Client mine({});
        for (int i = 0; i < orders / kThreads; ++i) {
            ids.at(static_cast<std::size_t>(thread))
                .push_back(call(mine, url, seller, orders_path + "create", draft)["orderId"]);
        }
    });
    const double move_s = run_threads([&](int thread) {
        http::Client mine({});
        for (const std::string& id : ids.at(static_cast<std::size_t>(thread))) {
            for (const Step& step : kSteps) {
                call(mine, url, step.by == std::string_view("ag_buyer") ? buyer : seller,
                     orders_path + id + "/" + std::string(to_string(step.action)), json::object());
            }
        }
    });
    const int made = orders / kThreads * kThreads;
    print("create, over HTTP", made, {create_s});
    print("move, over HTTP", 3 * made, {move_s});
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: market_order_bench BUILD DIR [ORDERS]\n");
        return 2;
    }
    const int orders = argc > 3 ? std::atoi(argv[3]) : 4000;
    std::printf("| %-34s | %6s | %8s | %6s |\n|---|---|---|---|\n", "orders, 16 threads", "count",
                "/s", "ms");
    measure_store(argv[2], orders);
    measure_http(argv[1], argv[2], orders);
    return 0;
}
