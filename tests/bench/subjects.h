#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/platform/identity.h"
#include "tests/support/broker.h"
#include "tests/support/process.h"

namespace a2h::bench {

/// Signed envelopes to one agent, made before a measurement: `make` fills, `at` reads.
class Letters {
  public:
    Letters(std::vector<platform::Account> senders, std::string target_id);

    /// `count` messages; the sender of number i is peer i modulo the peers. Each has another id and
    /// payload, as messages have; all of them ask the price of the one listing.
    void make(std::size_t count);
    /// Messages of `peer`; every message is used once.
    const std::string& next(std::size_t peer);

  private:
    std::vector<platform::Account> senders_;
    std::string target_id_;
    std::vector<std::vector<std::string>> texts_;  ///< by sender
    std::vector<std::size_t> used_;
    std::size_t made_ = 0;
};

/// A market, and an a2hd with one agent and one listing, as their owners would set them up.
class Daemon {
  public:
    Daemon(const std::filesystem::path& bin, const std::filesystem::path& dir,
           const a2h::test::Broker& broker);

    const std::string& agent_id() const { return seller_.account.agent_id; }
    /// Registers `count` peers at the market, so that their keys can be looked up.
    std::vector<platform::Account> register_peers(std::size_t count) const;
    /// Ends the market. Its recorder receives every message too, which would burden another machine
    /// in production; a2hd has the keys and the listing by then.
    void stop_market() { market_->stop(); }
    /// Starts a2hd again; returns at once.
    void start();
    /// Ends a2hd as systemd would; how long that took, in milliseconds.
    double stop();
    /// VmRSS in MiB.
    double resident_mib() const;
    std::filesystem::path home() const { return home_; }

  private:
    std::filesystem::path bin_;
    std::filesystem::path dir_;
    std::filesystem::path home_;
    std::string market_url_;
    platform::AgentIdentity seller_;
    std::unique_ptr<a2h::test::Process> market_;
    std::unique_ptr<a2h::test::Process> daemon_;
};

/// VmRSS of a process in MiB.
double resident_mib(pid_t pid);

/// Prints what is wrong and ends the bench.
[[noreturn]] void give_up(const std::string& what);

}  // namespace a2h::bench
