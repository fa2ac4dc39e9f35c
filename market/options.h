#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "core/base/result.h"

namespace a2h::market {

struct ServeOptions {
    std::filesystem::path data_dir;
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;
    std::string mqtt_url;
    std::chrono::seconds token_lifetime{};
};

struct BrokerConfigOptions {
    std::filesystem::path data_dir;
    std::string address = "127.0.0.1";
    std::uint16_t port = 1883;
    std::filesystem::path plugin;  ///< of the mosquitto plug-in
};

struct RevokeOptions {
    std::filesystem::path data_dir;
    std::string agent_id;
};

/// What is to be done is done already: help or version was printed, or the options are wrong.
struct Finished {
    int exit_status = 0;
};

using Options = std::variant<ServeOptions, BrokerConfigOptions, RevokeOptions, Finished>;

/// Reads the command line; prints help, version and what is wrong with it.
Options read_options(int argc, char** argv);

/// "127.0.0.1:0" or "[::1]:7800". Errors: InvalidArgument.
Result<std::pair<std::string, std::uint16_t>> split_address(std::string_view text);

}  // namespace a2h::market
