#include "market/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "core/base/ids.h"
#include "core/i18n/messages.h"
#include "market/config_file.h"

namespace a2h::market {
namespace {

constexpr int kTokenMinutesDefault = 120;
constexpr int kTokenMinutesMax = 30 * 24 * 60;
constexpr int kHistoryDaysDefault = 90;
constexpr int kHistoryDaysMax = 36500;
constexpr int kUsageError = 2;
constexpr int kConnectionsMax = 200;
constexpr int kThreadsMax = 256;
constexpr int kRateMax = 1'000'000;

std::string option_text(std::string_view key) {
    return i18n::text(i18n::language_of_environment(), key);
}

/// Beside the programs of a build, otherwise in the package's folder.
std::filesystem::path default_plugin() {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const auto near = program.parent_path().parent_path() / "lib" / "a2h_broker_auth.so";
    if (std::filesystem::exists(near, ignored)) return near;
    return "/usr/lib/a2h/a2h_broker_auth.so";
}

std::string check_address(const std::string& text) {
    const auto parts = split_address(text);
    return parts ? std::string() : parts.error().message;
}

std::string check_agent(const std::string& text) {
    return is_agent_id(text) ? std::string() : option_text("market.not_an_agent_id");
}

std::string check_mqtt_url(const std::string& text) {
    const bool good = text.starts_with("mqtt://") || text.starts_with("mqtts://");
    return good ? std::string() : option_text("market.not_an_mqtt_url");
}

std::string check_database(const std::string& text) {
    const bool good = text.starts_with("postgresql://") || text.starts_with("postgres://");
    return good ? std::string() : option_text("market.not_a_database_url");
}

std::string check_public_url(const std::string& text) {
    const bool good = (text.starts_with("http://") || text.starts_with("https://")) &&
                      !text.ends_with('/') && text.find_first_of("?# ") == std::string::npos;
    return good ? std::string() : option_text("market.not_a_public_url");
}

/// The options as rows of CLI11, and the variables for their values.
struct CommandLine {
    CLI::App app{option_text("market.about"), "a2h-market"};
    std::string config_file;
    std::string data_dir;
    std::string listen = "127.0.0.1:0";
    int token_minutes = kTokenMinutesDefault;
    int history_days = kHistoryDaysDefault;
    ServeOptions serve;
    BrokerConfigOptions broker;
    RevokeOptions revoke;
    CLI::App* broker_config = nullptr;
    CLI::App* revoking = nullptr;

    CommandLine();
    void add_limits();
    void add_commands();
    void parse(int argc, char** argv);
    std::vector<std::string> names() const;
    Options options();
};

CommandLine::CommandLine() {
    app.set_version_flag("--version", "a2h-market " A2H_VERSION);
    app.require_subcommand(0, 1);
    app.fallthrough();  // --data may precede or follow the sub-command
    // The words of the command line come after those of the configuration file.
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.add_option("--config", config_file, option_text("market.option_config"));
    app.add_option("--data", data_dir, option_text("market.option_data"))->required();
    app.add_option("--database", serve.place.database, option_text("market.option_database"))
        ->check(check_database);
    app.add_option("--database-connections", serve.place.database_connections,
                   option_text("market.option_database_connections"))
        ->check(CLI::Range(1, kConnectionsMax));
    app.add_option("--listen", listen, option_text("market.option_listen"))->check(check_address);
    app.add_option("--mqtt-url", serve.mqtt_url, option_text("market.option_mqtt_url"))
        ->check(check_mqtt_url);
    app.add_option("--mqtt-ca-file", serve.mqtt_ca_file, option_text("market.option_mqtt_ca_file"))
        ->check(CLI::ExistingFile);
    app.add_option("--public-url", serve.public_url, option_text("market.option_public_url"))
        ->check(check_public_url);
    app.add_option("--token-minutes", token_minutes, option_text("market.option_token_minutes"))
        ->check(CLI::Range(1, kTokenMinutesMax));
    app.add_option("--history-days", history_days, option_text("market.option_history_days"))
        ->check(CLI::Range(0, kHistoryDaysMax));
    app.add_option("--threads", serve.threads, option_text("market.option_threads"))
        ->check(CLI::Range(1, kThreadsMax));
    app.add_option("--io-threads", serve.io_threads, option_text("market.option_io_threads"))
        ->check(CLI::Range(1, kThreadsMax));
    add_limits();
    add_commands();
}

void CommandLine::add_limits() {
    const auto add = [this](const char* name, int& value, std::string_view key) {
        app.add_option(name, value, option_text(key))->check(CLI::Range(0, kRateMax));
    };
    add("--agent-rate", serve.agent_rate, "market.option_agent_rate");
    add("--agent-burst", serve.agent_burst, "market.option_agent_burst");
    add("--address-rate", serve.address_rate, "market.option_address_rate");
    add("--address-burst", serve.address_burst, "market.option_address_burst");
    app.add_flag("--behind-proxy", serve.behind_proxy, option_text("market.option_behind_proxy"));
    app.add_flag("--log-requests", serve.log_requests, option_text("market.option_log_requests"));
}

void CommandLine::add_commands() {
    broker_config = app.add_subcommand("broker-config", option_text("market.broker_config"));
    broker_config->add_option("--address", broker.address,
                              option_text("market.option_broker_address"));
    broker_config->add_option("--port", broker.port, option_text("market.option_broker_port"));
    broker_config->add_option("--plugin", broker.plugin, option_text("market.option_plugin"));
    revoking = app.add_subcommand("revoke", option_text("market.revoke"));
    revoking->add_option("agent", revoke.agent_id, option_text("market.option_agent"))
        ->required()
        ->check(check_agent);
}

/// Names of the options that the configuration file may contain.
std::vector<std::string> CommandLine::names() const {
    std::vector<std::string> all;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (name != "help" && name != "version" && name != "config") all.push_back(name);
        }
    }
    return all;
}

std::string named_config_file(const std::vector<std::string>& words) {
    constexpr std::string_view kName = "--config";
    std::string file;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == kName && i + 1 < words.size()) file = words[i + 1];
        if (words[i].starts_with(std::string(kName) + "="))
            file = words[i].substr(kName.size() + 1);
    }
    return file;
}

void CommandLine::parse(int argc, char** argv) {
    const std::vector<std::string> given(argv + 1, argv + argc);
    std::vector<std::string> words;
    if (const auto file = named_config_file(given); !file.empty()) {
        auto read = read_config_file(file, names());
        if (!read) throw CLI::FileError(read.error().message, kUsageError);
        words = std::move(*read);
    }
    words.insert(words.end(), given.begin(), given.end());
    std::reverse(words.begin(), words.end());  // the order that CLI11 expects
    app.parse(std::move(words));
    if (!*broker_config && !*revoking && serve.mqtt_url.empty()) {
        throw CLI::RequiredError("--mqtt-url");
    }
}

Options CommandLine::options() {
    serve.place.data_dir = std::filesystem::absolute(data_dir).lexically_normal();
    if (*broker_config) {
        broker.data_dir = serve.place.data_dir;
        if (broker.plugin.empty()) broker.plugin = default_plugin();
        return broker;
    }
    if (*revoking) {
        revoke.place = serve.place;
        return revoke;
    }
    std::tie(serve.address, serve.port) = *split_address(listen);
    serve.token_lifetime = std::chrono::minutes(token_minutes);
    serve.history_kept = std::chrono::days(history_days);
    return serve;
}

}  // namespace

Result<std::pair<std::string, std::uint16_t>> split_address(std::string_view text) {
    const auto colon = text.rfind(':');
    std::string_view host = text.substr(0, colon);
    const std::string_view digits =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (host.empty() || digits.empty() || error != std::errc() ||
        end != digits.data() + digits.size()) {
        return fail(ErrorCode::InvalidArgument, option_text("market.not_an_address"));
    }
    return std::pair(std::string(host), port);
}

Options read_options(int argc, char** argv) {
    CommandLine line;
    try {
        line.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return Finished{line.app.exit(e) == 0 ? 0 : kUsageError};
    }
    return line.options();
}

}  // namespace a2h::market
