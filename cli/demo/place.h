#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "cli/demo/supervisor.h"
#include "core/platform/identity.h"

namespace a2h::cli {

/// The demo human's PIN. It is printed, because the user plays this human.
constexpr std::string_view kDemoPin = "246810";
/// `[notify]` of an owner who gets no notifications.
constexpr std::string_view kTellNobody = "[notify]\nchannels = []\n";
/// Until Ctrl-C.
constexpr std::chrono::hours kUntilInterrupted{24 * 365};
/// How often a demo checks for news.
constexpr std::chrono::milliseconds kCheckInterval{150};

/// A market with its broker, and homes of owners, all on loopback in one temporary folder that is
/// removed with the object.
class Place {
  public:
    /// `supervisor` must outlive the place, and must have been created before any thread.
    Place(const Invocation& invocation, Supervisor& supervisor);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// Creates the folder, and starts market and broker.
    ///
    /// Errors:  NotFound with a localised text naming a program that is missing; Unavailable with
    ///          such a text for a program that did not start; `interrupted` says whether the user
    ///          ended it.
    Result<void> open();

    /// The invocation of the owner of the home `folder()`/`name`; the home does not exist yet.
    Invocation owner_at(const std::string& name) const;
    /// `a2h init` and a config.toml: the demo's language, the page on a free port, then `settings`.
    Result<platform::AgentIdentity> make_owner(const Invocation& owner, std::string_view name,
                                               std::string_view settings);
    /// Adds an agent of an existing owner.
    Result<platform::AgentIdentity> add_agent(const Invocation& owner, std::string_view name);
    /// Starts an owner's a2hd. `name` is used in the message if it ends by itself; `wait_connected`
    /// waits until all its agents are connected.
    Result<void> start_daemon(const Invocation& owner, const std::string& name);
    Result<void> wait_connected(const Invocation& owner, const std::string& name);

    /// Waits like `Supervisor::wait`. Returns an error that names `what` unless the condition is
    /// met.
    Result<void> wait(const std::function<bool()>& condition, std::string_view what,
                      std::chrono::milliseconds timeout);
    /// Call between steps that take time.
    ///
    /// Errors:  those of `wait` except its time-out.
    Result<void> look_up();
    /// Whether the user has ended the demo.
    bool interrupted() const { return interrupted_; }

    const std::filesystem::path& folder() const { return folder_; }
    i18n::Language language() const { return language_; }
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(language_, key, arguments);
    }

  private:
    Result<void> check_programs() const;
    Result<void> start_market();
    Result<void> start_broker();

    Supervisor& supervisor_;
    i18n::Language language_;
    Invocation invocation_;
    std::filesystem::path folder_;
    std::string market_url_;
    std::uint16_t broker_port_ = 0;
    bool interrupted_ = false;
};

/// The outcome of a demo that did not reach its end. If the user ended it while it waited for them,
/// it has not failed.
Outcome unfinished(const Invocation& invocation, const Place& place, const Error& error,
                   const nlohmann::json& data);

}  // namespace a2h::cli
