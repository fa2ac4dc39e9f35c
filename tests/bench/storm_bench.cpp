// Asks 1 000 questions in a minute of one person with a phone and a chat, against a real a2hd.
// Prints how many messages each channel got compared with the person's limit, the time that asking
// took, and the daemon's memory before and after.
//   storm_bench BUILD_FOLDER DATA_FOLDER [--quick]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/guarded.h"
#include "core/control/client.h"
#include "core/control/home.h"
#include "core/http/server.h"
#include "tests/bench/subjects.h"
#include "tests/support/daemon.h"

namespace {

using namespace a2h;
using nlohmann::json;
using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr int kLimit = 30;
constexpr int kAskers = 8;
constexpr double kGrowthMibMax = 8;

/// A service that accepts every message. It counts a message once, also if it is shown anew when
/// its question is closed.
class ChannelStandIn {
  public:
    ChannelStandIn() {
        auto started = http::Server::start({}, [this](const http::Request& request) {
            const json body = json::parse(request.body, nullptr, false);
            if (body.contains("sequence_id"))
                messages_.with(
                    [&body](auto& seen) { seen.insert(body["sequence_id"].get<std::string>()); });
            http::Response response;
            response.body = R"({"id":"1"})";
            return response;
        });
        if (!started) bench::give_up("the stand-in did not start");
        server_ = std::move(*started);
    }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
    int messages() const {
        return messages_.with([](const auto& seen) { return static_cast<int>(seen.size()); });
    }

  private:
    Guarded<std::set<std::string>> messages_;
    std::unique_ptr<http::Server> server_;
};

std::string config_of(const ChannelStandIn& phone, const ChannelStandIn& other) {
    const auto channel = [](const std::string& name, const ChannelStandIn& service) {
        return "[[channel]]\nname = \"" + name + "\"\nkind = \"ntfy\"\ntopic = \"t\"\nserver = \"" +
               service.url() + "\"\n";
    };
    return "[web]\nlisten = \"127.0.0.1:0\"\n" + channel("phone", phone) + channel("other", other) +
           "[[person]]\nname = \"anna\"\nnormal = [\"phone+other\"]\nper_hour_max = " +
           std::to_string(kLimit) + "\n";
}

/// Answers a question with no, so that the assistant may ask the next one: at most
/// `consent::kOpenOfAssistantMax` of its questions can be open.
void withdraw(control::Client& client, const std::string& asked) {
    const json params{{"face", "assistant"},
                      {"approval_id", json::parse(asked).at("data").at("approval_id")},
                      {"decision", "reject"}};
    const auto answer = client.call("approval.response", params.dump(), std::chrono::seconds(60));
    if (!answer || !json::parse(*answer).value("ok", false))
        bench::give_up("a question was not withdrawn");
}

/// Asks its share of `count` questions, evenly over `span`; how long each took, in milliseconds.
std::vector<double> ask(const std::filesystem::path& socket, int first, int count,
                        milliseconds span) {
    auto client = control::Client::connect(socket);
    if (!client) bench::give_up("no connection to a2hd");
    std::vector<double> took;
    const auto begin = SteadyClock::now();
    for (int i = first; i < count; i += kAskers) {
        std::this_thread::sleep_until(begin + span * i / count);
        const json params{{"face", "assistant"},
                          {"peer_id", "ag_peer" + std::to_string(i % 50)},
                          {"question", "May I answer number " + std::to_string(i) + "?"}};
        const auto asked = SteadyClock::now();
        const auto answer =
            (*client)->call("approval.create", params.dump(), std::chrono::seconds(60));
        if (!answer || answer->find("apr_") == std::string::npos)
            bench::give_up("a question was not taken");
        took.push_back(
            std::chrono::duration<double, std::milli>(SteadyClock::now() - asked).count());
        withdraw(**client, *answer);
    }
    return took;
}

/// Most of the memory that a daemon holds after its first minute of work stays in use.
double settled_mib(test::Daemon& daemon) {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    return bench::resident_mib(daemon.process().pid());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return std::fprintf(stderr, "usage: storm_bench BUILD DATA [--quick]\n"), 2;
    const bool quick = argc > 3 && std::strcmp(argv[3], "--quick") == 0;
    const int count = quick ? 200 : 1000;
    const milliseconds span = std::chrono::seconds(quick ? 12 : 60);
    const std::filesystem::path dir = std::filesystem::path(argv[2]) / "storm";
    std::filesystem::create_directories(dir);
    ChannelStandIn phone;
    ChannelStandIn other;
    platform::Account account;
    account.api_base = "http://127.0.0.1:1";
    account.agent_id = "ag_storm";
    account.keys.agent_key = "key";
    test::Daemon daemon(dir / "home", {account}, "tcp://127.0.0.1:1",
                        {.config = config_of(phone, other), .environment = {}});
    const auto socket = control::Home{daemon.home()}.socket_file();
    (void)ask(socket, 0, kAskers, milliseconds(100));
    const double before = settled_mib(daemon);
    std::vector<double> took;
    std::vector<std::vector<double>> parts(kAskers);
    std::vector<std::thread> askers;
    for (int first = 0; first < kAskers; ++first) {
        askers.emplace_back([&, first] {
            parts[static_cast<std::size_t>(first)] = ask(socket, first, count, span);
        });
    }
    for (auto& asker : askers)
        asker.join();
    for (const auto& part : parts)
        took.insert(took.end(), part.begin(), part.end());
    std::sort(took.begin(), took.end());
    const double after = settled_mib(daemon);
    const int most = std::max(phone.messages(), other.messages());
    const json open = daemon.call_human("approval.list", R"({"limit":1})");
    std::printf("Storm: %zu questions in %lld s, two channels, %d messages an hour on each\n",
                took.size(), static_cast<long long>(span.count() / 1000), kLimit);
    std::printf("| messages on the busier channel | %d | at most %d | %s |\n", most, kLimit,
                most <= kLimit ? "yes" : "NO");
    std::printf("| asking, p50 / p99 | %.0f / %.0f ms | | |\n", took[took.size() / 2],
                took[took.size() * 99 / 100]);
    std::printf("| memory before / after | %.1f / %.1f MiB | +%.0f MiB | %s |\n", before, after,
                kGrowthMibMax, after - before <= kGrowthMibMax ? "yes" : "NO");
    return open["ok"] == true && most <= kLimit && after - before <= kGrowthMibMax ? 0 : 1;
}
