#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/demo/phone.h"
#include "cli/demo/supervisor.h"
#include "core/platform/identity.h"

namespace a2h::cli {

/// The demo human's PIN; printed, because this human is played by whoever watches.
constexpr std::string_view kDemoPin = "246810";

/// A market, its broker, a seller and a buyer, all on loopback in one temporary folder that goes
/// with the object. Everything is set up as its owners would: `a2h init`, settings files, listings
/// published with the seller's own keys.
class Stage {
  public:
    /// `supervisor` must outlive the stage and have been made before any thread.
    Stage(const Invocation& invocation, Supervisor& supervisor);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Errors: Unavailable with localised words for what did not start; `interrupted` tells
    /// whether somebody ended it instead.
    Result<void> set_up();

    /// Waits as `Supervisor::wait`; anything but the condition is an error that says `what` was
    /// waited for.
    Result<void> wait(const std::function<bool()>& condition, std::string_view what,
                      std::chrono::milliseconds timeout);
    bool interrupted() const { return interrupted_; }

    /// As the owner of each home would call.
    const Invocation& seller() const { return seller_; }
    const Invocation& buyer() const { return buyer_; }
    const std::string& seller_id() const { return seller_id_; }
    const std::string& buyer_id() const { return buyer_id_; }
    Phone& phone() { return *phone_; }
    const std::filesystem::path& folder() const { return folder_; }

  private:
    Result<void> start_market();
    Result<void> start_broker();
    Result<platform::AgentIdentity> make_owner(const Invocation& owner, std::string_view name_key,
                                               bool notified);
    Result<void> publish_listings(const platform::AgentIdentity& seller);
    Result<void> start_daemon(const Invocation& owner, const std::string& name);
    std::string text(std::string_view key) const;

    Supervisor& supervisor_;
    i18n::Language language_;
    std::filesystem::path folder_;
    std::string market_url_;
    std::uint16_t broker_port_ = 0;
    std::unique_ptr<Phone> phone_;
    std::string phone_secret_;
    Invocation seller_;
    Invocation buyer_;
    std::string seller_id_;
    std::string buyer_id_;
    bool interrupted_ = false;
};

}  // namespace a2h::cli
