// Measures a2h-market's HTTP against a bare Beast server under wrk, side by side: each side in
// turn, five times, medians. Then memory: idle, and after many requests.
//
//   market_http_bench BUILD_FOLDER DATA_FOLDER [--quick]

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/platform/client.h"
#include "core/wire/payload.h"
#include "tests/bench/machine.h"
#include "tests/bench/subjects.h"
#include "tests/support/market_client.h"
#include "tests/support/market_http.h"
#include "tests/support/process.h"

namespace {

using namespace a2h;
using a2h::test::Process;
using bench::give_up;
using std::chrono::seconds;

constexpr int kThreads = 2;
constexpr int kConnections = 64;

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// The text after `prefix` on the program's first line.
std::string started(Process& process, std::string_view prefix) {
    const auto line = process.read_line(seconds(20));
    if (!line || !line->starts_with(prefix)) give_up("a server did not start");
    return line->substr(prefix.size());
}

struct Load {
    double per_second = 0;
    double p99_ms = 0;
    double requests = 0;
};

double to_ms(const std::string& text) {
    const double value = std::stod(text);
    if (text.ends_with("us")) return value / 1000;
    return text.ends_with("ms") ? value : value * 1000;
}

/// Runs wrk and reads its report.
Load wrk(const std::string& url, const std::vector<std::string>& headers, int duration_s) {
    std::vector<std::string> argv{"wrk", "-t1", "-c" + std::to_string(kConnections),
                                  "-d" + std::to_string(duration_s) + "s", "--latency"};
    for (const auto& header : headers)
        argv.insert(argv.end(), {"-H", header});
    argv.push_back(url);
    const auto done = test::run(argv, {}, {}, seconds(duration_s + 30));
    if (done.status != 0) give_up("wrk failed: " + done.err);
    // An error answer is quicker than a real one and must not be counted.
    if (done.out.find("Non-2xx") != std::string::npos) give_up("not all answers were good");
    Load load;
    const auto after = [&](const char* name) {
        const auto at = done.out.find(name);
        return at == std::string::npos ? std::string("0") : done.out.substr(at + std::strlen(name));
    };
    load.per_second = std::stod(after("Requests/sec:"));
    const auto p99 = after(" 99% ");
    const auto begin = p99.find_first_not_of(' ');
    load.p99_ms = to_ms(p99.substr(begin, p99.find('\n') - begin));
    const auto total = done.out.rfind(' ', done.out.find(" requests in") - 1);
    load.requests = std::stod(done.out.substr(total));
    return load;
}

class Market {
  public:
    Market(const std::filesystem::path& build, const std::filesystem::path& dir)
        : process_(
              {.argv = {build / "bin/a2h-market", "--data", dir, "--mqtt-url", "mqtt://127.0.0.1:1",
                        "--agent-rate", "0", "--io-threads", std::to_string(kThreads)},
               .stderr_file = dir.string() + ".log"}),
          url_(started(process_, "listening on ")) {
        account_ = test::plain_agent(url_, "Bench");
        test::ListingDraft draft;
        draft.title = "上门修电脑 laptop repair";
        draft.content = "当天修好 same day";
        draft.expected_price = "280 CNY";
        draft.service_method = "offline";
        const auto works_id = test::MarketClient(http_, clock_, account_).submit_listing(draft);
        if (!works_id) give_up("no listing: " + works_id.error().message);
        path_ = "/findu-user/api/v1/user/works/" + *works_id + "/detail";
    }

    Load load(int duration_s) {
        const auto now_s = clock_.now_ms() / 1000;
        return wrk(
            url_ + path_,
            {"X-Agent-Id: " + account_.agent_id, "X-Timestamp: " + std::to_string(now_s),
             "X-Agent-Signature: " + wire::platform_signature(account_.keys.agent_key, "GET", path_,
                                                              account_.agent_id, now_s)},
            duration_s);
    }
    double resident() const { return bench::resident_mib(process_.pid()); }

  private:
    Process process_;
    std::string url_;
    http::Client http_{{}};
    SystemClock clock_;
    platform::Account account_;
    std::string path_;
};

void compare(Market& market, const std::string& hello_url, int rounds, int duration_s) {
    std::vector<double> ours;
    std::vector<double> theirs;
    std::vector<double> p99;
    market.load(1);
    for (int round = 0; round < rounds; ++round) {
        theirs.push_back(wrk(hello_url, {}, duration_s).per_second);
        const Load load = market.load(duration_s);
        ours.push_back(load.per_second);
        p99.push_back(load.p99_ms);
    }
    const double ratio = median(ours) / median(theirs);
    std::printf("| signed listing detail, requests/s | %.0f | %.0f | %.2f x | >= 0.5 x | %s |\n",
                median(ours), median(theirs), ratio, ratio >= 0.5 ? "yes" : "NO");
    std::printf("| the same, p99 | %.2f ms | | | | |\n", median(p99));
}

void soak(Market& market, double requests) {
    double done = market.load(5).requests;
    const double before = market.resident();
    while (done < requests)
        done += market.load(10).requests;
    const double growth = market.resident() - before;
    std::printf("| resident memory after %.0f requests | %.1f MiB | | %+.1f MiB | flat | %s |\n",
                done, market.resident(), growth, growth < 1 ? "yes" : "NO");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const std::filesystem::path build = argv[1];
    const std::filesystem::path dir = argv[2];
    const bool quick = argc > 3 && std::strcmp(argv[3], "--quick") == 0;
    bench::print_machine(dir, build / "bin");
    std::printf("\n%d I/O threads on both sides, wrk with one thread and %d connections\n\n",
                kThreads, kConnections);
    std::printf(
        "| | a2h-market | bare Beast | result | target | met |\n|---|---|---|---|---|---|\n");
    Market market(build, dir / "market-http");
    const double idle = market.resident();
    std::printf("| resident memory, idle | %.1f MiB | | | < 60 MiB | %s |\n", idle,
                idle < 60 ? "yes" : "NO");
    Process hello({.argv = {build / "bench/baseline_hello", std::to_string(kThreads)}});
    const std::string hello_url = "http://127.0.0.1:" + started(hello, "listening on ") + "/";
    compare(market, hello_url, quick ? 1 : 5, quick ? 2 : 5);
    soak(market, quick ? 100'000 : 1'000'000);
    return 0;
}
