#include "daemon/config/people.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/control/home.h"
#include "daemon/config/reading.h"
#include "daemon/notify/channel_options.h"

namespace a2h::config {
namespace {

/// Texts only; the kind of a channel decides which options it takes.
Result<void> read_channel(Config& config, const ListedTable& table, const Source& source) {
    notify::ChannelSettings settings;
    for (const Entry& entry : table.entries) {
        if (entry.name == "channel.name" || entry.name == "channel.kind") {
            A2H_TRY(read_entry(settings, channel_options(), entry, source));
            continue;
        }
        const auto* text = entry.value ? std::get_if<std::string>(&*entry.value) : nullptr;
        if (text == nullptr) return source.error_at(entry.line, entry.name + " must be a text");
        const bool file = entry.name.ends_with("_file");
        settings.values.emplace_back(key_of(entry.name),
                                     file ? control::expand_home(*text).string() : *text);
    }
    if (settings.name.empty()) return source.error_at(table.line, "channel.name is missing");
    config.notify.configured.push_back(std::move(settings));
    return {};
}

bool is_channel(const Config& config, std::string_view name) {
    if (notify::built_in_channel(name) != nullptr) return true;
    return std::any_of(config.notify.configured.begin(), config.notify.configured.end(),
                       [&](const auto& channel) { return channel.name == name; });
}

Result<void> check_channels(const Config& config, const Person& person, int line,
                            const Source& source) {
    for (const Person::Steps* steps : {&person.low, &person.normal, &person.high}) {
        for (const auto& step : *steps) {
            for (const std::string& channel : step) {
                if (is_channel(config, channel)) continue;
                return source.error_at(line, "person \"" + person.name +
                                                 "\": there is no channel \"" + channel + "\"");
            }
        }
    }
    return {};
}

Result<void> read_person(Config& config, const ListedTable& table, const Source& source) {
    Person person;
    person.normal = {config.notify.channels};
    for (const Entry& entry : table.entries)
        A2H_TRY(read_entry(person, person_options(), entry, source));
    if (!table.has("person.high")) person.high = person.normal;
    if (!table.has("person.low")) person.low = person.normal;
    if (find_person(config.approval.people, person.name) != nullptr) {
        return source.error_at(table.line, "there are two persons \"" + person.name + "\"");
    }
    A2H_TRY(check_channels(config, person, table.line, source));
    config.approval.people.push_back(std::move(person));
    return {};
}

/// Substitutes must be other configured people, and at least one person must be asked first.
Result<void> check_substitutes(const Config& config, int line, const Source& source) {
    const auto& people = config.approval.people;
    for (const Person& person : people) {
        if (person.substitute.empty()) continue;
        const bool found =
            person.substitute != person.name && find_person(people, person.substitute) != nullptr;
        if (!found) {
            return source.error_at(line, "person \"" + person.name +
                                             "\": there is no other person \"" + person.substitute +
                                             "\" to be the substitute");
        }
    }
    const bool asked = std::any_of(people.begin(), people.end(), [&](const Person& person) {
        return !is_substitute(people, person.name);
    });
    if (asked || people.empty()) return {};
    return source.error_at(
        line, "every person is a substitute for another one, so nobody would be asked first");
}

/// Adds the owner if no person is configured.
Result<void> add_owner(Config& config, const Source& source, int channels_line) {
    for (const std::string& name : config.notify.channels) {
        if (is_channel(config, name)) continue;
        return source.error_at(channels_line,
                               "notify.channels: there is no channel \"" + name + "\"");
    }
    Person person;
    if (!config.notify.channels.empty()) {
        person.low = person.normal = person.high = {config.notify.channels};
    }
    config.approval.people.push_back(std::move(person));
    return {};
}

}  // namespace

Result<void> read_people(Config& config, const Source& source, int channels_line) {
    if (const auto channels = source.lists.find("channel"); channels != source.lists.end()) {
        for (const ListedTable& table : channels->second)
            A2H_TRY(read_channel(config, table, source));
    }
    const auto people = source.lists.find("person");
    if (people == source.lists.end()) return add_owner(config, source, channels_line);
    for (const ListedTable& table : people->second)
        A2H_TRY(read_person(config, table, source));
    return check_substitutes(config, people->second.front().line, source);
}

}  // namespace a2h::config
