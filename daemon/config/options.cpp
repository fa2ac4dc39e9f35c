#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

#include "core/base/join.h"
#include "core/base/text.h"
#include "core/control/home.h"
#include "daemon/config/option.h"

namespace a2h::config {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kUploadFolder = "~/a2h-files";

// Enumerations and their values in the file.

constexpr std::string_view kLanguages[] = {"en", "zh"};
constexpr std::string_view kApis[] = {"", "messages", "chat_completions"};
constexpr std::string_view kTokenLimitFields[] = {"", "max_tokens", "max_completion_tokens"};
constexpr std::string_view kIntroductions[] = {"ask", "known", "never"};
constexpr std::string_view kInvitations[] = {"ask", "decline"};
constexpr std::string_view kAssistantWords[] = {"review", "ask", "open"};
constexpr std::string_view kDigests[] = {"off", "hourly", "daily"};
constexpr std::string_view kReports[] = {"none", "replies", "all"};

// Conversions between values and settings. The values have been checked.

void put(bool& to, const Value& value) {
    to = std::get<bool>(value);
}
template <std::integral Integer>
void put(Integer& to, const Value& value) {
    to = static_cast<Integer>(std::get<std::int64_t>(value));
}
void put(std::string& to, const Value& value) {
    to = std::get<std::string>(value);
}
void put(Texts& to, const Value& value) {
    to = std::get<Texts>(value);
}
void put(std::filesystem::path& to, const Value& value) {
    to = control::expand_home(std::get<std::string>(value));
}
void put(std::vector<std::filesystem::path>& to, const Value& value) {
    to.clear();
    for (const std::string& folder : std::get<Texts>(value))
        to.push_back(control::expand_home(folder));
}
void put(i18n::Language& to, const Value& value) {
    to = i18n::language_of(std::get<std::string>(value));
}
void put(model::Api& to, const Value& value) {
    const auto at = std::find(std::begin(kApis), std::end(kApis), std::get<std::string>(value));
    to = static_cast<model::Api>(at - std::begin(kApis));
}
void put(agents::Introductions& to, const Value& value) {
    to = *agents::parse_introductions(std::get<std::string>(value));
}
void put(collab::Invitations& to, const Value& value) {
    to = *collab::parse_invitations(std::get<std::string>(value));
}
void put(AssistantWords& to, const Value& value) {
    to = *parse_assistant_words(std::get<std::string>(value));
}
void put(Digest& to, const Value& value) {
    to = *parse_digest(std::get<std::string>(value));
}
void put(Person::Steps& to, const Value& value) {
    to.clear();
    for (const std::string& step : std::get<Texts>(value)) {
        Texts channels;
        for (std::size_t at = 0; at <= step.size();) {
            const std::size_t plus = std::min(step.find('+', at), step.size());
            channels.emplace_back(trim(std::string_view(step).substr(at, plus - at)));
            at = plus + 1;
        }
        to.push_back(std::move(channels));
    }
}
void put(QuietHours& to, const Value& value) {
    const std::string_view text = std::get<std::string>(value);
    to = {.from_minute = *parse_minute(text.substr(0, 5)),
          .until_minute = *parse_minute(text.substr(6))};
}

/// Writes the user's home folder as `~`.
std::string path_text(const std::filesystem::path& path) {
    const std::string home = control::expand_home("~/").string();
    const std::string& text = path.native();
    const bool within = home != "~/" && text.starts_with(home);
    return within ? "~/" + text.substr(home.size()) : text;
}

std::string minute_text(int minute) {
    const auto two = [](int number) {
        return std::string(number < 10 ? "0" : "") + std::to_string(number);
    };
    return two(minute / 60) + ":" + two(minute % 60);
}

Value value_of(bool from) {
    return from;
}
template <std::integral Integer>
Value value_of(Integer from) {
    return static_cast<std::int64_t>(from);
}
Value value_of(const std::string& from) {
    return from;
}
Value value_of(const Texts& from) {
    return from;
}
Value value_of(const std::filesystem::path& from) {
    return path_text(from);
}
Value value_of(const std::vector<std::filesystem::path>& from) {
    Texts texts;
    for (const std::filesystem::path& path : from)
        texts.push_back(path_text(path));
    return texts;
}
Value value_of(i18n::Language from) {
    return std::string(kLanguages[from == i18n::Language::Chinese ? 1 : 0]);
}
Value value_of(model::Api from) {
    return std::string(kApis[static_cast<std::size_t>(from)]);
}
Value value_of(agents::Introductions from) {
    return std::string(agents::to_string(from));
}
Value value_of(collab::Invitations from) {
    return std::string(collab::to_string(from));
}
Value value_of(AssistantWords from) {
    return std::string(to_string(from));
}
Value value_of(Digest from) {
    return std::string(to_string(from));
}
Value value_of(const Person::Steps& from) {
    Texts steps;
    for (const Texts& channels : from)
        steps.push_back(joined_with("+", channels));
    return steps;
}
Value value_of(const QuietHours& from) {
    return minute_text(from.from_minute) + "-" + minute_text(from.until_minute);
}

/// The row of the setting that `Place` finds in a `Target`.
template <typename Target, typename Place>
constexpr OptionOf<Target> at(std::string_view name, Kind kind, Place) {
    return {.name = name,
            .kind = kind,
            .set = [](Target& target, const Value& value) { put(Place()(target), value); },
            .get = [](const Target& target) { return value_of(Place()(target)); }};
}

/// The same for a duration in the `Unit` that its name ends with.
template <typename Unit, typename Place>
constexpr Option time(std::string_view name, Kind kind, Place) {
    return {
        .name = name,
        .kind = kind,
        .set = [](Config& config,
                  const Value& value) { Place()(config) = Unit(std::get<std::int64_t>(value)); },
        .get =
            [](const Config& config) {
                return value_of(std::chrono::duration_cast<Unit>(Place()(config)).count());
            }};
}

template <typename Target>
constexpr OptionOf<Target> with_default(OptionOf<Target> option, std::string_view text) {
    option.default_text = text;
    return option;
}

constexpr Option secret(Option option) {
    option.is_secret = true;
    return option;
}

constexpr Option kListen{
    .name = "web.listen",
    .kind = kAddress,
    .set =
        [](Config& config, const Value& value) {
            auto address = *parse_address(std::get<std::string>(value));
            config.web_address = std::move(address.host);
            config.web_port = address.port;
        },
    .get =
        [](const Config& config) {
            return value_of(config.web_address + ":" + std::to_string(config.web_port));
        }};

constexpr Option kMetricsListen{
    .name = "metrics.listen",
    .kind = kOwnAddress,
    .set =
        [](Config& config, const Value& value) {
            auto address = parse_address(std::get<std::string>(value)).value_or(Address{});
            config.metrics_address = std::move(address.host);
            config.metrics_port = address.port;
        },
    .get =
        [](const Config& config) {
            const bool is_off = config.metrics_address.empty();
            return value_of(is_off ? std::string()
                                   : config.metrics_address + ":" +
                                         std::to_string(config.metrics_port));
        }};

constexpr Option kPublicUrl{
    .name = "web.public_url",
    .kind = kOrigin,
    .set =
        [](Config& config, const Value& value) {
            config.web_public_url = std::get<std::string>(value);
            if (config.web_public_url.ends_with('/')) config.web_public_url.pop_back();
        },
    .get = [](const Config& config) { return value_of(config.web_public_url); }};

constexpr auto kNear = integer(1, 1'000'000);

constexpr Option kFirstOptions[] = {
    with_default(at<Config>(
                     "language", one_of(kLanguages), [](auto& c) -> auto& { return c.language; }),
                 "config.default_language"),
    at<Config>(
        "mqtt.version", integer(4, 5), [](auto& c) -> auto& { return c.mqtt_version; }),
    kListen,
    at<Config>(
        "web.tls_certificate", kFile, [](auto& c) -> auto& { return c.web_tls_certificate; }),
    at<Config>(
        "web.tls_key", kFile, [](auto& c) -> auto& { return c.web_tls_key; }),
    kPublicUrl,
    secret(at<Config>(
        "web.api_token", kToken, [](auto& c) -> auto& { return c.web_api_token; })),
    at<Config>(
        "web.cors_origins", kOriginList, [](auto& c) -> auto& { return c.web_cors_origins; }),
    kMetricsListen,
    at<Config>(
        "notify.channels", kChannelList, [](auto& c) -> auto& { return c.notify.channels; }),
    at<Config>(
        "notify.webhook_url", kText, [](auto& c) -> auto& { return c.notify.webhook_url; }),
    secret(at<Config>(
        "notify.webhook_secret", kText, [](auto& c) -> auto& { return c.notify.webhook_secret; })),
    at<Config>(
        "notify.picture_hosts", kHostList, [](auto& c) -> auto& { return c.notify.picture_hosts; }),
    at<Config>(
        "limits.rounds_per_peer_per_day", kNear,
        [](auto& c) -> auto& { return c.limits.rounds_per_day; }),
    at<Config>(
        "limits.messages_per_peer_per_minute", kNear,
        [](auto& c) -> auto& { return c.limits.messages_per_minute; }),
    at<Config>(
        "playbook.trades", kTradeList, [](auto& c) -> auto& { return c.trades; }),
    at<Config>(
        "send.assistant", one_of(kAssistantWords),
        [](auto& c) -> auto& { return c.assistant_words; }),
    at<Config>(
        "files.upload_folders", kFolderList, [](auto& c) -> auto& { return c.upload_folders; }),
    at<Config>(
        "market.login_base", kUrl, [](auto& c) -> auto& { return c.login_base; }),
    at<Config>(
        "agents.introductions", one_of(kIntroductions),
        [](auto& c) -> auto& { return c.agents.introductions; }),
    at<Config>(
        "negotiation.invitations", one_of(kInvitations),
        [](auto& c) -> auto& { return c.negotiation.invitations; }),
    with_default(at<Config>(
                     "negotiation.display_name", kLabel,
                     [](auto& c) -> auto& { return c.negotiation.display_name; }),
                 "config.default_agent_id"),
    at<Config>(
        "negotiation.contribution", kContribution,
        [](auto& c) -> auto& { return c.negotiation.contribution; }),
    at<Config>(
        "negotiation.tags", kTagList, [](auto& c) -> auto& { return c.negotiation.tags; }),
    at<Config>(
        "negotiation.price_minor", integer_or_zero(1, kMoneyMinorMax),
        [](auto& c) -> auto& { return c.negotiation.price_minor; }),
    at<Config>(
        "negotiation.currency", kCurrency, [](auto& c) -> auto& { return c.negotiation.currency; }),
    at<Config>(
        "keep.messages_days", integer_or_zero(30, 36'500),
        [](auto& c) -> auto& { return c.keep_messages_days; }),
    at<Config>(
        "keep.events_days", integer_or_zero(30, 36'500),
        [](auto& c) -> auto& { return c.keep_events_days; }),
};

constexpr Option kApprovalOptions[] = {
    time<std::chrono::hours>(
        "approval.answer_within_hours", integer(1, 24 * 30),
        [](auto& c) -> auto& { return c.approval.answer_within; }),
    time<std::chrono::hours>(
        "approval.act_within_hours", integer(1, 24 * 30),
        [](auto& c) -> auto& { return c.approval.act_within; }),
    at<Config>(
        "approval.high_from_minor", integer_or_zero(1, kMoneyMinorMax),
        [](auto& c) -> auto& { return c.approval.high_from_minor; }),
    time<std::chrono::minutes>(
        "approval.escalate_after_minutes", integer_or_zero(1, std::int64_t{7} * 24 * 60),
        [](auto& c) -> auto& { return c.approval.escalate_after; }),
    at<Config>(
        "approval.trust_elicitation", kFlag,
        [](auto& c) -> auto& { return c.approval.trust_elicitation; }),
    at<Config>(
        "stages.context", kAgent, [](auto& c) -> auto& { return c.stages.context; }),
    at<Config>(
        "stages.agent", kAgent, [](auto& c) -> auto& { return c.stages.agent; }),
    at<Config>(
        "stages.review", kAgent, [](auto& c) -> auto& { return c.stages.review; }),
    time<std::chrono::seconds>(
        "stages.timeout_seconds", integer(1, 3'600),
        [](auto& c) -> auto& { return c.stages.timeout; }),
    at<Config>(
        "stages.max_attempts", integer(1, 10),
        [](auto& c) -> auto& { return c.stages.max_attempts; }),
};

constexpr Option kModelOptions[] = {
    at<Config>(
        "model.api", one_of(kApis), [](auto& c) -> auto& { return c.model.api; }),
    at<Config>(
        "model.url", kText, [](auto& c) -> auto& { return c.model.url; }),
    at<Config>(
        "model.model", kText, [](auto& c) -> auto& { return c.model.model; }),
    at<Config>(
        "model.key_file", kFile, [](auto& c) -> auto& { return c.model.key_file; }),
    at<Config>(
        "model.credential", kText, [](auto& c) -> auto& { return c.model.credential; }),
    at<Config>(
        "model.ca_file", kText, [](auto& c) -> auto& { return c.model.ca_file; }),
    at<Config>(
        "model.token_limit_field", one_of(kTokenLimitFields),
        [](auto& c) -> auto& { return c.model.token_limit_field; }),
    at<Config>(
        "model.structured", kFlag, [](auto& c) -> auto& { return c.model.is_structured; }),
    at<Config>(
        "model.output_tokens_max", integer(64, 16'384),
        [](auto& c) -> auto& { return c.model.output_tokens_max; }),
    at<Config>(
        "model.input_price_minor_per_million", integer(0, 1'000'000),
        [](auto& c) -> auto& { return c.model.input_price_minor; }),
    at<Config>(
        "model.output_price_minor_per_million", integer(0, 1'000'000),
        [](auto& c) -> auto& { return c.model.output_price_minor; }),
    at<Config>(
        "model.currency", kCurrency, [](auto& c) -> auto& { return c.model.currency; }),
    at<Config>(
        "model.budget_minor_per_day", integer(0, 1'000'000'000),
        [](auto& c) -> auto& { return c.model.budget_minor_per_day; }),
    at<Config>(
        "model.tokens_per_day", integer(1'000, 1'000'000'000),
        [](auto& c) -> auto& { return c.model.tokens_per_day; }),
    time<std::chrono::seconds>(
        "model.timeout_seconds", integer(1, 10), [](auto& c) -> auto& { return c.model.timeout; }),
    at<Config>(
        "model.at_once", integer(1, 16), [](auto& c) -> auto& { return c.model.at_once; }),
};

/// Parts that a2hd builds only at the start use the options of these tables.
constexpr std::string_view kRestartTables[] = {"mqtt", "web", "metrics", "stages", "model"};

template <std::size_t A, std::size_t B, std::size_t C>
constexpr std::array<Option, A + B + C> joined(const Option (&first)[A], const Option (&second)[B],
                                               const Option (&third)[C]) {
    std::array<Option, A + B + C> all{};
    std::copy(std::begin(first), std::end(first), all.begin());
    std::copy(std::begin(second), std::end(second), all.begin() + A);
    std::copy(std::begin(third), std::end(third), all.begin() + A + B);
    for (Option& option : all) {
        for (const std::string_view table : kRestartTables)
            if (table_of(option.name) == table) option.effect = Effect::Restart;
    }
    return all;
}

constexpr auto kOptions = joined(kFirstOptions, kApprovalOptions, kModelOptions);

constexpr PersonOption kPersonOptions[] = {
    at<Person>(
        "person.name", kName, [](auto& p) -> auto& { return p.name; }),
    with_default(
        at<Person>(
            "person.language", one_of(kLanguages), [](auto& p) -> auto& { return p.language; }),
        "config.default_person_language"),
    with_default(at<Person>(
                     "person.normal", kSteps, [](auto& p) -> auto& { return p.normal; }),
                 "config.default_steps"),
    with_default(at<Person>(
                     "person.high", kSteps, [](auto& p) -> auto& { return p.high; }),
                 "config.default_as_normal"),
    with_default(at<Person>(
                     "person.low", kSteps, [](auto& p) -> auto& { return p.low; }),
                 "config.default_as_normal"),
    with_default(at<Person>(
                     "person.quiet_hours", kQuietHours, [](auto& p) -> auto& { return p.quiet; }),
                 "config.default_none"),
    at<Person>(
        "person.digest", one_of(kDigests), [](auto& p) -> auto& { return p.digest; }),
    at<Person>(
        "person.per_hour_max", integer(2, 1'000), [](auto& p) -> auto& { return p.per_hour_max; }),
    at<Person>(
        "person.reports", one_of(kReports), [](auto& p) -> auto& { return p.reports; }),
    with_default(at<Person>(
                     "person.substitute", kPerson, [](auto& p) -> auto& { return p.substitute; }),
                 "config.default_none"),
};

constexpr ChannelOption kChannelOptions[] = {
    with_default(at<notify::ChannelSettings>(
                     "channel.name", kName, [](auto& c) -> auto& { return c.name; }),
                 "config.default_required"),
    with_default(at<notify::ChannelSettings>(
                     "channel.kind", kText, [](auto& c) -> auto& { return c.kind; }),
                 "config.default_required"),
};

using consent::ApprovalRule;

constexpr RuleOption kRuleOptions[] = {
    with_default(at<ApprovalRule>(
                     "approval_rule.action", kAction, [](auto& r) -> auto& { return r.action; }),
                 "config.default_any"),
    with_default(at<ApprovalRule>(
                     "approval_rule.amount_from_minor", integer(1, kMoneyMinorMax),
                     [](auto& r) -> auto& { return r.amount_from_minor; }),
                 "config.default_any"),
    with_default(
        at<ApprovalRule>(
            "approval_rule.currency", kCurrency, [](auto& r) -> auto& { return r.currency; }),
        "config.default_none"),
    at<ApprovalRule>(
        "approval_rule.votes", integer(1, 10), [](auto& r) -> auto& { return r.votes; }),
    with_default(at<ApprovalRule>(
                     "approval_rule.people", kNameList, [](auto& r) -> auto& { return r.people; }),
                 "config.default_required"),
};

}  // namespace

std::span<const Option> options() {
    return kOptions;
}

std::span<const PersonOption> person_options() {
    return kPersonOptions;
}

std::span<const ChannelOption> channel_options() {
    return kChannelOptions;
}

std::span<const RuleOption> rule_options() {
    return kRuleOptions;
}

const Option* find_option(std::string_view name) {
    const auto found = std::find_if(kOptions.begin(), kOptions.end(),
                                    [&](const Option& option) { return option.name == name; });
    return found == kOptions.end() ? nullptr : &*found;
}

std::string environment_name(std::string_view name) {
    std::string out = "A2H_";
    for (const char c : name)
        out += c == '.' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    return out;
}

Config default_config() {
    Config config;
    config.language = i18n::language_of_environment();
    config.upload_folders = {control::expand_home(kUploadFolder)};
    return config;
}

}  // namespace a2h::config
