#include <doctest/doctest.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "daemon/config/option.h"
#include "daemon/config/texts.h"
#include "tests/support/no_variable.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::config;

namespace {

using Texts = std::vector<std::string>;
using Examples = std::pair<std::vector<Value>, std::vector<Value>>;  ///< taken, refused

constexpr i18n::Language kBoth[] = {i18n::Language::English, i18n::Language::Chinese};

Variables variables_of(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second;
    };
}

/// Accepted and refused values of options that are neither numbers nor choices.
const std::map<std::string_view, Examples>& examples() {
    static const Examples kFiles{{"", "/a/b", "~/b"}, {"b", "./b", "file:///b"}};
    static const Examples kAgents{{"", "ag_judge"}, {"judge", "ag_", " "}};
    static const Examples kAnyText{{"", "what ever"}, {}};
    static const std::string kHundred(100, 'x');
    static const std::map<std::string_view, Examples> kExamples{
        {"web.listen",
         {{"127.0.0.1:0", "[::1]:65535", "h:1"}, {"", "h", "h:", ":1", "h:65536", "h:-1", "h:x"}}},
        {"metrics.listen",
         {{"", "127.0.0.1:0", "::1:65535"}, {"127.0.0.1", "0.0.0.0:1", "192.0.2.1:1", "h:1"}}},
        {"web.tls_certificate", kFiles},
        {"web.tls_key", kFiles},
        {"web.public_url",
         {{"", "https://a.example", "http://a:8/"}, {"a.example", "https://", "https://a/b"}}},
        {"web.api_token",
         {{"", "0123456789abcdef"}, {"0123456789abcde", "0123456789 abcdef", "0123456789abcdefä"}}},
        {"web.cors_origins",
         {{Texts{}, Texts{"https://a.example", "http://localhost:3000"}},
          {Texts{""}, Texts{"*"}, Texts{"https://a/b"}, Texts{"https://a/"}}}},
        {"notify.channels", {{Texts{}, Texts{"desktop", "a-1_"}}, {Texts{""}, Texts{"A b"}}}},
        {"notify.webhook_url", kAnyText},
        {"notify.webhook_secret", kAnyText},
        {"notify.picture_hosts", {{Texts{}, Texts{"a.b-1"}}, {Texts{"A"}, Texts{"a/b"}}}},
        {"playbook.trades",
         {{Texts{}, Texts{"all", "-music"}, Texts{"lessons_2"}},
          {Texts{""}, Texts{"-"}, Texts{"A b"}}}},
        {"files.upload_folders", {{Texts{}, Texts{"/a", "~/b"}}, {Texts{"/a", "b"}}}},
        {"market.login_base", {{"", "https://a/b", "http://a"}, {"a", "ftp://a"}}},
        {"negotiation.display_name", {{"", "Bob's", kHundred}, {kHundred + "x"}}},
        {"negotiation.contribution", {{"", "rooms"}, {std::string(1'001, 'x')}}},
        {"negotiation.tags",
         {{Texts{}, Texts{"场地", kHundred}, Texts(20, "a")},
          {Texts{""}, Texts{kHundred + "x"}, Texts(21, "a")}}},
        {"negotiation.currency", {{"USD", "CNY"}, {"", "usd", "US", "USDT"}}},
        {"stages.context", kAgents},
        {"stages.agent", kAgents},
        {"stages.review", kAgents},
        {"model.url", kAnyText},
        {"model.model", kAnyText},
        {"model.key_file", kFiles},
        {"model.credential", kAnyText},
        {"model.ca_file", kAnyText},
        {"model.currency", {{"USD", "CNY"}, {"", "usd", "US", "USDT"}}},
    };
    return kExamples;
}

Examples examples_of(const Option& option) {
    const Kind& kind = option.kind;
    Examples found;
    if (kind.shape == Shape::Flag) found = {{true, false}, {"true", std::int64_t{1}}};
    if (kind.shape == Shape::Integer) {
        found = {{kind.lowest, kind.highest}, {kind.highest + 1, std::int64_t{-1}, "1", true}};
        const bool zero_is_taken = kind.or_zero || kind.lowest == 0;
        if (!zero_is_taken || kind.lowest > 1) found.second.emplace_back(kind.lowest - 1);
        if (zero_is_taken) found.first.emplace_back(std::int64_t{0});
    }
    for (const std::string_view choice : kind.choices)
        found.first.emplace_back(std::string(choice));
    if (!kind.choices.empty()) found.second = {"other", std::int64_t{1}, Texts{}};
    if (!found.first.empty()) return found;
    const auto known = examples().find(option.name);
    REQUIRE_MESSAGE(known != examples().end(), option.name, " has no examples here");
    return known->second;
}

std::string file_with(const Option& option, const Value& value) {
    const std::string table(table_of(option.name));
    return (table.empty() ? std::string() : "[" + table + "]\n") +
           std::string(key_of(option.name)) + " = " + toml_text(value) + "\n";
}

/// Whether `option` itself is refused; settings that it requires are ignored here.
bool is_refused(const Result<Loaded>& loaded, const Option& option) {
    const std::string words = std::string(option.name) + " must be ";
    return !loaded && loaded.error().message.find(words) != std::string::npos;
}

/// The value in the form of a variable.
std::string plain_text(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (!std::holds_alternative<Texts>(value)) return toml_text(value);
    std::string all;
    for (const std::string& one : std::get<Texts>(value))
        all += (all.empty() ? "" : ", ") + one;
    return all;
}

}  // namespace

TEST_CASE("each option has a name, a variable and words of its own") {
    std::set<std::string> names;
    std::set<std::string> variables;
    for (const Option& option : options()) {
        CAPTURE(option.name);
        CHECK(names.insert(std::string(option.name)).second);
        CHECK(variables.insert(environment_name(option.name)).second);
        CHECK(find_option(option.name) == &option);
        for (const i18n::Language language : kBoth) {
            CHECK(i18n::has_key(language, "config." + std::string(option.name)));
            CHECK(allowed_text(language, option.kind).find('{') == std::string::npos);
            const std::string table(table_of(option.name));
            CHECK((table.empty() || i18n::has_key(language, "config.table." + table)));
        }
    }
    CHECK(find_option("mqtt.verson") == nullptr);
    CHECK(environment_name("limits.rounds_per_peer_per_day") ==
          "A2H_LIMITS_ROUNDS_PER_PEER_PER_DAY");
}

TEST_CASE("each option takes what it may be and refuses what is just outside") {
    for (const Option& option : options()) {
        CAPTURE(option.name);
        const auto [taken, refused] = examples_of(option);
        for (const Value& value : taken) {
            CAPTURE(toml_text(value));
            CHECK_FALSE(is_refused(parse(file_with(option, value), "c", no_variable), option));
            const auto variables =
                variables_of({{environment_name(option.name), plain_text(value)}});
            CHECK_FALSE(is_refused(parse("", "c", variables), option));
        }
        for (const Value& value : refused) {
            CAPTURE(toml_text(value));
            const auto loaded = parse(file_with(option, value), "c", no_variable);
            CHECK(is_refused(loaded, option));
            const std::string where = table_of(option.name).empty() ? "c:1: " : "c:2: ";
            CHECK(loaded.error().message.starts_with(where));
            CHECK(loaded.error().message.ends_with(
                allowed_text(i18n::Language::English, option.kind)));
            if (value.index() != static_cast<std::size_t>(option.kind.shape)) continue;
            if (plain_text(value).empty()) continue;  // as a variable it is not set
            const std::string variable = environment_name(option.name);
            const auto by_variable = parse("", "c", variables_of({{variable, plain_text(value)}}));
            CHECK(is_refused(by_variable, option));
            CHECK(
                by_variable.error().message.starts_with("environment variable " + variable + ": "));
        }
    }
}

TEST_CASE("each option has a place of its own in the configuration") {
    for (const Option& option : options()) {
        CAPTURE(option.name);
        for (const Value& value : examples_of(option).first) {
            if (option.name == "web.public_url" && plain_text(value).ends_with('/')) continue;
            Config config = default_config();
            option.set(config, value);
            CHECK(option.get(config) == value);
            const Config defaults = default_config();
            for (const Option& other : options()) {
                CAPTURE(other.name);
                if (&other != &option) CHECK(other.get(config) == other.get(defaults));
            }
        }
    }
}

TEST_CASE("without file and variables everything is the default, and each default is allowed") {
    const auto loaded = parse("", "c", no_variable).value();
    CHECK(loaded.origins.empty());
    const Config defaults = default_config();
    for (const Option& option : options()) {
        CAPTURE(option.name);
        CHECK(option.get(loaded.config) == option.get(defaults));
        CHECK(fits(option.kind, option.get(defaults)));
    }
    // Those of structures that are used without a file as well.
    CHECK(defaults.limits.rounds_per_day == decide::Limits().rounds_per_day);
    CHECK(defaults.approval.answer_within == consent::Policy().answer_within);
    CHECK(defaults.stages.max_attempts == stages::Options().max_attempts);
    CHECK(defaults.model.tokens_per_day == model::Settings().tokens_per_day);
}

TEST_CASE("the default file sets nothing; uncommented it sets every default") {
    for (const i18n::Language language : kBoth) {
        const std::string file = default_file(language);
        const auto loaded = parse(file, "c", no_variable);
        REQUIRE_MESSAGE(loaded, loaded.error().message);
        CHECK(loaded->origins.empty());
        std::string active;
        for (std::size_t at = 0; at < file.size();) {
            const std::size_t end = file.find('\n', at);
            const bool is_setting = file[at] == '#' && file[at + 1] >= 'a' && file[at + 1] <= 'z';
            active += file.substr(is_setting ? at + 1 : at, end - at + (is_setting ? 0 : 1));
            at = end + 1;
        }
        const auto all = parse(active, "c", no_variable);
        REQUIRE_MESSAGE(all, all.error().message);
        CHECK(all->origins.size() == options().size());
        for (const Option& option : options())
            CHECK(option.get(all->config) == option.get(default_config()));
    }
    CHECK(default_file(kBoth[0]) != default_file(kBoth[1]));
}

TEST_CASE("a variable has priority over the file, and an empty one counts as not set") {
    const std::string file = "[limits]\nrounds_per_peer_per_day = 7\n";
    const std::string variable = "A2H_LIMITS_ROUNDS_PER_PEER_PER_DAY";
    const auto loaded = parse(file, "c", variables_of({{variable, "9"}})).value();
    CHECK(loaded.config.limits.rounds_per_day == 9);
    CHECK(origin_of(loaded.origins, "limits.rounds_per_peer_per_day").kind ==
          Origin::Kind::Environment);
    const auto unset = parse(file, "c", variables_of({{variable, ""}})).value();
    CHECK(unset.config.limits.rounds_per_day == 7);
    CHECK(origin_of(unset.origins, "limits.rounds_per_peer_per_day").kind == Origin::Kind::File);
    CHECK(origin_of(unset.origins, "limits.rounds_per_peer_per_day").line == 2);
    CHECK(origin_of(unset.origins, "mqtt.version").kind == Origin::Kind::Default);
    const auto list = parse("", "c", variables_of({{"A2H_NOTIFY_CHANNELS", "desktop , terminal"}}));
    CHECK(list->config.notify.channels == Texts{"desktop", "terminal"});
    CHECK(list->config.approval.people[0].normal == Person::Steps{{"desktop", "terminal"}});
    // A bad file is reported although the variable takes precedence.
    CHECK(!parse("[limits]\nrounds_per_peer_per_day = 0\n", "c", variables_of({{variable, "9"}})));
}

TEST_CASE("the shown configuration names the origin of each value and contains no secret") {
    const auto loaded = parse("[notify]\nwebhook_secret = \"hush\"\n[mqtt]\nversion = 5\n", "c",
                              variables_of({{"A2H_LANGUAGE", "zh"}}))
                            .value();
    const nlohmann::json data = shown(loaded.config, loaded.origins);
    CHECK(data.dump().find("hush") == std::string::npos);
    std::map<std::string, nlohmann::json> rows;
    for (const auto& row : data["options"])
        rows[row["name"]] = row;
    CHECK(rows.size() == options().size());
    CHECK(rows["notify.webhook_secret"]["is_set"] == true);
    CHECK(rows["mqtt.version"]["value"] == 5);
    CHECK(rows["mqtt.version"]["default"] == 4);
    CHECK(rows["mqtt.version"]["origin"] == "file");
    CHECK(rows["mqtt.version"]["line"] == 4);
    CHECK(rows["language"]["origin"] == "environment");
    CHECK(rows["language"]["variable"] == "A2H_LANGUAGE");
    CHECK(rows["web.listen"]["origin"] == "default");
    CHECK(rows["web.listen"]["value"] == "127.0.0.1:7842");
}

TEST_CASE("values are written so that TOML reads them back") {
    const std::string odd = "a\"b\\c\nd\te\x01\x7f 中";
    for (const Value& value : {Value(odd), Value(Texts{odd, ""}), Value(true),
                               Value(std::numeric_limits<std::int64_t>::max())}) {
        const Option& option = *find_option(
            std::holds_alternative<Texts>(value) ? "notify.channels" : "notify.webhook_url");
        CAPTURE(toml_text(value));
        const auto loaded = parse(file_with(option, value), "c", no_variable);
        if (std::holds_alternative<std::string>(value)) {
            CHECK(option.get(loaded.value().config) == value);
        } else {
            CHECK(is_refused(loaded, option));
        }
    }
}

TEST_CASE("a file that is there and cannot be read is an error, not all defaults") {
    const test::TempDir dir;
    CHECK(load(dir.path(), no_variable).error().code == ErrorCode::Unavailable);
    CHECK(load(dir.path() / "none.toml", no_variable).value().origins.empty());
}
