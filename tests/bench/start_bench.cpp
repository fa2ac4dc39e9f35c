// Measures what a restart costs: a2hd with 100 000 stored messages is stopped and started, and
// comes back after a night in which 10 000 messages have waited at the broker.
//
//   start_bench BUILD_FOLDER DATA_FOLDER [--quick]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/control/home.h"
#include "core/store/database.h"
#include "tests/bench/load.h"
#include "tests/bench/machine.h"
#include "tests/bench/stored_messages.h"
#include "tests/bench/subjects.h"
#include "tests/support/broker.h"

namespace {

using namespace a2h;
using SteadyClock = std::chrono::steady_clock;

struct StartSizes {
    std::int64_t stored = 100'000;
    std::size_t queued = 10'000;
    int starts = 9;
};

double milliseconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void print_row(const std::string& what, double took_ms, double target_ms) {
    std::printf("| %-58s | %7.0f ms | < %5.0f ms | %-3s |\n", what.c_str(), took_ms, target_ms,
                took_ms < target_ms ? "yes" : "NO");
    std::fflush(stdout);
}

/// A home whose agent has answered `sizes.stored` messages, and its peers at the same broker.
class Restarts {
  public:
    Restarts(const std::filesystem::path& build, const std::filesystem::path& dir, StartSizes sizes)
        : sizes_(sizes),
          broker_(dir / "broker",
                  "autosave_on_changes false\nautosave_interval 0\nmax_queued_messages 0\n"
                  "max_inflight_messages 100\n"),  // as `a2h-market broker-config` says
          daemon_(build / "bin", dir, broker_),
          peers_(daemon_.register_peers(bench::kPeers)),
          letters_(peers_, daemon_.agent_id()),
          load_(broker_.port(), topic_of(daemon_.agent_id()), topics()) {
        // Each peer once: its key is looked up at the market and pinned.
        letters_.make(peers_.size());
        load_.one_in_flight(peers_.size(), letter());
        daemon_.stop();
        store();
    }

    void run() {
        std::vector<double> starts;
        std::vector<double> stops;
        for (int i = 0; i < sizes_.starts; ++i) {
            starts.push_back(start_after(1, [] {}));
            stops.push_back(daemon_.stop());
        }
        const std::string stored = std::to_string(sizes_.stored) + " stored messages: ";
        print_row(stored + "start until queued mail is answered", median(starts), 150);
        print_row(stored + "stop", median(stops), 100);
        const double night = start_after(sizes_.queued, [this] { daemon_.stop_market(); });
        print_row("start until " + std::to_string(sizes_.queued) + " queued messages are answered",
                  night, static_cast<double>(sizes_.queued) / 2);
        daemon_.stop();
    }

  private:
    static std::string topic_of(const std::string& agent_id) {
        return "P2P_TOPIC/p2p/GID_agent@@@" + agent_id;
    }
    std::vector<std::string> topics() const {
        std::vector<std::string> topics;
        for (const auto& peer : peers_)
            topics.push_back(topic_of(peer.agent_id));
        return topics;
    }
    bench::Load::Message letter() {
        return [this](std::size_t peer, std::size_t) -> const std::string& {
            return letters_.next(peer);
        };
    }

    void store() {
        const auto file = control::Home{daemon_.home()}.database_file();
        auto db = store::Database::open(file, store::Database::Mode::ReadWrite);
        if (!db || !(*db)->begin()) bench::give_up("the database cannot be opened");
        for (std::int64_t i = 0; i < sizes_.stored; ++i) {
            if (!bench::write_answered(**db, daemon_.agent_id(), i))
                bench::give_up("a message cannot be stored");
        }
        if (!(*db)->commit()) bench::give_up("the messages cannot be stored");
    }

    /// From the start of a2hd until the last of `count` messages that the broker has kept for it is
    /// answered, in milliseconds. `answers`: called with the first answer.
    double start_after(std::size_t count, const std::function<void()>& answers) {
        letters_.make(count);
        load_.flood(count, letter());
        const auto begin = SteadyClock::now();
        daemon_.start();
        load_.take_replies(1);
        answers();
        load_.take_replies(count - 1);
        return milliseconds_since(begin);
    }

    StartSizes sizes_;
    test::Broker broker_;
    bench::Daemon daemon_;
    std::vector<platform::Account> peers_;
    bench::Letters letters_;
    bench::Load load_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return std::fputs("usage: start_bench BUILD DATA [--quick]\n", stderr), 2;
    const std::filesystem::path build = argv[1];
    const std::filesystem::path dir = std::filesystem::path(argv[2]) / "start";
    std::filesystem::create_directories(dir);
    StartSizes sizes;
    if (argc > 3 && std::strcmp(argv[3], "--quick") == 0) sizes = {10'000, 1'000, 3};
    bench::print_machine(dir, build / "bin");
    Restarts(build, dir, sizes).run();
    return 0;
}
