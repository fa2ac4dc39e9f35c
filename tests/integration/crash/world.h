#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/store/database.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/process_clock.h"
#include "tests/support/raw_mqtt.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A buyer that asks a seller for the price, again and again in different words, and records what
/// the broker acknowledged and which replies came. Its own connection is never disturbed, unless
/// the test ends the broker.
class Buyer {
  public:
    Buyer(Market& market, const std::string& name);

    /// Publishes one question; returns its message id.
    std::string ask(const std::string& seller_id,
                    const std::string& text = "How much is the logo design?");
    /// Handles what has arrived, for at most `time`.
    void pump(std::chrono::milliseconds time);
    /// Waits until every question has an answer; false when some are still missing then.
    bool wait_for_replies(std::chrono::seconds timeout = std::chrono::seconds(90));
    /// Logs in again, after the broker has ended the connection.
    void reconnect();

    const std::string& agent_id() const { return account_.agent_id; }
    /// Message ids that the broker acknowledged.
    const std::set<std::string>& taken() const { return taken_; }
    /// Ids of the replies by the id of the question, each id once however often it came.
    const std::map<std::string, std::set<std::string>>& replies() const { return replies_; }
    bool has_all_replies() const { return replies_.size() == asked_; }
    std::size_t unanswered() const { return asked_ - replies_.size(); }
    bool alive() const { return mqtt_->alive(); }

  private:
    Market& market_;
    platform::Account account_;
    std::unique_ptr<RawMqtt> mqtt_;
    std::size_t asked_ = 0;
    std::map<std::uint16_t, std::string> published_;
    std::set<std::string> taken_;
    std::map<std::string, std::set<std::string>> replies_;
};

/// A real market and broker, and the helpers to run an a2hd with sellers at them.
class World {
  public:
    /// Market and broker are started with `environment`, too; `serve_options` are a2h-market's.
    explicit World(std::map<std::string, std::string> environment = {},
                   std::vector<std::string> serve_options = {})
        : market_(dir_.path() / "market", std::move(serve_options), {}, std::move(environment)) {}

    Market& market() { return market_; }
    const std::filesystem::path& dir() const { return dir_.path(); }
    std::filesystem::path home() const { return dir_.path() / "home"; }
    /// Commits of an a2hd started with `faulty_options` fail while this file exists.
    std::filesystem::path fault_file() const { return dir_.path() / "no-commits"; }
    void fail_commits(bool on) const;

    /// Registers a seller with one listing, whose price may be stated without asking.
    platform::Account new_seller(const std::string& name);
    /// No limits for a peer, no notifications, commits that `fault_file` makes fail.
    Daemon::Options options() const;
    /// The same, for an a2hd that goes by `clock`.
    Daemon::Options options(const ProcessClock& clock) const;
    /// A read-only connection to the database of the a2hd in `home`.
    std::unique_ptr<store::Database> database() const;

  private:
    TempDir dir_;
    Market market_;
};

/// The resources that a process uses.
struct Footprint {
    std::int64_t resident_kib = 0;
    std::size_t descriptors = 0;
};
Footprint footprint_of(pid_t process);

/// Checks that a process has not grown since the warm-up. Memory that an allocator keeps and a
/// database caches is permitted; a leak of 2 KiB in each of 10 000 connections is not. Sanitizers
/// keep freed memory, so with them only descriptors are checked.
void check_flat(const Footprint& warm, const Footprint& now);

/// Waits until each agent of `daemon` has a session at the broker and knows its listing: questions
/// from before could be lost or left to the human.
bool wait_until_ready(Daemon& daemon, const std::vector<platform::Account>& agents);

/// Message ids in the inbox of `seller` from `buyer`; fails the test when one is there twice.
std::set<std::string> inbox_ids(store::Database& db, const std::string& seller,
                                const std::string& buyer);

/// Checks the invariants of this suite for a running a2hd after `buyer` was answered: each question
/// that the broker took is stored once and answered once, nothing waits any more, and no message is
/// a dead letter.
void check_nothing_lost(World& world, const std::vector<platform::Account>& sellers,
                        const Buyer& buyer);

}  // namespace a2h::test
