#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::model {

/// The supported wire formats.
enum class Api {
    Off,              ///< no language model; rules decide alone
    Messages,         ///< Anthropic's Messages API
    ChatCompletions,  ///< OpenAI's chat completions and compatible APIs
};

/// `[model]` of config.toml; docs/models.md describes each option.
///
/// Units:   prices are minor units of `currency` for a million tokens.
struct Settings {
    Api api = Api::Off;
    std::string url;                 ///< URL of the endpoint itself; empty: that of the API's maker
    std::string model;               ///< name of the model at the endpoint
    std::filesystem::path key_file;  ///< contains only the key; 0600
    std::string credential;          ///< name of a systemd credential that holds the key
    std::string ca_file;             ///< private CA; empty: the system's
    std::string token_limit_field;   ///< for chat completions; empty: depends on the host
    bool is_structured = true;       ///< asks the endpoint to enforce our schema
    int output_tokens_max = 1024;
    std::int64_t input_price_minor = 0;
    std::int64_t output_price_minor = 0;
    std::string currency = "USD";
    std::int64_t budget_minor_per_day = 0;  ///< required if there is a price
    std::int64_t tokens_per_day = 2'000'000;
    std::chrono::milliseconds timeout{10'000};  ///< for one draft, including further attempts
    int at_once = 2;                            ///< parallel calls
};

/// The address that is called.
std::string endpoint_of(const Settings& settings);

/// True for https, and for http to a loopback address by name or number. Elsewhere the key and the
/// peers' words could be read in transit.
bool is_safe_endpoint(std::string_view url);

/// Errors:  InvalidArgument naming the setting that is missing or does not fit the others.
Result<void> check(const Settings& settings);

/// The key of `settings`; empty if neither file nor credential is named, as for a local endpoint.
/// `credentials_directory` is systemd's $CREDENTIALS_DIRECTORY, or empty.
///
/// Errors:  InvalidArgument if the file cannot be read, can be read by others, or contains anything
///          but one key. No message contains text of the file.
/// Thread:  any; reads the disk.
Result<std::string> read_key(const Settings& settings, std::string_view credentials_directory);

}  // namespace a2h::model
