#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/raw_mqtt.h"
#include "tests/support/scripted_http.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// Number of messages from `sender` to `receiver` that the market has recorded.
long in_history(const platform::Account& sender, const platform::Account& receiver);
/// The messages of `peer` to the agent of `daemon`.
std::multiset<std::string> texts_from(Daemon& daemon, const std::string& peer);
/// Waits until the market's own connection to the broker is in `state`.
bool relay_is(const Market& market, const std::string& state);
/// Forwards a request to `market`, and its answer back, perhaps changed.
void relay_to(const Market& market, ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request,
              const std::function<void(std::string& body)>& change = {});

/// Sends mail as `account`, which expires after `seconds` in the hands of the market's broker; 0:
/// never.
class Guest {
  public:
    Guest(Market& market, platform::Account account, std::uint32_t seconds = 0);
    void say(const std::string& target_id, const std::string& text,
             const std::string& trace_id = {});
    void publish(const std::string& target_id, const std::string& mail);

  private:
    platform::Account account_;
    std::unique_ptr<RawMqtt> mqtt_;
};

/// Two agents that know nothing of each other; the seller's a2hd has not been started yet.
struct Strangers {
    Strangers();

    void buyer_says(const std::string& text);
    /// The seller's a2hd, with the market at `api` if given.
    Daemon& up(const std::string& api = {});
    /// Queues an assistant's words while the seller's a2hd is stopped.
    void queue_at_seller(const std::string& text, const std::string& cause = "tool:send",
                         const std::string& type = "chat.request") const;
    /// The query that follows the first connection is done.
    bool has_asked();
    void broker_forgets();
    std::multiset<std::string> texts() { return texts_from(*seller, buyer_account.agent_id); }
    /// The events and notifications of a2hd about a lost session, each as its JSON.
    std::vector<nlohmann::json> events_of_loss();
    bool has_problem(const std::string& code);

    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account seller_account = market.register_agent("seller");
    platform::Account buyer_account = market.register_agent("buyer");
    Daemon buyer{dir.path() / "buyer", {buyer_account}, market.mqtt_url()};
    std::unique_ptr<Daemon> seller;
    std::multiset<std::string> said;  ///< by the buyer
};

}  // namespace a2h::test
