#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/wire/envelope.h"
#include "tests/integration/hostile/peer.h"
#include "tests/support/broker.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A seller with its daemon, and a hostile peer. The broker permits everything, so that messages
/// that the plug-in of a careful broker would stop arrive here.
struct Scene {
    TempDir dir;
    Market market{dir.path() / "market"};
    Broker broker{dir.path() / "broker"};
    platform::Account seller = market.register_agent("seller");
    platform::Account mallory = market.register_agent("mallory");
    Daemon daemon{dir.path() / "seller", {seller}, broker.uri()};
    Peer peer{mallory, broker.uri()};

    /// Returns when the daemon receives its mail.
    Scene();

    void publish(const std::string& payload) { peer.publish(seller.agent_id, payload); }
    /// The result of the human's call; fails the test if it is an error.
    nlohmann::json data(std::string_view action,
                        const nlohmann::json& arguments = nlohmann::json::object());
    nlohmann::json counts() { return data("status").at("counts"); }
    std::int64_t refused(const std::string& reason);
    /// Waits until `received` messages are stored and nothing is left to decide.
    bool settled(std::int64_t received);
    nlohmann::json history(const std::string& peer_id);
};

/// A correct message as an object, to be spoilt.
nlohmann::json envelope_from(const platform::Account& sender, const std::string& target_id);

/// `envelope` signed again with `keys`, whatever it claims about its sender.
std::string resigned(nlohmann::json envelope, const wire::SigningKeys& keys, bool with_key = true);

}  // namespace a2h::test
