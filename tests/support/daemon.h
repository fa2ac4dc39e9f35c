#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/control/client.h"
#include "core/platform/identity.h"
#include "tests/support/process.h"

namespace a2h::test {

/// Outside the class, because a default argument inside it could not use its defaults yet.
struct DaemonOptions {
    std::string config{};  ///< config.toml; empty: page on a free port, no notifications
    std::map<std::string, std::string> environment{};
    std::vector<std::string> people{};  ///< who has set a PIN, which is `Daemon::pin_of`
};

/// A real a2hd on a home of its own. Tests that use it link `a2h_test_daemon` and depend on `a2hd`.
class Daemon {
  public:
    static constexpr std::string_view kPin = "271828";
    static constexpr std::string_view kLinkKey = "dGVzdC1saW5rLWtleS10ZXN0LWxpbmsta2V5LTEyMzQ";

    /// Of somebody who is not the owner.
    static std::string pin_of(const std::string& person) { return "pin-of-" + person; }

    using Options = DaemonOptions;

    /// Writes the home folder and starts; returns when the control socket answers.
    Daemon(std::filesystem::path home, const std::vector<platform::Account>& accounts,
           const std::string& mqtt_url, Options options = {});

    const std::filesystem::path& home() const { return home_; }
    Process& process() { return *process_; }
    void start();
    void kill();  ///< SIGKILL
    void stop();  ///< SIGTERM; fails the test when it takes over 10 s

    /// The result of one operation that a human's or an assistant's client calls.
    nlohmann::json call_human(std::string_view action, std::string_view arguments_json = "{}");
    /// The same with the owner's PIN as a proof.
    nlohmann::json call_owner(std::string_view action, std::string_view arguments_json = "{}");
    nlohmann::json call_assistant(std::string_view action, std::string_view arguments_json = "{}");
    /// The program `a2h` on this home; `input` is its stdin.
    Ran a2h(std::vector<std::string> arguments, std::string_view input = {},
            const std::string& language = "en_US.UTF-8") const;
    /// `data` of `status`, for `agent_id` if given.
    nlohmann::json status(std::string_view agent_id = {});
    /// True when every agent is connected; waits for it.
    bool connected();
    std::string log() const;

  private:
    nlohmann::json call(std::string_view face, std::string_view action,
                        std::string_view arguments_json);

    std::filesystem::path home_;
    std::vector<std::string> agent_ids_;
    std::map<std::string, std::string> environment_;
    std::unique_ptr<Process> process_;
    std::unique_ptr<control::Client> client_;
};

}  // namespace a2h::test
