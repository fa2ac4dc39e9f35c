#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/guarded.h"
#include "core/mqtt/connection.h"
#include "core/platform/client.h"

namespace a2h::test {

/// A program that publishes any message to any agent.
class Peer {
  public:
    /// `name` becomes its client id; it hears the mail of `account`.
    Peer(const platform::Account& account, std::string_view broker_uri);

    /// Returns when the broker has acknowledged.
    void publish(std::string_view agent_id, std::string_view payload);
    /// Texts of what came in, oldest first.
    std::vector<std::string> heard() const;

  private:
    SystemClock clock_;
    Guarded<std::vector<std::string>> heard_;
    std::unique_ptr<mqtt::Connection> connection_;  // last: its callbacks use the others
};

/// A message as `sender` would sign it.
struct Draft {
    std::string text;
    std::string message_id{};    ///< empty: a new one
    std::string payload_json{};  ///< instead of the text
};
std::string signed_message(const platform::Account& sender, std::string_view target_id,
                           const Draft& draft);

}  // namespace a2h::test
