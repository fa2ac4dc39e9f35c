// Measures whether a model that never answers delays other peers: how long a peer waits for the
// answer of a rule while no draft is under way, and while the permitted number of drafts hangs.
//   model_bench DATA_FOLDER [--quick]

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/mqtt/connection.h"
#include "core/wire/envelope.h"
#include "tests/bench/subjects.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/raw_mqtt.h"
#include "tests/support/scripted_http.h"

namespace {

using namespace a2h;
using bench::give_up;
using nlohmann::json;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr double kDelayMaxMs = 5;
/// Each causes one draft. The words differ, because repeats are not answered, and there is no
/// number, because a rule asks the human about numbers.
constexpr std::array kForWhom = {"school", "bakery", "theatre", "museum",
                                 "clinic", "garage", "library", "choir"};
constexpr int kHangingDrafts = static_cast<int>(kForWhom.size());

constexpr const char* kConfig =
    "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
    "[limits]\nrounds_per_peer_per_day = 1000000\nmessages_per_peer_per_minute = 1000000\n"
    "[model]\napi = \"messages\"\nmodel = \"hanging\"\nurl = \"";

/// A peer with a connection of its own.
class Peer {
  public:
    Peer(test::Market& market, const std::string& name, const std::string& seller_id)
        : account_(market.register_agent(name)),
          topic_(mqtt::receive_topic(seller_id)),
          seller_id_(seller_id),
          mqtt_(market.broker_port(), login_of(market)) {
        if (!mqtt_.subscribe(mqtt::receive_topic(account_.agent_id)))
            give_up("the broker refused a subscription");
    }

    void say(const std::string& text) {
        const UnixMs now_ms = SystemClock().now_ms();
        OutboxMessage message;
        message.agent_id = account_.agent_id;
        message.target_id = seller_id_;
        message.message_id = new_message_id(now_ms);
        message.trace_id = message.message_id;
        message.message_type = "chat.request";
        // Repeats are not answered; the number makes each message different.
        message.payload_json = json{{"n", ++said_}, {"text", text}, {"type", "text"}}.dump();
        const auto envelope = wire::sign_envelope(message, account_.keys, now_ms);
        if (!envelope) give_up("a message cannot be signed");
        mqtt_.publish(topic_, *envelope);
        mqtt_.flush();
    }

    /// Milliseconds from the question to the answer behind the broker.
    double wait_for_answer(const std::string& text) {
        const auto begin = steady_clock::now();
        say(text);
        while (const auto event = mqtt_.read(seconds(10))) {
            if (event->type != test::PacketType::Publish) continue;
            return std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count();
        }
        give_up("an answer did not come");
    }

  private:
    test::RawMqtt::Login login_of(test::Market& market) const {
        const std::string client_id = mqtt::listener_client_id(account_.agent_id);
        const auto token = market.client(account_).fetch_broker_token(client_id);
        if (!token) give_up("no credentials for the broker");
        return {client_id, token->username, token->password};
    }

    platform::Account account_;
    std::string topic_;
    std::string seller_id_;
    test::RawMqtt mqtt_;
    int said_ = 0;
};

struct Times {
    double p50 = 0;
    double p99 = 0;
    std::size_t count = 0;
};

class Bench {
  public:
    explicit Bench(const std::filesystem::path& dir)
        : endpoint_([](auto& peer, const auto&) { peer.hang(); }),
          market_(dir / "market", {}, "autosave_on_changes false\nautosave_interval 0\n"),
          seller_(new_seller()),
          daemon_(dir / "home", {seller_}, market_.mqtt_url(),
                  {.config = kConfig + endpoint_.url("/v1/messages") + "\"\n"}),
          asker_(market_, "Asker", seller_.agent_id),
          other_(market_, "Other", seller_.agent_id) {
        const bool knows_listing = test::eventually(
            [&] { return daemon_.status(seller_.agent_id)["market"].value("ok", false); },
            seconds(30));
        if (!daemon_.connected() || !knows_listing) give_up("a2hd did not start");
    }

    void run(seconds each) {
        measure(each / 2);
        const Times alone = measure(each);
        for (const char* whom : kForWhom)
            other_.say(std::string("Which of your styles fits a ") + whom + " best?");
        const bool hangs =
            test::eventually([&] { return drafts_under_way() >= kHangingDrafts; }, seconds(5));
        if (!hangs) give_up("no draft hangs");
        const Times beside = measure(each);
        if (drafts_under_way() == 0) give_up("the drafts ended before the measurement did");
        print("no draft under way", alone);
        print("8 drafts hang at a model", beside);
        const double more = std::max(beside.p50 - alone.p50, beside.p99 - alone.p99);
        std::printf("| %-28s | %8.2f ms | %8.2f ms | < %2.0f ms: %s |\n", "difference",
                    beside.p50 - alone.p50, beside.p99 - alone.p99, kDelayMaxMs,
                    more < kDelayMaxMs ? "yes" : "NO");
    }

  private:
    platform::Account new_seller() {
        auto account = market_.register_agent("Seller");
        test::ListingDraft draft;
        draft.title = "Logo design";
        draft.content = "A logo in three days.";
        draft.expected_price = "280 CNY";
        draft.service_method = "online";
        if (!market_.client(account).submit_listing(draft)) give_up("the listing was refused");
        return account;
    }

    int drafts_under_way() { return daemon_.status()["model"]["under_way"].get<int>(); }

    Times measure(std::chrono::milliseconds time) {
        std::vector<double> times;
        for (const auto end = steady_clock::now() + time; steady_clock::now() < end;)
            times.push_back(asker_.wait_for_answer("How much is the logo design?"));
        std::sort(times.begin(), times.end());
        const auto at = [&](double share) {
            return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
        };
        return {at(0.5), at(0.99), times.size()};
    }

    static void print(const char* what, const Times& times) {
        std::printf("| %-28s | %8.2f ms | %8.2f ms | %5zu answers |\n", what, times.p50, times.p99,
                    times.count);
    }

    test::ScriptedHttp endpoint_;
    test::Market market_;
    platform::Account seller_;
    test::Daemon daemon_;
    Peer asker_;
    Peer other_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: model_bench DATA_FOLDER [--quick]\n", stderr);
        return 2;
    }
    const bool is_quick = argc > 2 && std::strcmp(argv[2], "--quick") == 0;
    // A draft hangs for ten seconds, then its time is over.
    std::printf("| %-28s | %11s | %11s | %13s |\n", "a rule answers, while", "p50", "p99", "");
    std::printf("|------------------------------|-------------|-------------|---------------|\n");
    Bench(std::filesystem::path(argv[1]) / "model").run(seconds(is_quick ? 2 : 6));
    return 0;
}
