#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A home whose market and broker are not running, and the commands that people give at a terminal.
struct TestHome {
    static constexpr const char* kAgent = "ag_house";

    TestHome();

    /// `a2hd --home … words`
    Ran a2hd(std::vector<std::string> words, std::string_view input = {},
             const std::string& language = "C.UTF-8");
    /// `a2h --home … words`
    Ran a2h(std::vector<std::string> words, std::string_view input = {},
            const std::string& language = "C.UTF-8");
    /// The envelope that `a2hd --once` prints.
    nlohmann::json once(const std::string& action, const std::string& params = "{}");

    TempDir dir;
    Daemon daemon;  ///< serves when the scene begins
};

/// An account that is in no market.
platform::Account made_up_account(const std::string& agent_id);

}  // namespace a2h::test
