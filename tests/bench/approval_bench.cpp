// Measures what a human waits for: the page and its list while 10 000 questions are open, and the
// way from the click on Approve to the reply's arrival behind a real broker.
//
//   approval_bench DATA_FOLDER [--quick]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/mqtt/connection.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"
#include "tests/bench/subjects.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/page_session.h"
#include "tests/support/raw_mqtt.h"

namespace {

using namespace a2h;
using bench::give_up;
using nlohmann::json;
using std::chrono::seconds;

constexpr double kListTargetMs = 100;
constexpr double kAnswerTargetMs = 20;

struct Sizes {
    int open = 10'000;
    std::size_t requests = 300;
    std::size_t answers = 2'000;
};

/// Milliseconds that `work` takes.
double timed(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

void print_row(const char* what, std::vector<double> times, double target_ms) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("| %-44s | %8.2f ms | %8.2f ms | < %3.0f ms | %-3s |\n", what, at(0.5), at(0.99),
                target_ms, at(0.99) < target_ms ? "yes" : "NO");
    std::fflush(stdout);
}

class Bench {
  public:
    Bench(const std::filesystem::path& dir, Sizes sizes)
        : sizes_(sizes),
          // The disk writes of the broker are not part of the measurement.
          market_(dir / "market", {}, "autosave_on_changes false\nautosave_interval 0\n"),
          seller_(market_.register_agent("Seller")),
          buyer_(market_.register_agent("Buyer")),
          daemon_(dir / "home", {seller_}, market_.mqtt_url()),
          receiver_(market_.broker_port(), login_of(buyer_)) {
        if (!daemon_.connected()) give_up("a2hd did not connect");
        if (!receiver_.subscribe(mqtt::receive_topic(buyer_.agent_id)))
            give_up("the broker refused a subscription");
        ask();
        session_ = test::enter_page(daemon_);
    }

    void run() {
        std::printf("| %-44s | %11s | %11s | %8s | %-3s |\n", "10 000 questions open", "p50", "p99",
                    "p99 must", "met");
        std::printf("|%s|\n",
                    "----------------------------------------------|-------------|-------------|"
                    "----------|-----");
        print_row("the page", fetch("/"), kListTargetMs);
        print_row("the list, 50 of them", fetch("/api/approvals"), kListTargetMs);
        print_row("the list of a peer who asked nothing", fetch("/api/approvals?peer=ag_nobody"),
                  kListTargetMs);
        print_row("each page of 100, to the end", fetch_all(), kListTargetMs);
        print_row("the history", fetch("/api/history"), kListTargetMs);
        print_row("one question with all that belongs to it",
                  fetch("/api/approvals/" + asked_.back().id), kListTargetMs);
        print_row("click to reply at the receiver", answer(), kAnswerTargetMs);
    }

  private:
    test::RawMqtt::Login login_of(const platform::Account& account) {
        const std::string client_id = mqtt::listener_client_id(account.agent_id);
        const auto token = market_.client(account).fetch_broker_token(client_id);
        if (!token) give_up("no credentials for the broker");
        return {client_id, token->username, token->password};
    }

    void ask() {
        auto opened =
            store::Database::open(daemon_.home() / "a2hd.db", store::Database::Mode::ReadWrite);
        if (!opened || !(*opened)->begin()) give_up("the database cannot be opened");
        const UnixMs now = SystemClock().now_ms();
        for (int i = 0; i < sizes_.open; ++i) {
            consent::Ask question;
            question.agent_id = seller_.agent_id;
            question.peer_id = buyer_.agent_id;
            question.action = "reply.send";
            question.reply_text = "300 is fine, number " + std::to_string(i);
            question.question = "Accept 300 CNY?";
            question.amount_minor = 30'000;
            question.currency = "CNY";
            question.requested_by = "rule:counter-offer";
            const auto asked = consent::new_approval(question, {}, now);
            if (!consent::open_approval(**opened, asked, {}, now))
                give_up("a question cannot be stored");
            asked_.push_back(asked);
        }
        if (!(*opened)->commit()) give_up("the questions cannot be stored");
    }

    std::vector<double> fetch(const std::string& path) {
        std::vector<double> times;
        for (std::size_t i = 0; i < sizes_.requests; ++i) {
            times.push_back(timed([&] {
                if (session_.send("GET", path).status != 200) give_up(path + " was refused");
            }));
        }
        return times;
    }

    std::vector<double> fetch_all() {
        std::vector<double> times;
        std::string cursor;
        for (bool more = true; more;) {
            json page;
            times.push_back(timed([&] {
                const auto got = session_.send("GET", "/api/approvals?limit=100&cursor=" + cursor);
                if (got.status != 200) give_up("a page of the list was refused: " + got.body);
                page = json::parse(got.body).at("data");
            }));
            cursor = page.at("cursor");
            more = page.at("more");
        }
        return times;
    }

    /// One after the other, as a human answers; the clock stops when the receiver has the text.
    std::vector<double> answer() {
        std::vector<double> times;
        for (std::size_t i = 0; i < sizes_.answers; ++i) {
            const Approval& approval = asked_[i];
            const json click{
                {"approval_id", approval.id}, {"digest", approval.digest}, {"decision", "approve"}};
            const std::string body = json{{"answers", {click}}}.dump();
            const auto begin = std::chrono::steady_clock::now();
            std::chrono::steady_clock::time_point arrived;
            // The reply arrives before the page gets its event. Waiting for one after the other
            // would measure the slower of the two.
            std::thread waiting([&] {
                const auto event = receiver_.read(seconds(10));
                arrived = std::chrono::steady_clock::now();
                if (!event || event->payload.find(approval.reply_text) == std::string::npos)
                    give_up("a reply did not arrive");
            });
            const auto answered = session_.send("POST", "/api/answers", body);
            waiting.join();
            if (answered.body.find("\"status\":\"approved\"") == std::string::npos)
                give_up("an answer was refused: " + answered.body);
            times.push_back(std::chrono::duration<double, std::milli>(arrived - begin).count());
        }
        return times;
    }

    Sizes sizes_;
    test::Market market_;
    platform::Account seller_;
    platform::Account buyer_;
    test::Daemon daemon_;
    test::RawMqtt receiver_;
    std::vector<Approval> asked_;
    test::PageSession session_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: approval_bench DATA_FOLDER [--quick]\n", stderr);
        return 2;
    }
    Sizes sizes;
    if (argc > 2 && std::strcmp(argv[2], "--quick") == 0) sizes = {10'000, 100, 200};
    Bench(std::filesystem::path(argv[1]) / "approvals", sizes).run();
    return 0;
}
