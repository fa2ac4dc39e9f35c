// Matching RFPs against many agents, through market/store and market/exchange, on both databases.
// Usage: market_match_bench DIR [AGENTS]. Not a test: times depend on the machine.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "market/exchange/rfps.h"
#include "market/store/agent_store.h"
#include "market/store/capability_store.h"
#include "tests/support/postgres.h"

namespace {

using namespace a2h;
using namespace a2h::market;
using Clock = std::chrono::steady_clock;

constexpr int kAgentsDefault = 100'000;
constexpr int kBatch = 2'000;
constexpr int kRuns = 200;
constexpr int kTypes = 100;
constexpr int kDomains = 50;
constexpr UnixMs kNow = 1'760'000'000'000;

template <typename T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "market_match_bench: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    return std::move(*result);
}
void must(const Result<void>& result) {
    if (!result) must(Result<int>(fail(result.error())));
}

std::string agent_id(int number) {
    return "ag_" + std::to_string(1'000'000 + number);
}
std::string type(int number) {
    return "type " + std::to_string(number);
}
std::string domain(int number) {
    return "domain " + std::to_string(number);
}

Result<void> add(db::Transaction& transaction, int number, std::mt19937& random) {
    Agent agent;
    agent.agent_id = agent.name = agent.public_key = agent_id(number);
    A2H_TRY(store::add_agent(transaction, agent));
    const auto any = [&](int count) { return static_cast<int>(random() % unsigned(count)); };
    // Each agent has two of many capability types in three domains each, and one type that
    // everybody offers.
    std::vector<Capability> capabilities{{"everybody", {}}};
    for (int i = 0; i < 2; ++i) {
        capabilities.push_back(
            {type(any(kTypes)),
             {domain(any(kDomains)), domain(any(kDomains)), domain(any(kDomains))}});
    }
    return store::replace_capabilities(transaction, agent.agent_id, capabilities);
}

void fill(db::Database& database, int agents) {
    std::mt19937 random(20'260'101);
    for (int first = 0; first < agents; first += kBatch) {
        // The work may be repeated, so it draws its own random numbers.
        const std::mt19937 state = random;
        must(database.write([&](db::Transaction& transaction) -> Result<void> {
            random = state;
            for (int i = first; i < std::min(first + kBatch, agents); ++i)
                A2H_TRY(add(transaction, i, random));
            return {};
        }));
    }
}

struct Times {
    std::vector<double> ms;
    std::size_t found = 0;

    void print(const char* database, const char* what) {
        std::sort(ms.begin(), ms.end());
        const auto at = [&](double share) {
            return ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1))];
        };
        std::printf("%-11s %-52s %8zu %9.2f %9.2f\n", database, what, found / ms.size(), at(0.5),
                    at(0.99));
    }
};

template <typename Work>
Times measure(int runs, Work&& work) {
    Times times;
    for (int i = 0; i < runs; ++i) {
        const auto begin = Clock::now();
        times.found += work(i);
        times.ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    return times;
}

std::size_t match(db::Database& database, const std::string& wanted,
                  const std::vector<std::string>& domains) {
    return must(database.read_as<std::vector<std::string>>([&](db::Transaction& transaction) {
               return store::matched_agents(transaction, wanted, domains, "", kAgentsDefault);
           }))
        .size();
}

std::size_t create(db::Database& database, const std::string& name, const std::string& wanted,
                   const std::vector<std::string>& domains) {
    const Rfp rfp{.rfp_id = name,
                  .creator_id = agent_id(0),
                  .title = "Wanted",
                  .description = "as said",
                  .capability_type = wanted,
                  .domains = domains,
                  .created_at_ms = kNow,
                  .updated_at_ms = kNow};
    must(
        database.write([&](db::Transaction& transaction) { return create_rfp(transaction, rfp); }));
    return static_cast<std::size_t>(kNotifiedAtOnce);
}

void run(const char* name, db::Database& database, int agents) {
    fill(database, agents);
    measure(kRuns, [&](int i) {
        return match(database, type(i % kTypes), {domain(i % kDomains)});
    }).print(name, "all that match type and domain");
    measure(kRuns, [&](int i) {
        return match(database, type(i % kTypes), {domain(1), domain(2), domain(i % kDomains)});
    }).print(name, "all that match type and one of three domains");
    measure(kRuns, [&](int i) {
        return match(database, type(i % kTypes), {});
    }).print(name, "all that match type");
    measure(kRuns, [&](int i) {
        return create(database, "rfp_a" + std::to_string(i), type(i % kTypes),
                      {domain(i % kDomains)});
    }).print(name, "create an RFP, match, tell up to 200, durable");
    measure(kRuns, [&](int i) {
        return create(database, "rfp_b" + std::to_string(i), "everybody", {});
    }).print(name, "the same where every agent matches");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: market_match_bench DIR [AGENTS]\n");
        return 2;
    }
    const int agents = argc > 2 ? std::atoi(argv[2]) : kAgentsDefault;
    const std::filesystem::path file = std::filesystem::path(argv[1]) / "match.db";
    std::filesystem::remove(file);
    std::printf("Matching among %d agents, %d runs each\n", agents, kRuns);
    std::printf("%-11s %-52s %8s %9s %9s\n", "", "", "agents", "p50 ms", "p99 ms");
    {
        const auto database = must(db::open_sqlite(file));
        run("SQLite", *database, agents);
    }
    std::filesystem::remove(file);
    const auto database = must(db::open_postgresql(test::shared_postgres().create_database()));
    run("PostgreSQL", *database, agents);
    return 0;
}
