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

/// The demo human's PIN; printed, because this human is played by whoever watches.
constexpr std::string_view kDemoPin = "246810";
/// `[notify]` of an owner who is told nothing.
constexpr std::string_view kTellNobody = "[notify]\nchannels = []\n";
/// Until somebody presses Ctrl-C.
constexpr std::chrono::hours kUntilInterrupted{24 * 365};
/// How often a demo looks for what there is to tell.
constexpr std::chrono::milliseconds kLookInterval{150};

/// A market with its broker, and homes of owners, all on loopback in one temporary folder that goes
/// with the object.
class Place {
  public:
    /// `supervisor` must outlive the place and have been made before any thread.
    Place(const Invocation& invocation, Supervisor& supervisor);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// Makes the folder, and starts market and broker.
    /// Errors: NotFound with localised words that name a program that is missing; Unavailable with
    ///         such words for what did not start; `interrupted` tells whether somebody ended it.
    Result<void> open();

    /// As the owner of the home `folder()`/`name` would call; nothing is there yet.
    Invocation owner_at(const std::string& name) const;
    /// `a2h init` and a config.toml: the demo's language, the page on a free port, then `settings`.
    Result<platform::AgentIdentity> make_owner(const Invocation& owner, std::string_view name,
                                               std::string_view settings);
    /// One more agent, of an owner that is there.
    Result<platform::AgentIdentity> add_agent(const Invocation& owner, std::string_view name);
    /// Starts an owner's a2hd, called `name` when it ends by itself; `wait_connected` waits until
    /// all its agents are connected.
    Result<void> start_daemon(const Invocation& owner, const std::string& name);
    Result<void> wait_connected(const Invocation& owner, const std::string& name);

    /// Waits as `Supervisor::wait`; anything but the condition is an error that says `what` was
    /// waited for.
    Result<void> wait(const std::function<bool()>& condition, std::string_view what,
                      std::chrono::milliseconds timeout);
    /// To be asked between steps that take their time. Errors: those of `wait` but its time-out.
    Result<void> look_up();
    /// Whether somebody has ended the demo.
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

/// Of a demo that did not come to its end: whoever ended one that waited for them has not failed.
Outcome unfinished(const Invocation& invocation, const Place& place, const Error& error,
                   const nlohmann::json& data);

}  // namespace a2h::cli
