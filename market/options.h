#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "core/base/result.h"

namespace a2h::market {

/// The location of all data.
struct Place {
    std::filesystem::path data_dir;  ///< keys, files, and market.db unless `database` is given
    std::string database;            ///< postgresql://…; empty: SQLite
    int database_connections = 8;    ///< of PostgreSQL
};

struct ServeOptions {
    Place place;
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;
    std::string mqtt_url;
    std::string mqtt_ca_file;  ///< PEM, of a private CA that signed the broker's; empty: none
    std::string public_url;    ///< without a slash at the end; empty: the listen address
    std::chrono::seconds token_lifetime{};
    std::chrono::hours history_kept{};  ///< how long recorded messages are kept; 0: for ever
    int io_threads = 2;      ///< threads that read and write connections and answer quick requests
    int threads = 16;        ///< threads that run handlers
    int agent_rate = 200;    ///< signed requests a second for each agent; 0: not limited
    int agent_burst = 1000;  ///< number that may come at once
    int address_rate = 100;  ///< public and refused requests a second for each address; 0: …
    int address_burst = 1000;   ///< number that may come at once
    bool behind_proxy = false;  ///< trust the last address of X-Forwarded-For
    bool log_requests = false;
};

struct BrokerConfigOptions {
    std::filesystem::path data_dir;
    std::string address = "127.0.0.1";
    std::uint16_t port = 1883;
    std::filesystem::path plugin;  ///< of the mosquitto plug-in
};

struct RevokeOptions {
    Place place;
    std::string agent_id;
};

/// Everything was done: help or version was printed, or the options are wrong.
struct Finished {
    int exit_status = 0;
};

using Options = std::variant<ServeOptions, BrokerConfigOptions, RevokeOptions, Finished>;

/// Reads the command line and the configuration file that it names, whose options it overrides.
/// Prints help, version and errors of the options.
Options read_options(int argc, char** argv);

/// "127.0.0.1:0" or "[::1]:7800". Errors: InvalidArgument.
Result<std::pair<std::string, std::uint16_t>> split_address(std::string_view text);

}  // namespace a2h::market
