#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/mqtt/connection.h"
#include "market/broker/token.h"
#include "market/db/database.h"
#include "market/relay/relay_lease.h"
#include "market/store/relay_store.h"

namespace a2h::market {

/// The market's connection to the broker, with announcer and recorder, reconnected without end.
/// HTTP does not need it: while the broker cannot be reached, events wait in their rows, and the
/// broker keeps the mail for the recorder.
///
/// Thread:  any.
class Relay {
  public:
    struct Options {
        std::string mqtt_url;
        std::filesystem::path data_dir;
        std::string ca_file;                 ///< private CA of the broker; empty: the system's
        std::chrono::hours history_kept{0};  ///< 0: for ever
    };
    struct Status {
        bool leads = false;  ///< false: another process of the same database does this work
        bool connected = false;
        std::string last_error;  ///< of the connection
        std::uint64_t announced = 0;
        std::uint64_t recorded = 0;
        std::uint64_t dropped =
            0;  ///< mail that is not stored: not an envelope, or not from its sender
    };

    /// Starts at once. All arguments except `options` must outlive it.
    ///
    /// Errors:  Unavailable.
    static Result<std::unique_ptr<Relay>> start(db::Database& database, const Clock& clock,
                                                const TokenSigner& signer, const OwnAgent& own,
                                                Options options);
    ~Relay();
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    Status status() const;

  private:
    struct Work;

    Relay(db::Database& database, const Clock& clock, const TokenSigner& signer,
          const OwnAgent& own, Options options, RelayLease lease);

    void run();
    void round();
    void tidy_up();
    void wake();
    void wait();
    Result<mqtt::Credentials> credentials() const;

    db::Database& database_;
    const Clock& clock_;
    const TokenSigner& signer_;
    const OwnAgent& own_;
    const Options options_;

    // Used only by the thread.
    RelayLease lease_;
    std::unique_ptr<Work> work_;  ///< while this process holds the lease
    bool failing_ = false;        ///< the database fails; logged once
    std::chrono::steady_clock::time_point tidied_at_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    bool woken_ = false;
    Status status_;

    std::thread thread_;
};

}  // namespace a2h::market
