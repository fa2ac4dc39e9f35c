#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/i18n/messages.h"
#include "daemon/config/agents_options.h"
#include "daemon/config/negotiation_options.h"
#include "daemon/config/send_options.h"
#include "daemon/config/stages_options.h"
#include "daemon/consent/policy.h"
#include "daemon/decide/decision.h"
#include "daemon/model/settings.h"
#include "daemon/notify/notifier.h"

namespace a2h {

/// Settings of one home; docs/configuration.md lists them with their defaults.
struct Config {
    /// The language of people who have set none. Questions are worded in `approval.language`, the
    /// owner's.
    i18n::Language language = i18n::Language::English;
    int mqtt_version = 4;
    std::string web_address = "127.0.0.1";
    std::uint16_t web_port = 7842;
    std::filesystem::path web_tls_certificate;  ///< PEM; empty: without TLS
    std::filesystem::path web_tls_key;          ///< PEM; set if the certificate is set
    std::string
        web_public_url;  ///< scheme, host and port that people open; empty: the listen address
    std::string web_api_token;                  ///< bearer token of /api/v1; empty: none
    std::vector<std::string> web_cors_origins;  ///< origins of other pages that may use /api/v1
    std::string metrics_address;  ///< a loopback address; empty: metrics are not served over HTTP
    std::uint16_t metrics_port = 0;
    notify::Options notify{
        .channels = {"terminal", "desktop"}, .webhook_url = {}, .webhook_secret = {}};
    decide::Limits limits;
    std::vector<std::string> trades = {
        "all"};             ///< trades whose words are read, see reading::Trades
    model::Settings model;  ///< the language model, if there is one
    consent::Policy approval;
    stages::Options stages;
    agents::Options agents;
    collab::Options negotiation;
    AssistantWords assistant_words = AssistantWords::Review;
    /// Folders whose files assistants may upload without a yes (R17); ~/a2h-files by default.
    std::vector<std::filesystem::path> upload_folders;
    int keep_messages_days = 0;  ///< how long texts of settled messages are kept; 0: for ever
    int keep_events_days = 0;  ///< how long events and settled notifications are kept; 0: for ever
    std::string login_base;  ///< base URL of browser logins; empty: derived from the agent's market
};

namespace config {

/// The origin of an option's value.
struct Origin {
    enum class Kind { Default, File, Environment };
    Kind kind = Kind::Default;
    int line = 0;  ///< line in the file
};

/// The origins of all options that do not have their defaults, by name.
using Origins = std::map<std::string, Origin, std::less<>>;
Origin origin_of(const Origins& origins, std::string_view option);

struct Loaded {
    Config config;
    Origins origins;
};

/// Returns the value of an environment variable; an empty value counts as not set.
using Variables = std::function<std::string(const std::string& name)>;
std::string process_variable(const std::string& name);

/// Reads `file`; variables override it. A missing file is an empty one.
///
/// Errors:  InvalidArgument naming file and line, or the variable, and what is allowed; Unavailable
///          if the file exists and cannot be read.
Result<Loaded> load(const std::filesystem::path& file,
                    const Variables& variables = process_variable);

/// Checks that each channel in `loaded`, read from `file`, has the options and secrets that its
/// kind needs. Blocks on the disk.
///
/// Errors:  InvalidArgument naming file and channel.
Result<void> check_channels(const Loaded& loaded, const std::filesystem::path& file);

/// The same from text. `file_name` is for messages only.
Result<Loaded> parse(std::string_view toml, std::string_view file_name, const Variables& variables);

}  // namespace config

/// `config::load` with the variables of this process, without the origins of the values.
Result<Config> load_config(const std::filesystem::path& file);

}  // namespace a2h
