#include "daemon/config_people.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/text.h"
#include "core/control/home.h"

namespace a2h {
namespace {

Unexpected error_at(std::string_view file_name, const toml::node& node,
                    const std::string& message) {
    return fail(
        ErrorCode::InvalidArgument,
        std::string(file_name) + ":" + std::to_string(node.source().begin.line) + ": " + message);
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 32 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

/// `HH:MM`; negative when it is none.
int minute_of(std::string_view text) {
    const auto digit = [&](std::size_t at) { return text[at] - '0'; };
    if (text.size() != 5 || text[2] != ':') return -1;
    for (const std::size_t at : {0, 1, 3, 4})
        if (text[at] < '0' || text[at] > '9') return -1;
    const int hour = digit(0) * 10 + digit(1);
    const int minute = digit(3) * 10 + digit(4);
    return hour < 24 && minute < 60 ? hour * 60 + minute : -1;
}

bool set_name(Person& person, const toml::node& node) {
    person.name = node.value_exact<std::string>().value_or("");
    return is_name(person.name);
}

bool set_language(Person& person, const toml::node& node) {
    person.language = node.value_exact<std::string>().value_or("");
    return person.language == "en" || person.language == "zh";
}

bool set_steps(Person::Steps& steps, const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return false;
    steps.clear();
    for (const auto& entry : *array) {
        const auto step = entry.value_exact<std::string>();
        if (!step) return false;
        std::vector<std::string> channels;
        for (std::size_t at = 0; at <= step->size();) {
            const auto plus = std::min(step->find('+', at), step->size());
            const std::string name(trim(step->substr(at, plus - at)));
            if (!is_name(name)) return false;
            channels.push_back(name);
            at = plus + 1;
        }
        steps.push_back(std::move(channels));
    }
    return true;
}

bool set_quiet(Person& person, const toml::node& node) {
    const std::string text = node.value_exact<std::string>().value_or("");
    if (text.size() != 11 || text[5] != '-') return false;
    person.quiet.from_minute = minute_of(std::string_view(text).substr(0, 5));
    person.quiet.until_minute = minute_of(std::string_view(text).substr(6));
    return person.quiet.from_minute >= 0 && person.quiet.until_minute >= 0;
}

bool set_digest(Person& person, const toml::node& node) {
    const auto digest = parse_digest(node.value_exact<std::string>().value_or(""));
    if (digest) person.digest = *digest;
    return digest.has_value();
}

bool set_limit(Person& person, const toml::node& node) {
    const auto value = node.value_exact<std::int64_t>().value_or(0);
    if (value < 2 || value > 1000) return false;
    person.per_hour_max = static_cast<int>(value);
    return true;
}

bool set_reports(Person& person, const toml::node& node) {
    person.reports = node.value_exact<std::string>().value_or("");
    return person.reports == "none" || person.reports == "replies" || person.reports == "all";
}

bool set_substitute(Person& person, const toml::node& node) {
    person.substitute = node.value_exact<std::string>().value_or("");
    return is_name(person.substitute);
}

/// One setting of a person.
struct PersonOption {
    std::string_view key;
    std::string_view allowed;  ///< completes "must be …"
    bool (*apply)(Person&, const toml::node&);
};

constexpr std::string_view kSteps =
    "a list of steps, each the names of channels joined with +, like [\"desktop+phone\", \"mail\"]";

constexpr PersonOption kPersonOptions[] = {
    {"name", "1 to 32 of a-z, 0-9, - and _", set_name},
    {"language", "\"en\" or \"zh\"", set_language},
    {"low", kSteps, [](Person& p, const toml::node& n) { return set_steps(p.low, n); }},
    {"normal", kSteps, [](Person& p, const toml::node& n) { return set_steps(p.normal, n); }},
    {"high", kSteps, [](Person& p, const toml::node& n) { return set_steps(p.high, n); }},
    {"quiet_hours", "like \"22:30-07:00\"", set_quiet},
    {"digest", "\"off\", \"hourly\" or \"daily\"", set_digest},
    {"per_hour_max", "an integer from 2 to 1000", set_limit},
    {"reports", "\"none\", \"replies\" or \"all\"", set_reports},
    {"substitute", "the name of a person", set_substitute},
};

Result<void> set_option(Person& person, std::string_view key, const toml::node& node,
                        std::string_view file_name) {
    const PersonOption* best = nullptr;
    std::size_t best_distance = 4;
    for (const PersonOption& option : kPersonOptions) {
        if (option.key == key) {
            if (option.apply(person, node)) return {};
            return error_at(
                file_name, node,
                "person." + std::string(key) + " must be " + std::string(option.allowed));
        }
        if (const std::size_t distance = edit_distance(key, option.key); distance < best_distance) {
            best_distance = distance;
            best = &option;
        }
    }
    return error_at(
        file_name, node,
        "unknown setting person." + std::string(key) +
            (best == nullptr ? std::string()
                             : "; did you mean person." + std::string(best->key) + "?"));
}

Result<void> read_channel(Config& config, const toml::table& table, std::string_view file_name) {
    notify::ChannelSettings settings;
    for (const auto& [key, node] : table) {
        const auto value = node.value_exact<std::string>();
        if (!value) {
            return error_at(file_name, node,
                            "channel." + std::string(key.str()) + " must be a text");
        }
        if (key.str() == "name") {
            settings.name = *value;
        } else if (key.str() == "kind") {
            settings.kind = *value;
        } else {
            const bool file = key.str().ends_with("_file");
            settings.values.emplace_back(std::string(key.str()),
                                         file ? control::expand_home(*value).string() : *value);
        }
    }
    if (!is_name(settings.name)) {
        return error_at(file_name, table, "channel.name must be 1 to 32 of a-z, 0-9, - and _");
    }
    config.notify.configured.push_back(std::move(settings));
    return {};
}

bool is_channel(const Config& config, std::string_view name) {
    if (name == "terminal" || name == "desktop" || name == "webhook") return true;
    return std::any_of(config.notify.configured.begin(), config.notify.configured.end(),
                       [&](const auto& channel) { return channel.name == name; });
}

Result<void> check_channels(const Config& config, const Person& person, const toml::node& where,
                            std::string_view file_name) {
    for (const Person::Steps* steps : {&person.low, &person.normal, &person.high}) {
        for (const auto& step : *steps) {
            for (const std::string& channel : step) {
                if (is_channel(config, channel)) continue;
                return error_at(
                    file_name, where,
                    "person \"" + person.name + "\": there is no channel \"" + channel + "\"");
            }
        }
    }
    return {};
}

Result<void> read_person(Config& config, const toml::table& table, std::string_view file_name) {
    Person person;
    person.normal = {config.notify.channels};
    for (const auto& [key, node] : table)
        A2H_TRY(set_option(person, key.str(), node, file_name));
    if (!table.contains("high")) person.high = person.normal;
    if (!table.contains("low")) person.low = person.normal;
    if (find_person(config.approval.people, person.name) != nullptr) {
        return error_at(file_name, table, "there are two persons \"" + person.name + "\"");
    }
    A2H_TRY(check_channels(config, person, table, file_name));
    config.approval.people.push_back(std::move(person));
    return {};
}

/// Substitutes are others who are configured, and somebody is left who is asked at first.
Result<void> check_substitutes(const Config& config, const toml::node* node,
                               std::string_view file_name) {
    const auto& people = config.approval.people;
    for (const Person& person : people) {
        if (person.substitute.empty()) continue;
        const bool found =
            person.substitute != person.name && find_person(people, person.substitute) != nullptr;
        if (!found) {
            return error_at(file_name, *node,
                            "person \"" + person.name + "\": there is no other person \"" +
                                person.substitute + "\" to be the substitute");
        }
    }
    const bool asked = std::any_of(people.begin(), people.end(), [&](const Person& person) {
        return !is_substitute(people, person.name);
    });
    if (asked || people.empty()) return {};
    return error_at(file_name, *node,
                    "everybody is somebody's substitute, so nobody would be asked at first");
}

template <typename Read>
Result<void> read_tables(Config& config, const toml::node* node, std::string_view name, Read read,
                         std::string_view file_name) {
    if (node == nullptr) return {};
    const auto* tables = node->as_array();
    if (tables == nullptr || !tables->is_homogeneous<toml::table>()) {
        return error_at(file_name, *node,
                        std::string(name) + " must be written as [[" + std::string(name) + "]]");
    }
    for (const auto& entry : *tables)
        A2H_TRY(read(config, *entry.as_table(), file_name));
    return {};
}

}  // namespace

Result<void> read_people(Config& config, std::string_view toml, std::string_view file_name) {
    const toml::table table = toml::parse(toml, file_name);
    A2H_TRY(read_tables(config, table.get("channel"), "channel", read_channel, file_name));
    A2H_TRY(read_tables(config, table.get("person"), "person", read_person, file_name));
    A2H_TRY(check_substitutes(config, table.get("person"), file_name));
    if (!config.approval.people.empty()) return {};
    for (const std::string& name : config.notify.channels) {
        if (is_channel(config, name)) continue;
        return error_at(file_name, *table["notify"]["channels"].node(),
                        "notify.channels: there is no channel \"" + name + "\"");
    }
    Person person;
    if (!config.notify.channels.empty()) {
        person.low = person.normal = person.high = {config.notify.channels};
    }
    config.approval.people.push_back(std::move(person));
    return {};
}

}  // namespace a2h
