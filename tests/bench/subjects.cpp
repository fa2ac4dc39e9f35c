#include "tests/bench/subjects.h"
#include "tests/support/market_client.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "core/base/ids.h"
#include "core/control/home.h"
#include "core/http/client.h"
#include "core/wire/crypto.h"
#include "core/wire/envelope.h"

namespace a2h::bench {
namespace {

using a2h::test::Process;
using std::chrono::seconds;

template <typename T>
T must(Result<T> result, const char* what) {
    if (!result) give_up(std::string(what) + ": " + result.error().message);
    return std::move(result).value();
}
void must(const Result<void>& result, const char* what) {
    if (!result) give_up(std::string(what) + ": " + result.error().message);
}

platform::Account register_at(const std::string& market_url, const std::string& name,
                              std::string* mqtt_url = nullptr) {
    http::Client http({});
    const SystemClock clock;
    platform::Account account;
    account.api_base = market_url;
    account.keys.key_pair = wire::new_key_pair();
    const auto registered =
        must(platform::Client::register_agent(http, clock, market_url, name, account.keys.key_pair),
             "registering at the market");
    account.agent_id = registered.agent_id;
    account.keys.agent_key = registered.agent_key;
    if (mqtt_url != nullptr) *mqtt_url = registered.mqtt_url;
    return account;
}

}  // namespace

void give_up(const std::string& what) {
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

double resident_mib(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string word; status >> word;) {
        if (word != "VmRSS:") continue;
        double kib = 0;
        status >> kib;
        return kib / 1024;
    }
    return 0;
}

Letters::Letters(std::vector<platform::Account> senders, std::string target_id)
    : senders_(std::move(senders)),
      target_id_(std::move(target_id)),
      texts_(senders_.size()),
      used_(senders_.size()) {}

void Letters::make(std::size_t count) {
    const SystemClock clock;
    for (std::size_t peer = 0; peer < senders_.size(); ++peer) {
        texts_[peer].clear();
        used_[peer] = 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t peer = i % senders_.size();
        OutboxMessage message;
        message.agent_id = senders_[peer].agent_id;
        message.target_id = target_id_;
        message.message_id = new_message_id(clock.now_ms());
        message.message_type = "chat.request";
        message.trace_id = new_trace_id(clock.now_ms());
        message.payload_json = R"({"number":)" + std::to_string(made_++) +
                               R"(,"text":"Hello! How much is the portrait photo session?"})";
        texts_[peer].push_back(
            must(wire::sign_envelope(message, senders_[peer].keys, clock.now_ms()), "signing"));
    }
}

const std::string& Letters::next(std::size_t peer) {
    if (used_[peer] >= texts_[peer].size()) give_up("a peer has no letter left");
    return texts_[peer][used_[peer]++];
}

Daemon::Daemon(const std::filesystem::path& bin, const std::filesystem::path& dir,
               const a2h::test::Broker& broker)
    : bin_(bin), dir_(dir), home_(dir / "home") {
    market_ = std::make_unique<Process>(Process::Options{
        .argv = {(bin / "a2h-market").string(), "--data", (dir / "market").string(), "--listen",
                 "127.0.0.1:0", "--mqtt-url", broker.uri()},
        .environment = {},
        .stdout_file = {},
        .stderr_file = dir / "market.log"});
    const auto line = market_->read_line(seconds(10));
    constexpr std::string_view kListening = "listening on ";
    if (!line || !line->starts_with(kListening)) give_up("a2h-market did not start");
    market_url_ = line->substr(kListening.size());

    seller_.name = "bench";
    seller_.account = register_at(market_url_, "bench", &seller_.mqtt_url);
    http::Client http({});
    const SystemClock clock;
    test::MarketClient market(http, clock, seller_.account);
    test::ListingDraft draft;
    draft.title = "Portrait photo session";
    draft.content = "One hour in the studio; ten edited pictures within a week.";
    draft.expected_price = "280 CNY";
    draft.service_location = "Chengdu";
    must(market.submit_listing(draft), "publishing a listing");

    const control::Home home{home_};
    must(platform::make_private_folder(home.root), "making the home");
    must(platform::make_private_folder(home.agents_dir()), "making the home");
    must(platform::save_new_agent(home.agents_dir(), seller_), "writing the identity");
    must(platform::save_new_human(home.human_file(), {wire::hash_pin("246810"), wire::new_token()}),
         "writing the human's file");
    std::ofstream(home_ / "config.toml") << "[web]\nlisten = \"127.0.0.1:0\"\n"
                                         << "[notify]\nchannels = []\n"
                                         << "[limits]\nrounds_per_peer_per_day = 1000000\n"
                                         << "messages_per_peer_per_minute = 1000000\n";
    start();
    const bool connected = a2h::test::eventually([&] {
        std::ifstream log(dir / "a2hd.log");
        for (std::string entry; std::getline(log, entry);) {
            if (entry.find("Connected to the broker") != std::string::npos) return true;
        }
        return false;
    });
    if (!connected) give_up("a2hd did not connect");
}

void Daemon::start() {
    daemon_ = std::make_unique<Process>(
        Process::Options{.argv = {(bin_ / "a2hd").string(), "--home", home_.string()},
                         .environment = {},
                         .stdout_file = dir_ / "a2hd.out",
                         .stderr_file = dir_ / "a2hd.log"});
}

double Daemon::stop() {
    const auto asked = std::chrono::steady_clock::now();
    if (daemon_->stop(seconds(20)) != 0) give_up("a2hd did not stop");
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - asked)
        .count();
}

std::vector<platform::Account> Daemon::register_peers(std::size_t count) const {
    std::vector<platform::Account> peers;
    for (std::size_t i = 0; i < count; ++i)
        peers.push_back(register_at(market_url_, "peer " + std::to_string(i)));
    return peers;
}

double Daemon::resident_mib() const {
    return bench::resident_mib(daemon_->pid());
}

}  // namespace a2h::bench
