#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/domain/approval.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A market, a broker with its plug-in, a seller with one listing at 280 CNY and a buyer, each with
/// a real a2hd.
struct Scene {
    explicit Scene(DaemonOptions seller_options = {});

    /// Publishes through the daemon: the tool call, and the human's yes to it.
    void publish_listing();
    /// The buyer's human has said yes to this text, if it needed one.
    void buyer_says(const std::string& text);
    /// The same for other arguments of the call `send`.
    void buyer_sends(nlohmann::json what);
    /// The seller's messages, newest first, as the buyer's assistant reads them.
    nlohmann::json replies_to_buyer();
    /// The seller's only open approval; waits for it.
    nlohmann::json open_approval();
    nlohmann::json open_approval_of(Daemon& daemon);
    nlohmann::json approval(const std::string& id);
    nlohmann::json answer(Daemon& daemon, const std::string& id, const std::string& decision,
                          std::string_view pin = Daemon::kPin);
    /// The human's yes, as soon as it is taken.
    void approve(Daemon& daemon, const std::string& id);
    /// The row itself, from which a test derives data that only a human gets.
    Approval stored_approval(const Daemon& daemon, const std::string& id) const;
    /// Acts like a channel that has brought the question to the owner, with its code.
    void deliver(const Daemon& daemon, const std::string& id) const;
    bool no_work_left(Daemon& daemon);

    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account seller_account = market.register_agent("seller");
    platform::Account buyer_account = market.register_agent("buyer");
    Daemon seller;
    Daemon buyer;
};

}  // namespace a2h::test
