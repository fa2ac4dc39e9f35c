#include "daemon/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>
#include <vector>

#include "core/base/ids.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/control/home.h"
#include "core/http/listen.h"
#include "daemon/config_people.h"
#include "daemon/config_rules.h"

namespace a2h {
namespace {

using Apply = Result<void> (*)(Config&, const toml::node&);

/// One setting: where it stands and how its value gets into `Config`.
struct Option {
    std::string_view section;  ///< empty: top level
    std::string_view key;
    std::string_view allowed;  ///< completes "must be …"
    Apply apply;
};

Unexpected not_allowed() {
    return fail(ErrorCode::InvalidArgument, "");
}

template <typename Integer>
Result<void> set_integer(Integer& target, const toml::node& node, std::int64_t lowest,
                         std::int64_t highest) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < lowest || *value > highest) return not_allowed();
    target = static_cast<Integer>(*value);
    return {};
}

Result<void> set_hours(std::chrono::milliseconds& target, const toml::node& node) {
    std::int64_t hours = 0;
    A2H_TRY(set_integer(hours, node, 1, 24 * 30));
    target = std::chrono::hours(hours);
    return {};
}

Result<void> set_minutes(std::chrono::milliseconds& target, const toml::node& node) {
    std::int64_t minutes = 0;
    A2H_TRY(set_integer(minutes, node, 1, std::int64_t{7} * 24 * 60));
    target = std::chrono::minutes(minutes);
    return {};
}

Result<void> set_text(std::string& target, const toml::node& node) {
    const auto value = node.value_exact<std::string>();
    if (!value) return not_allowed();
    target = *value;
    return {};
}

Result<void> set_flag(bool& target, const toml::node& node) {
    const auto value = node.value_exact<bool>();
    if (!value) return not_allowed();
    target = *value;
    return {};
}

Result<void> set_language(Config& config, const toml::node& node) {
    std::string name;
    A2H_TRY(set_text(name, node));
    if (name != "en" && name != "zh") return not_allowed();
    config.language = i18n::language_of(name);
    return {};
}

Result<void> set_listen(std::string& address, std::uint16_t& target, const toml::node& node) {
    std::string text;
    A2H_TRY(set_text(text, node));
    const auto colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) return not_allowed();
    long port = 0;
    for (const char c : text.substr(colon + 1)) {
        if (c < '0' || c > '9') return not_allowed();
        port = port * 10 + (c - '0');
        if (port > 65535) return not_allowed();
    }
    address = text.substr(0, colon);
    target = static_cast<std::uint16_t>(port);
    return {};
}

Result<void> set_metrics_listen(Config& config, const toml::node& node) {
    if (node.value_exact<std::string>() == "") {
        config.metrics_address.clear();
        return {};
    }
    A2H_TRY(set_listen(config.metrics_address, config.metrics_port, node));
    return http::is_loopback(config.metrics_address) ? Result<void>() : not_allowed();
}

Result<void> set_channels(Config& config, const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return not_allowed();
    config.notify.channels.clear();
    for (const auto& entry : *array) {
        std::string name;
        A2H_TRY(set_text(name, entry));
        config.notify.channels.push_back(name);
    }
    return {};
}

Result<void> set_picture_hosts(Config& config, const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return not_allowed();
    config.notify.picture_hosts.clear();
    for (const auto& entry : *array) {
        std::string host;
        A2H_TRY(set_text(host, entry));
        const bool plain = !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
        });
        if (!plain) return not_allowed();
        config.notify.picture_hosts.push_back(std::move(host));
    }
    return {};
}

Result<void> set_folders(Config& config, const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return not_allowed();
    config.upload_folders.clear();
    for (const auto& entry : *array) {
        std::string folder;
        A2H_TRY(set_text(folder, entry));
        const auto path = control::expand_home(folder);
        if (!path.is_absolute()) return not_allowed();
        config.upload_folders.push_back(path);
    }
    return {};
}

Result<void> set_file(std::filesystem::path& target, const toml::node& node) {
    std::string text;
    A2H_TRY(set_text(text, node));
    target = control::expand_home(text);
    return text.empty() || target.is_absolute() ? Result<void>() : not_allowed();
}

/// Without a path: links begin with it.
Result<void> set_public_url(Config& config, const toml::node& node) {
    A2H_TRY(set_text(config.web_public_url, node));
    std::string& url = config.web_public_url;
    if (url.ends_with('/')) url.pop_back();
    if (url.empty()) return {};
    const bool known = url.starts_with("https://") || url.starts_with("http://");
    const auto host = url.find("://") + 3;
    const bool bare =
        known && host < url.size() && url.find_first_of("/?#@ \"'<>", host) == std::string::npos;
    return bare ? Result<void>() : not_allowed();
}

Result<void> set_agent(std::string& target, const toml::node& node) {
    A2H_TRY(set_text(target, node));
    return target.empty() || is_agent_id(target) ? Result<void>() : not_allowed();
}

Result<void> set_introductions(Config& config, const toml::node& node) {
    std::string name;
    A2H_TRY(set_text(name, node));
    const auto value = agents::parse_introductions(name);
    if (!value) return not_allowed();
    config.agents.introductions = *value;
    return {};
}

Result<void> set_stage_timeout(Config& config, const toml::node& node) {
    std::int64_t seconds = 0;
    A2H_TRY(set_integer(seconds, node, 1, 3'600));
    config.stages.timeout = std::chrono::seconds(seconds);
    return {};
}

Result<void> set_login_base(Config& config, const toml::node& node) {
    A2H_TRY(set_text(config.login_base, node));
    const std::string& base = config.login_base;
    return base.empty() || base.starts_with("https://") || base.starts_with("http://")
               ? Result<void>()
               : not_allowed();
}

/// Less would reach into what rules and limits still look at.
Result<void> set_days(int& days, const toml::node& node) {
    A2H_TRY(set_integer(days, node, 0, 36'500));
    return days == 0 || days >= 30 ? Result<void>() : not_allowed();
}

Result<void> set_model_api(Config& config, const toml::node& node) {
    std::string name;
    A2H_TRY(set_text(name, node));
    if (name != "messages" && name != "chat_completions") return not_allowed();
    config.model.api = name == "messages" ? model::Api::Messages : model::Api::ChatCompletions;
    return {};
}

Result<void> set_token_limit_field(Config& config, const toml::node& node) {
    std::string& field = config.model.token_limit_field;
    A2H_TRY(set_text(field, node));
    return field == "max_tokens" || field == "max_completion_tokens" ? Result<void>()
                                                                     : not_allowed();
}

Result<void> set_model_currency(Config& config, const toml::node& node) {
    A2H_TRY(set_text(config.model.currency, node));
    return is_currency_code(config.model.currency) ? Result<void>() : not_allowed();
}

Result<void> set_model_timeout(Config& config, const toml::node& node) {
    std::int64_t seconds = 0;
    A2H_TRY(set_integer(seconds, node, 1, 10));
    config.model.timeout = std::chrono::seconds(seconds);
    return {};
}

constexpr Option kOptions[] = {
    {"", "language", "\"en\" or \"zh\"", set_language},
    {"mqtt", "version", "4 (MQTT 3.1.1) or 5",
     [](Config& c, const toml::node& n) { return set_integer(c.mqtt_version, n, 4, 5); }},
    {"web", "listen", "\"address:port\", port 0 for any free one",
     [](Config& c, const toml::node& n) { return set_listen(c.web_address, c.web_port, n); }},
    {"metrics", "listen",
     "empty or \"address:port\" with a loopback address like 127.0.0.1, port 0 for any free one",
     set_metrics_listen},
    {"web", "tls_certificate", "empty or an absolute path",
     [](Config& c, const toml::node& n) { return set_file(c.web_tls_certificate, n); }},
    {"web", "tls_key", "empty or an absolute path",
     [](Config& c, const toml::node& n) { return set_file(c.web_tls_key, n); }},
    {"web", "public_url", "empty or https://host[:port], without a path", set_public_url},
    {"notify", "channels", "a list of names of channels", set_channels},
    {"notify", "webhook_url", "a text",
     [](Config& c, const toml::node& n) { return set_text(c.notify.webhook_url, n); }},
    {"notify", "webhook_secret", "a text",
     [](Config& c, const toml::node& n) { return set_text(c.notify.webhook_secret, n); }},
    {"notify", "picture_hosts", "a list of host names in lower case", set_picture_hosts},
    {"files", "upload_folders", "a list of absolute paths", set_folders},
    {"market", "login_base", "empty or an address that begins with https:// or http://",
     set_login_base},
    {"limits", "rounds_per_peer_per_day", "an integer from 1 to 1000000",
     [](Config& c, const toml::node& n) {
         return set_integer(c.limits.rounds_per_day, n, 1, 1'000'000);
     }},
    {"limits", "messages_per_peer_per_minute", "an integer from 1 to 1000000",
     [](Config& c, const toml::node& n) {
         return set_integer(c.limits.messages_per_minute, n, 1, 1'000'000);
     }},
    {"stages", "context", "empty or an agent id",
     [](Config& c, const toml::node& n) { return set_agent(c.stages.context, n); }},
    {"stages", "agent", "empty or an agent id",
     [](Config& c, const toml::node& n) { return set_agent(c.stages.agent, n); }},
    {"stages", "review", "empty or an agent id",
     [](Config& c, const toml::node& n) { return set_agent(c.stages.review, n); }},
    {"stages", "timeout_seconds", "an integer from 1 to 3600", set_stage_timeout},
    {"stages", "max_attempts", "an integer from 1 to 10",
     [](Config& c, const toml::node& n) { return set_integer(c.stages.max_attempts, n, 1, 10); }},
    {"keep", "messages_days", "0 (for ever) or an integer from 30 to 36500",
     [](Config& c, const toml::node& n) { return set_days(c.keep_messages_days, n); }},
    {"keep", "events_days", "0 (for ever) or an integer from 30 to 36500",
     [](Config& c, const toml::node& n) { return set_days(c.keep_events_days, n); }},
    {"agents", "introductions", "\"ask\", \"known\" or \"never\"", set_introductions},
    {"approval", "answer_within_hours", "an integer from 1 to 720",
     [](Config& c, const toml::node& n) { return set_hours(c.approval.answer_within, n); }},
    {"approval", "act_within_hours", "an integer from 1 to 720",
     [](Config& c, const toml::node& n) { return set_hours(c.approval.act_within, n); }},
    {"approval", "high_from_minor", "an integer from 1 to 9007199254740991",
     [](Config& c, const toml::node& n) {
         return set_integer(c.approval.high_from_minor, n, 1, kMoneyMinorMax);
     }},
    {"approval", "escalate_after_minutes", "an integer from 1 to 10080",
     [](Config& c, const toml::node& n) { return set_minutes(c.approval.escalate_after, n); }},
    {"approval", "trust_elicitation", "true or false",
     [](Config& c, const toml::node& n) { return set_flag(c.approval.trust_elicitation, n); }},
};

constexpr std::string_view kModel = "model";
constexpr Option kModelOptions[] = {
    {kModel, "api", "\"messages\" or \"chat_completions\"", set_model_api},
    {kModel, "url", "an address",
     [](Config& c, const toml::node& n) { return set_text(c.model.url, n); }},
    {kModel, "model", "a text",
     [](Config& c, const toml::node& n) { return set_text(c.model.model, n); }},
    {kModel, "key_file", "empty or an absolute path",
     [](Config& c, const toml::node& n) { return set_file(c.model.key_file, n); }},
    {kModel, "credential", "a text",
     [](Config& c, const toml::node& n) { return set_text(c.model.credential, n); }},
    {kModel, "ca_file", "a path",
     [](Config& c, const toml::node& n) { return set_text(c.model.ca_file, n); }},
    {kModel, "token_limit_field", "\"max_tokens\" or \"max_completion_tokens\"",
     set_token_limit_field},
    {kModel, "structured", "true or false",
     [](Config& c, const toml::node& n) { return set_flag(c.model.is_structured, n); }},
    {kModel, "output_tokens_max", "an integer from 64 to 16384",
     [](Config& c, const toml::node& n) {
         return set_integer(c.model.output_tokens_max, n, 64, 16'384);
     }},
    {kModel, "input_price_minor_per_million", "an integer from 0 to 1000000",
     [](Config& c, const toml::node& n) {
         return set_integer(c.model.input_price_minor, n, 0, 1'000'000);
     }},
    {kModel, "output_price_minor_per_million", "an integer from 0 to 1000000",
     [](Config& c, const toml::node& n) {
         return set_integer(c.model.output_price_minor, n, 0, 1'000'000);
     }},
    {kModel, "currency", "three capital letters like \"USD\"", set_model_currency},
    {kModel, "budget_minor_per_day", "an integer from 0 to 1000000000",
     [](Config& c, const toml::node& n) {
         return set_integer(c.model.budget_minor_per_day, n, 0, 1'000'000'000);
     }},
    {kModel, "tokens_per_day", "an integer from 1000 to 1000000000",
     [](Config& c, const toml::node& n) {
         return set_integer(c.model.tokens_per_day, n, 1'000, 1'000'000'000);
     }},
    {kModel, "timeout_seconds", "an integer from 1 to 10", set_model_timeout},
    {kModel, "at_once", "an integer from 1 to 16",
     [](Config& c, const toml::node& n) { return set_integer(c.model.at_once, n, 1, 16); }},
};

/// All settings, in tables short enough to read.
constexpr std::array<std::span<const Option>, 2> kTables = {kOptions, kModelOptions};

template <typename Visit>
void for_options(Visit visit) {
    for (const std::span<const Option> table : kTables)
        for (const Option& option : table)
            visit(option);
}

std::string full_name(std::string_view section, std::string_view key) {
    return section.empty() ? std::string(key) : std::string(section) + "." + std::string(key);
}

Unexpected error_at(std::string_view file_name, const toml::source_region& where,
                    const std::string& message) {
    return fail(ErrorCode::InvalidArgument,
                std::string(file_name) + ":" + std::to_string(where.begin.line) + ": " + message);
}

bool is_section(std::string_view name) {
    bool found = false;
    for_options([&](const Option& option) { found = found || option.section == name; });
    return found;
}

const Option* find_option(std::string_view section, std::string_view key) {
    const Option* found = nullptr;
    for_options([&](const Option& option) {
        if (option.section == section && option.key == key) found = &option;
    });
    return found;
}

/// The known name that differs least from `name`; empty when none is near.
std::string nearest_name(const std::string& name) {
    std::string best;
    std::size_t best_distance = 4;
    for_options([&](const Option& option) {
        const std::string candidate = full_name(option.section, option.key);
        const std::size_t distance = edit_distance(name, candidate);
        if (distance >= best_distance) return;
        best_distance = distance;
        best = candidate;
    });
    return best;
}

Result<void> apply_node(Config& config, std::string_view section, std::string_view key,
                        const toml::node& node, std::string_view file_name) {
    const std::string name = full_name(section, key);
    if (const Option* option = find_option(section, key)) {
        if (option->apply(config, node)) return {};
        return error_at(file_name, node.source(),
                        name + " must be " + std::string(option->allowed));
    }
    const std::string near = nearest_name(name);
    return error_at(file_name, node.source(),
                    "unknown setting " + name +
                        (near.empty() ? std::string() : "; did you mean " + near + "?"));
}

/// What no setting shows alone.
Result<void> check_together(const Config& config, const toml::table& table) {
    if (config.web_tls_certificate.empty() != config.web_tls_key.empty()) {
        return invalid("web.tls_certificate and web.tls_key belong together");
    }
    if (table.contains("model") && config.model.api == model::Api::Off) {
        return invalid("model.api is missing");
    }
    return model::check(config.model);
}

}  // namespace

Result<Config> parse_config(std::string_view toml, std::string_view file_name) try {
    const toml::table table = toml::parse(toml, file_name);
    Config config;
    config.language = i18n::language_of_environment();
    config.upload_folders = {control::expand_home("~/a2h-files")};
    for (const auto& [key, node] : table) {
        if (key.str() == "channel" || key.str() == "person" || key.str() == "approval_rule") {
            continue;
        }
        if (!node.is_table() || !is_section(key.str())) {
            A2H_TRY(apply_node(config, "", key.str(), node, file_name));
            continue;
        }
        for (const auto& [inner, value] : *node.as_table()) {
            A2H_TRY(apply_node(config, key.str(), inner.str(), value, file_name));
        }
    }
    if (const auto fits = check_together(config, table); !fits) {
        return fail(fits.error().with_context(file_name));
    }
    A2H_TRY(read_people(config, toml, file_name));
    const Person* owner = find_person(config.approval.people, owner_of(config.approval.people));
    const bool has_own = owner != nullptr && !owner->language.empty();
    config.approval.language = has_own ? i18n::language_of(owner->language) : config.language;
    A2H_TRY(read_rules(config, toml, file_name));
    return config;
} catch (const toml::parse_error& error) {
    return error_at(file_name, error.source(), std::string(error.description()));
}

Result<Config> load_config(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return parse_config("", file.string());
    std::ostringstream text;
    text << in.rdbuf();
    return parse_config(text.str(), file.string());
}

}  // namespace a2h
