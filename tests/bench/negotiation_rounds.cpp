#include "tests/bench/negotiation_rounds.h"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/bench/subjects.h"
#include "tests/integration/negotiation/puppet.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"

namespace a2h::bench {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;
using test::Puppet;

constexpr int kRounds = 3;
constexpr std::chrono::minutes kTimeMax{5};

/// The answers of an agent that asks for a change in different words and accepts in the last round.
Puppet::Script haggler() {
    const json unhappy{{"feedback_type", "negotiate"}, {"adjustment_request", "an hour later"}};
    return {.offer = {{"decision", "participate"}, {"contribution", "a room for 30 people"}},
            .feedback = {unhappy, unhappy, {{"feedback_type", "accept"}, {"reasoning", "fine"}}}};
}

double cpu_milliseconds() {
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    };
    return of(use.ru_utime) + of(use.ru_stime);
}

std::string submit(test::Daemon& daemon, json arguments) {
    const json result = daemon.call_owner("demand.submit", arguments.dump());
    if (!result.value("ok", false)) give_up("a demand was refused: " + result.dump());
    return result["data"]["demand_id"];
}

/// Agents of other owners. Each waits on a thread of its own, so that none delays another and
/// waiting costs nothing.
class Parties {
  public:
    Parties(test::Market& market, int count) {
        for (int i = 0; i < count; ++i) {
            puppets_.push_back(
                std::make_unique<Puppet>(market, "party " + std::to_string(i), haggler()));
        }
    }

    std::vector<std::string> ids() const {
        std::vector<std::string> ids;
        for (const auto& puppet : puppets_)
            ids.push_back(puppet->agent_id());
        return ids;
    }

    /// Lets them answer until each has the result, or for `kTimeMax`.
    void answer_in_background() {
        for (const auto& puppet : puppets_) {
            threads_.emplace_back([this, &party = *puppet] {
                const auto until = SteadyClock::now() + kTimeMax;
                party.forget();
                while (party.endings().empty() && SteadyClock::now() < until)
                    party.pump_one(milliseconds(1'000));
                if (!party.endings().empty()) ++told_;
            });
        }
    }
    void wait_until_told() {
        for (std::thread& thread : threads_)
            thread.join();
        threads_.clear();
        if (told_.exchange(0) != puppets_.size()) give_up("not all were told how it ended");
    }

  private:
    std::vector<std::unique_ptr<Puppet>> puppets_;
    std::vector<std::thread> threads_;
    std::atomic<std::size_t> told_ = 0;
};

void print_rounds(const std::string& what, double took_ms, double parties_cpu_ms) {
    std::printf("| %-62s | %7.0f ms | < 2000 ms | %-3s | the parties' own CPU: %.0f ms\n",
                what.c_str(), took_ms, took_ms < 2'000 ? "yes" : "NO", parties_cpu_ms);
    std::fflush(stdout);
}

}  // namespace

void measure_rounds(const std::filesystem::path& dir, int parties) {
    test::Market market(dir / "market");
    const platform::Account requester = market.register_agent("requester");
    test::Daemon daemon(dir / "home", {requester}, market.mqtt_url());
    if (!daemon.connected()) give_up("a2hd does not connect");
    Parties others(market, parties);
    // The first round also looks up the key of each agent at the market.
    for (const char* which : {"first", "second"}) {
        others.answer_in_background();
        const double cpu_before = cpu_milliseconds();
        const auto begin = SteadyClock::now();
        const std::string demand =
            submit(daemon, {{"raw_input", "We need rooms in Berlin"}, {"invite", others.ids()}});
        others.wait_until_told();
        const double took =
            std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
        const double cpu = cpu_milliseconds() - cpu_before;
        const json view =
            daemon.call_human("negotiation.get", json{{"demand_id", demand}}.dump())["data"];
        if (view.value("outcome", "") != "agreed" || view.value("round", 0) != kRounds)
            give_up("it ended otherwise: " + view.dump().substr(0, 500));
        print_rounds(
            std::to_string(parties) + " parties, three rounds, until all are told, " + which, took,
            cpu);
    }
}

void measure_waiting(const std::filesystem::path& dir, int count) {
    test::Market market(dir / "market");
    const platform::Account requester = market.register_agent("requester");
    test::Daemon daemon(dir / "home", {requester}, market.mqtt_url());
    if (!daemon.connected()) give_up("a2hd does not connect");
    Puppet silent(market, "silent", {.offer = nullptr, .feedback = {nullptr}});
    const pid_t pid = daemon.process().pid();
    const double before = resident_mib(pid);
    for (int i = 0; i < count; ++i) {
        submit(daemon, {{"raw_input", "We need a room in Berlin, number " + std::to_string(i)},
                        {"invite", {silent.agent_id()}}});
    }
    const auto until = SteadyClock::now() + kTimeMax;
    while (silent.invitations().size() < static_cast<std::size_t>(count)) {
        if (SteadyClock::now() > until) give_up("not all were invited");
        silent.pump_one(milliseconds(1'000));
    }
    const double more = resident_mib(pid) - before;
    std::printf("| %-62s | %6.1f MiB | < 64 MiB  | %-3s | %.1f MiB before\n",
                (std::to_string(count) + " negotiations at once: memory on top").c_str(), more,
                more < 64 ? "yes" : "NO", before);
}

}  // namespace a2h::bench
