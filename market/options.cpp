#include "market/options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>

#include "core/base/ids.h"
#include "core/i18n/messages.h"

namespace a2h::market {
namespace {

constexpr int kTokenMinutesDefault = 120;
constexpr int kTokenMinutesMax = 30 * 24 * 60;
constexpr int kUsageError = 2;

std::string tell(std::string_view key) {
    return i18n::text(i18n::language_of_environment(), key);
}

/// Beside the programs of a build, else where the package puts it.
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
    return is_agent_id(text) ? std::string() : tell("market.not_an_agent_id");
}

std::string check_mqtt_url(const std::string& text) {
    const bool good = text.starts_with("mqtt://") || text.starts_with("mqtts://");
    return good ? std::string() : tell("market.not_an_mqtt_url");
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
        return fail(ErrorCode::InvalidArgument, tell("market.not_an_address"));
    }
    return std::pair(std::string(host), port);
}

Options read_options(int argc, char** argv) {
    CLI::App app(tell("market.about"), "a2h-market");
    app.set_version_flag("--version", "a2h-market " A2H_VERSION);
    app.require_subcommand(0, 1);
    app.fallthrough();  // --data may stand before or behind the sub-command
    std::string data_dir;
    std::string listen = "127.0.0.1:0";
    ServeOptions serve;
    BrokerConfigOptions broker;
    RevokeOptions revoke;
    int token_minutes = kTokenMinutesDefault;
    app.add_option("--data", data_dir, tell("market.option_data"))->required();
    app.add_option("--listen", listen, tell("market.option_listen"))->check(check_address);
    app.add_option("--mqtt-url", serve.mqtt_url, tell("market.option_mqtt_url"))
        ->check(check_mqtt_url);
    app.add_option("--token-minutes", token_minutes, tell("market.option_token_minutes"))
        ->check(CLI::Range(1, kTokenMinutesMax));
    CLI::App* config = app.add_subcommand("broker-config", tell("market.broker_config"));
    config->add_option("--address", broker.address, tell("market.option_broker_address"));
    config->add_option("--port", broker.port, tell("market.option_broker_port"));
    config->add_option("--plugin", broker.plugin, tell("market.option_plugin"));
    CLI::App* revoking = app.add_subcommand("revoke", tell("market.revoke"));
    revoking->add_option("agent", revoke.agent_id, tell("market.option_agent"))
        ->required()
        ->check(check_agent);
    try {
        app.parse(argc, argv);
        if (!*config && !*revoking && serve.mqtt_url.empty()) {
            throw CLI::RequiredError("--mqtt-url");
        }
    } catch (const CLI::ParseError& e) {
        return Finished{app.exit(e) == 0 ? 0 : kUsageError};
    }
    const auto dir = std::filesystem::absolute(data_dir).lexically_normal();
    if (*config) {
        broker.data_dir = dir;
        if (broker.plugin.empty()) broker.plugin = default_plugin();
        return broker;
    }
    if (*revoking) {
        revoke.data_dir = dir;
        return revoke;
    }
    serve.data_dir = dir;
    std::tie(serve.address, serve.port) = *split_address(listen);
    serve.token_lifetime = std::chrono::minutes(token_minutes);
    return serve;
}

}  // namespace a2h::market
