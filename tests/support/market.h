#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fd.h"
#include "core/platform/client.h"
#include "tests/support/market_client.h"
#include "tests/support/process.h"

namespace a2h::test {

/// A real a2h-market and a real mosquitto with its plug-in, on free loopback ports, with all their
/// files in one folder; with A2H_TEST_DATABASE=postgresql in the environment, on a new database of
/// `shared_postgres()`. Tests that use it link `a2h_test_market` and depend on `a2h-market`.
class Market {
  public:
    /// `serve_options` are added to a2h-market's, `broker_lines` to the printed configuration,
    /// `environment` to that of both.
    explicit Market(std::filesystem::path dir, std::vector<std::string> serve_options = {},
                    std::string broker_lines = {},
                    std::map<std::string, std::string> environment = {});

    const std::filesystem::path& dir() const { return dir_; }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    std::string mqtt_url() const { return "mqtt://127.0.0.1:" + std::to_string(broker_port_); }
    std::uint16_t port() const { return port_; }
    /// Empty for SQLite, else for `--database`.
    const std::string& database_url() const { return database_url_; }
    std::uint16_t broker_port() const { return broker_port_; }
    Process& market() { return *market_; }
    Process& broker() { return *broker_; }

    /// Registers a new agent with a new key pair.
    platform::Account register_agent(std::string_view name);
    /// The HTTP API as `account` sees it.
    MarketClient client(const platform::Account& account);

    void start_market();  ///< on the same port; returns when it answers
    void start_broker();  ///< on the same port; returns when it accepts connections
    /// Starts another a2h-market on the same folder and database; returns its URL.
    std::string start_second_market();
    void stop_market() { market_->stop(); }
    void kill_market() { market_->kill(); }
    // No other broker listens on its port meanwhile.
    void stop_broker();
    void kill_broker();
    /// `a2h-market revoke agent_id`
    void revoke(const std::string& agent_id);

  private:
    std::uint16_t start_process(std::unique_ptr<Process>& process, std::uint16_t port);

    std::filesystem::path dir_;
    std::vector<std::string> serve_options_;
    std::string broker_lines_;
    std::map<std::string, std::string> environment_;
    std::string database_url_;  ///< empty: SQLite
    std::uint16_t port_ = 0;
    std::uint16_t broker_port_;
    std::unique_ptr<Process> market_;
    std::unique_ptr<Process> second_market_;
    std::unique_ptr<Process> broker_;
    Fd held_port_;  ///< of a broker that does not run
    http::Client http_{{}};
    SystemClock clock_;
};

}  // namespace a2h::test
