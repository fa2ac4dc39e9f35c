#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/guarded.h"
#include "core/mqtt/connection.h"
#include "tests/support/broker.h"
#include "tests/support/packet_proxy.h"
#include "tests/support/temp_dir.h"

namespace a2h::mqtt::test {

/// Options for `agent` at `uri`, with reconnect delays of milliseconds.
Options quick_options(const std::string& uri, const std::string& agent, int version);

/// Runs the test case once with MQTT 3.1.1 (4) and once with MQTT 5 (5).
int version_under_test();

/// A connection whose callbacks record what they see. Change the callbacks before `start`.
class Client {
  public:
    explicit Client(Options options);

    void start() { connection_->start(); }
    Connection& connection() { return *connection_; }
    /// Ends the connection; what was recorded stays.
    void stop() { connection_.reset(); }

    bool wait_connected();
    std::vector<std::string> received() const;
    bool wait_received(std::size_t count);
    std::vector<State> states() const;

    /// Called for each message before it is recorded; an error means "not stored".
    std::function<Result<void>(std::string_view payload)> store = [](std::string_view) {
        return Result<void>{};
    };
    std::function<Result<Credentials>()> credentials = [] {
        return Result<Credentials>(Credentials{});
    };

  private:
    SystemClock clock_;
    Guarded<std::vector<std::string>> received_;
    Guarded<std::vector<State>> states_;
    std::unique_ptr<Connection> connection_;
};

/// Counts how often each publish was answered, and with what. An answer may still come after this
/// object is gone, because a failed test leaves its client running.
class Answers {
  public:
    std::function<void(Result<void>)> expect();
    std::size_t count() const {
        return results_->with([](const auto& all) { return all.size(); });
    }
    bool wait(std::size_t count) const;
    /// The name of the error code of each answer in order of arrival; "ok" for success.
    std::vector<std::string> codes() const;

  private:
    using Results = Guarded<std::vector<Result<void>>>;
    std::shared_ptr<Results> results_ = std::make_shared<Results>();  ///< with who answers
};

/// Publishes `payloads` to `agent` from another client and waits for the broker's PUBACKs.
void send_to(std::uint16_t port, const std::string& agent,
             const std::vector<std::string>& payloads);

}  // namespace a2h::mqtt::test
