#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::model {

/// The wire formats that we speak.
enum class Api {
    Off,              ///< no language model; rules decide alone
    Messages,         ///< Anthropic's Messages API
    ChatCompletions,  ///< OpenAI's chat completions, and whatever is compatible with it
};

/// `[model]` of config.toml; docs/models.md describes each.
///
/// Units: prices are minor units of `currency` for a million tokens.
struct Settings {
    Api api = Api::Off;
    std::string url;                 ///< of the endpoint itself; empty: that of the API's maker
    std::string model;               ///< as the endpoint names it
    std::filesystem::path key_file;  ///< holds the key and nothing else; 0600
    std::string credential;          ///< name of a systemd credential that holds the key
    std::string ca_file;             ///< private CA; empty: the system's
    std::string token_limit_field;   ///< chat completions; empty: what the host understands
    bool is_structured = true;       ///< asks the endpoint to keep to our schema
    int output_tokens_max = 1024;
    std::int64_t input_price_minor = 0;
    std::int64_t output_price_minor = 0;
    std::string currency = "USD";
    std::int64_t budget_minor_per_day = 0;  ///< needed when there is a price
    std::int64_t tokens_per_day = 2'000'000;
    std::chrono::milliseconds timeout{10'000};  ///< of one draft, its retries included
    int at_once = 2;                            ///< calls at the same time
};

/// The address that is called.
std::string endpoint_of(const Settings& settings);

/// True for https, and for http to a loopback address by name or number: elsewhere the key and what
/// peers wrote would be readable on the way.
bool is_safe_endpoint(std::string_view url);

/// Errors: InvalidArgument naming the setting that is missing or does not fit the others.
Result<void> check(const Settings& settings);

/// The key of `settings`; empty when neither file nor credential is named, as for a local endpoint.
/// `credentials_directory` is systemd's $CREDENTIALS_DIRECTORY, empty where there is none.
///
/// Errors:  InvalidArgument when the file cannot be read, can be read by others, or holds anything
///          but one key. No message holds what is in the file.
/// Thread:  any; reads the disk.
Result<std::string> read_key(const Settings& settings, std::string_view credentials_directory);

}  // namespace a2h::model
