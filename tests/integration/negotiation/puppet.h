#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/market.h"
#include "tests/support/raw_mqtt.h"

namespace a2h::test {

/// An agent of another owner that gives scripted answers over the real broker and records what it
/// was asked. Thread: one.
class Puppet {
  public:
    /// Its answers; a member `decision` or `feedback_type` decides the rest of the message.
    struct Script {
        nlohmann::json offer = {{"decision", "participate"}, {"contribution", "a room"}};
        /// Answers by round, from the first; the last one for all further rounds. Null: it stays
        /// silent.
        std::vector<nlohmann::json> feedback = {{{"feedback_type", "accept"}}};
    };
    Puppet(Market& market, const std::string& name, Script script);
    Puppet(Market& market, const std::string& name) : Puppet(market, name, Script{}) {}

    const std::string& agent_id() const { return account_.agent_id; }
    const platform::Account& account() const { return account_; }
    Script& script() { return script_; }
    /// Handles what has arrived, for at most `time`.
    void pump(std::chrono::milliseconds time);
    /// Handles the next message or acknowledgement; false when none came within `time`.
    bool pump_one(std::chrono::milliseconds time);
    /// Sends a message of its own accord.
    void say(const std::string& target_id, const std::string& type, const nlohmann::json& payload);

    /// Ids of the invitations it got: what was sent twice has the same id.
    const std::set<std::string>& invitations() const { return invitations_; }
    /// By round.
    const std::map<int, std::set<std::string>>& reviews() const { return reviews_; }
    const std::set<std::string>& endings() const { return endings_; }
    /// Payloads of all that came with this type, by message id.
    const std::map<std::string, nlohmann::json>& received(const std::string& type) {
        return received_[type];
    }
    /// Forgets what it was asked; what it answered stays answered.
    void forget();
    /// The newest payload of each type.
    const nlohmann::json& last(const std::string& type) { return last_[type]; }

  private:
    void take(const nlohmann::json& envelope);

    Market& market_;
    platform::Account account_;
    Script script_;
    std::unique_ptr<RawMqtt> mqtt_;
    std::set<std::string> answered_;
    std::set<std::string> invitations_;
    std::map<int, std::set<std::string>> reviews_;
    std::set<std::string> endings_;
    std::map<std::string, std::map<std::string, nlohmann::json>> received_;
    std::map<std::string, nlohmann::json> last_;
};

}  // namespace a2h::test
