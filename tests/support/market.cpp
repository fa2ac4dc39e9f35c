#include "tests/support/market.h"

#include <cstdlib>
#include <fstream>

#include "core/base/check.h"
#include "core/base/loopback.h"
#include "tests/support/postgres.h"

namespace a2h::test {
namespace {

const std::string kProgram = A2H_BIN_DIR "/a2h-market";

bool wants_postgres() {
    const char* wanted = std::getenv("A2H_TEST_DATABASE");
    return wanted != nullptr && std::string_view(wanted) == "postgresql";
}

}  // namespace

Market::Market(std::filesystem::path dir, std::vector<std::string> serve_options,
               std::string broker_lines, std::map<std::string, std::string> environment)
    : dir_(std::move(dir)),
      serve_options_(std::move(serve_options)),
      broker_lines_(std::move(broker_lines)),
      environment_(std::move(environment)),
      database_url_(wants_postgres() ? shared_postgres().create_database() : std::string()),
      broker_port_(free_port()),
      held_port_(hold_port(broker_port_)) {
    std::filesystem::create_directories(dir_);
    start_market();
    start_broker();
}

void Market::start_market() {
    port_ = start_process(market_, port_);
}

std::string Market::start_second_market() {
    return "http://127.0.0.1:" + std::to_string(start_process(second_market_, 0));
}

std::uint16_t Market::start_process(std::unique_ptr<Process>& process, std::uint16_t port) {
    std::vector<std::string> argv = {
        kProgram,     "--data",  dir_, "--listen", "127.0.0.1:" + std::to_string(port),
        "--mqtt-url", mqtt_url()};
    if (!database_url_.empty()) argv.insert(argv.end(), {"--database", database_url_});
    argv.insert(argv.end(), serve_options_.begin(), serve_options_.end());
    process = std::make_unique<Process>(
        Process::Options{.argv = std::move(argv),
                         .environment = environment_,
                         .stdout_file = {},
                         .stderr_file = dir_ / (&process == &market_ ? "market.log" : "second.log"),
                         .pipe_stdin = false});
    const auto line = process->read_line(std::chrono::seconds(20));
    constexpr std::string_view kPrefix = "listening on http://127.0.0.1:";
    A2H_CHECK(line && line->starts_with(kPrefix));
    return static_cast<std::uint16_t>(std::stoi(line->substr(kPrefix.size())));
}

void Market::start_broker() {
    const Ran config =
        run({kProgram, "broker-config", "--data", dir_, "--port", std::to_string(broker_port_)});
    A2H_CHECK(config.status == 0);
    const auto file = dir_ / "mosquitto.conf";
    std::ofstream(file) << config.out << broker_lines_;
    broker_ = std::make_unique<Process>(Process::Options{.argv = {"mosquitto", "-c", file},
                                                         .environment = environment_,
                                                         .stdout_file = dir_ / "broker.out",
                                                         .stderr_file = dir_ / "broker.log",
                                                         .pipe_stdin = false});
    A2H_CHECK(eventually([this] { return accepts_connections(broker_port_); }, kStartTimeMax));
    A2H_CHECK(broker_->running());
    held_port_.reset();
}

void Market::stop_broker() {
    broker_->stop();
    held_port_ = hold_port(broker_port_);
}

void Market::kill_broker() {
    broker_->kill();
    held_port_ = hold_port(broker_port_);
}

platform::Account Market::register_agent(std::string_view name) {
    const auto keys = wire::new_key_pair();
    auto registered = platform::Client::register_agent(http_, clock_, url(), name, keys);
    A2H_CHECK(registered.has_value());
    return {.api_base = url(),
            .agent_id = registered->agent_id,
            .keys = {.agent_key = registered->agent_key, .key_pair = keys}};
}

MarketClient Market::client(const platform::Account& account) {
    return MarketClient(http_, clock_, account);
}

void Market::revoke(const std::string& agent_id) {
    std::vector<std::string> argv = {kProgram, "revoke", agent_id, "--data", dir_};
    if (!database_url_.empty()) argv.insert(argv.end(), {"--database", database_url_});
    A2H_CHECK(run(argv).status == 0);
}

}  // namespace a2h::test
