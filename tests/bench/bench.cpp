// Measures a2hd against a bare Paho C++ echo and a program on npm `mqtt`, side by side: each side
// in turn, five times, medians. `run` prepares what it needs and starts it.
//
//   a2h_bench BUILD_FOLDER DATA_FOLDER NODE_MODULES_FOLDER [--quick]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/load.h"
#include "tests/bench/machine.h"
#include "tests/bench/subjects.h"
#include "tests/support/broker.h"

namespace {

using namespace a2h;
using namespace a2h::bench;
using a2h::test::Broker;
using a2h::test::Process;
using std::chrono::milliseconds;
using std::chrono::seconds;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kPeers = 64;

struct Sizes {
    int rounds = 5;
    std::size_t latency = 1'000;
    std::size_t paced = 500;
    std::size_t sustained = 5'000;
    std::size_t npm = 3'000;
    std::size_t soak = 100'000;
    int spawns = 30;
};

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}
double median(const std::vector<double>& values) {
    return percentile(values, 0.5);
}

void print_row(const char* what, const std::string& ours, const std::string& other,
               const std::string& result, const char* target, bool met) {
    std::printf("| %-44s | %-14s | %-14s | %-8s | %-10s | %-6s |\n", what, ours.c_str(),
                other.c_str(), result.c_str(), target, met ? "yes" : "NO");
    std::fflush(stdout);
}

std::string number(const char* format, double value) {
    char text[64];
    // The formats are the literals of this file.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    std::snprintf(text, sizeof text, format, value);
#pragma GCC diagnostic pop
    return text;
}

std::unique_ptr<Process> start(std::vector<std::string> argv, const char* what) {
    auto process = std::make_unique<Process>(Process::Options{.argv = std::move(argv)});
    if (process->read_line(seconds(20)) != "ready") give_up(std::string(what) + " did not start");
    return process;
}

/// The programs under test and the load for each.
class Bench {
  public:
    Bench(std::filesystem::path build, const std::filesystem::path& dir,
          std::filesystem::path modules, Sizes sizes)
        : build_(std::move(build)),
          dir_(dir),
          modules_(std::move(modules)),
          sizes_(sizes),
          // The disk writes of the broker are not part of the comparison.
          broker_(dir / "broker", "autosave_on_changes false\nautosave_interval 0\n"),
          daemon_(build_ / "bin", dir, broker_),
          idle_mib_(daemon_.resident_mib()),
          peers_(daemon_.register_peers(kPeers)),
          letters_(peers_, daemon_.agent_id()),
          echo_(start({(build_ / "bench/baseline_echo").string(), broker_.uri(), "bench-echo",
                       "echo/in", "echo/out"},
                      "baseline_echo")),
          echo_load_(broker_.port(), "echo/in", {"echo/out"}),
          our_load_(broker_.port(), topic_of(daemon_.agent_id()), reply_topics()) {
        warm_up();
    }

    void run() {
        std::printf("| %-44s | %-14s | %-14s | %-8s | %-10s | %-6s |\n", "", "a2hd", "baseline",
                    "result", "target", "met");
        std::printf("|%s|\n",
                    "----------------------------------------------|----------------|----"
                    "------------|----------|------------|--------");
        print_row("resident memory, idle", number("%.1f MiB", idle_mib_), "", "", "< 20 MiB",
                  idle_mib_ < 20);
        latency();
        paced();
        sustained();
        npm();
        soak();
        assistant();
    }

  private:
    static std::string topic_of(const std::string& agent_id) {
        return "P2P_TOPIC/p2p/GID_agent@@@" + agent_id;
    }
    std::vector<std::string> reply_topics() const {
        std::vector<std::string> topics;
        for (const auto& peer : peers_)
            topics.push_back(topic_of(peer.agent_id));
        return topics;
    }

    Load::Message letters() {
        return [this](std::size_t peer, std::size_t) -> const std::string& {
            return letters_.next(peer);
        };
    }
    /// The echo gets the same messages; it does not read them, so those of one peer serve for all.
    Load::Message echoed() {
        return [this](std::size_t, std::size_t index) -> const std::string& {
            return letters_.next(index % kPeers);
        };
    }

    void warm_up() {
        // Each peer sends once: its key is looked up at the market and pinned, and the listing is
        // fetched.
        letters_.make(kPeers);
        our_load_.one_in_flight(kPeers, letters());
        our_load_.drain(milliseconds(300));
        daemon_.stop_market();
    }

    void latency() {
        std::vector<double> ours;
        std::vector<double> echo;
        for (int round = 0; round < sizes_.rounds; ++round) {
            letters_.make(sizes_.latency);
            echo.push_back(median(echo_load_.one_in_flight(sizes_.latency, echoed())));
            letters_.make(sizes_.latency);
            ours.push_back(median(our_load_.one_in_flight(sizes_.latency, letters())));
            our_load_.drain(milliseconds(100));
        }
        const double ratio = median(ours) / median(echo);
        print_row("request to reply, one in flight, p50", number("%.0f us", median(ours)),
                  number("%.0f us", median(echo)), number("%.2f x", ratio), "<= 6 x", ratio <= 6);
    }

    void paced() {
        std::vector<double> p99;
        for (int round = 0; round < sizes_.rounds; ++round) {
            letters_.make(sizes_.paced);
            p99.push_back(percentile(our_load_.paced(sizes_.paced, 100, letters()), 0.99));
        }
        const double ms = median(p99) / 1000;
        print_row("the same at 100 messages/s, p99", number("%.2f ms", ms), "", "", "< 10 ms",
                  ms < 10);
    }

    void sustained() {
        std::vector<double> ours;
        std::vector<double> echo;
        // Replies do not arrive in the order of the peers, so each peer has spare messages.
        const std::size_t letters_made = sizes_.sustained * 2;
        for (int round = 0; round < sizes_.rounds; ++round) {
            letters_.make(letters_made);
            echo.push_back(echo_load_.sustained(kPeers, sizes_.sustained, echoed()));
            letters_.make(letters_made);
            ours.push_back(our_load_.sustained(kPeers, sizes_.sustained, letters()));
            our_load_.drain(milliseconds(300));
        }
        our_rate_ = median(ours);
        const double ratio = our_rate_ / median(echo);
        print_row("64 peers, messages/s", number("%.0f /s", our_rate_),
                  number("%.0f /s", median(echo)), number("%.2f x", ratio), ">= 0.25 x",
                  ratio >= 0.25);
    }

    void npm() {
        std::vector<double> rates;
        for (int round = 0; round < sizes_.rounds; ++round) {
            letters_.make(sizes_.npm);
            rates.push_back(npm_rate(round));
        }
        const double ratio = our_rate_ / median(rates);
        print_row("64 peers, messages/s, against npm mqtt", number("%.0f /s", our_rate_),
                  number("%.0f /s", median(rates)), number("%.2f x", ratio), ">= 3 x", ratio >= 3);
    }

    double npm_rate(int round) {
        const std::string name = "npm-" + std::to_string(round);
        auto program =
            start({"node", (modules_ / "receive.js").string(), broker_.uri(), name, name + "/in",
                   peers_[0].keys.agent_key, (dir_ / name).string(), std::to_string(sizes_.npm)},
                  "the npm baseline");
        Load load(broker_.port(), name + "/in", {name + "/none"});
        const auto begin = SteadyClock::now();
        load.flood(sizes_.npm, echoed());
        if (!program->read_line(seconds(120))) give_up("the npm baseline did not finish");
        const double taken = std::chrono::duration<double>(SteadyClock::now() - begin).count();
        return static_cast<double>(sizes_.npm) / taken;
    }

    void soak() {
        for (std::size_t done = 0; done < sizes_.soak; done += sizes_.sustained) {
            letters_.make(sizes_.sustained * 2);
            our_load_.sustained(kPeers, sizes_.sustained, letters());
        }
        const double mib = daemon_.resident_mib();
        const std::string what =
            "resident memory, " + std::to_string(sizes_.soak) + " messages later";
        print_row(what.c_str(), number("%.1f MiB", mib), "", "", "< 40 MiB", mib < 40);
    }

    void assistant() {
        const std::string request =
            R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
            R"("2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}})"
            "\n";
        std::vector<double> times;
        std::vector<double> ends;
        double mib = 0;
        for (int i = 0; i < sizes_.spawns; ++i) {
            const auto begin = SteadyClock::now();
            Process server(
                {.argv = {(build_ / "bin/a2h-mcp").string(), "--home", daemon_.home().string()},
                 .pipe_stdin = true});
            server.write(request);
            if (!server.read_line(seconds(5))) give_up("a2h-mcp did not answer");
            times.push_back(
                std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count());
            mib = resident_mib(server.pid());
            const auto closed = SteadyClock::now();
            server.close_stdin();
            server.wait(seconds(3));
            ends.push_back(
                std::chrono::duration<double, std::milli>(SteadyClock::now() - closed).count());
        }
        print_row("a2h-mcp, start to first answer", number("%.1f ms", median(times)), "", "",
                  "< 15 ms", median(times) < 15);
        print_row("a2h-mcp, end of input to exit", number("%.1f ms", median(ends)), "", "",
                  "< 50 ms", median(ends) < 50);
        print_row("a2h-mcp, resident memory", number("%.1f MiB", mib), "", "", "< 8 MiB", mib < 8);
    }

    std::filesystem::path build_;
    std::filesystem::path dir_;
    std::filesystem::path modules_;
    Sizes sizes_;
    Broker broker_;
    Daemon daemon_;
    double idle_mib_;
    std::vector<platform::Account> peers_;
    Letters letters_;
    std::unique_ptr<Process> echo_;
    Load echo_load_;
    Load our_load_;
    double our_rate_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("usage: a2h_bench BUILD DATA NODE_MODULES [--quick]\n", stderr);
        return 2;
    }
    const std::filesystem::path build = argv[1];
    const std::filesystem::path dir = argv[2];
    Sizes sizes;
    if (argc > 4 && std::strcmp(argv[4], "--quick") == 0)
        sizes = {1, 200, 100, 1'000, 500, 1'000, 5};
    print_machine(dir, build / "bin");
    Bench(build, dir, argv[3], sizes).run();
    return 0;
}
