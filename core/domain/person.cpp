#include "core/domain/person.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/enum_names.h"

namespace a2h {
namespace {

bool is_notified_on(const Person& person, std::string_view channel) {
    const auto has_it = [&](const std::vector<std::string>& step) {
        return std::find(step.begin(), step.end(), channel) != step.end();
    };
    return std::any_of(person.low.begin(), person.low.end(), has_it) ||
           std::any_of(person.normal.begin(), person.normal.end(), has_it) ||
           std::any_of(person.high.begin(), person.high.end(), has_it);
}

}  // namespace

constexpr EnumName<Priority> kPriorityNames[] = {
    {Priority::Low, "low"},
    {Priority::Normal, "normal"},
    {Priority::High, "high"},
};
A2H_ENUM_NAMES(Priority, parse_priority, kPriorityNames);

constexpr EnumName<Digest> kDigestNames[] = {
    {Digest::Off, "off"},
    {Digest::Hourly, "hourly"},
    {Digest::Daily, "daily"},
};
A2H_ENUM_NAMES(Digest, parse_digest, kDigestNames);

bool is_quiet(const QuietHours& hours, int minute_of_day) {
    const bool after = minute_of_day >= hours.from_minute;
    const bool before = minute_of_day < hours.until_minute;
    if (hours.from_minute <= hours.until_minute) return after && before;
    return after || before;
}

const Person::Steps& steps_of(const Person& person, Priority priority) {
    switch (priority) {
        case Priority::Low:
            return person.low;
        case Priority::Normal:
            return person.normal;
        case Priority::High:
            return person.high;
    }
    A2H_CHECK(false);
}

const Person* find_person(const std::vector<Person>& people, std::string_view name) {
    const auto found = std::find_if(people.begin(), people.end(),
                                    [&](const Person& person) { return person.name == name; });
    return found == people.end() ? nullptr : &*found;
}

std::string owner_of(const std::vector<Person>& people) {
    const bool is_there = people.empty() || find_person(people, kOwner) != nullptr;
    return is_there ? std::string(kOwner) : people.front().name;
}

bool is_person(const std::vector<Person>& people, std::string_view name) {
    return people.empty() ? name == kOwner : find_person(people, name) != nullptr;
}

bool is_private_channel(const std::vector<Person>& people, std::string_view name,
                        std::string_view channel) {
    return std::none_of(people.begin(), people.end(), [&](const Person& person) {
        return person.name != name && is_notified_on(person, channel);
    });
}

bool is_substitute(const std::vector<Person>& people, std::string_view name) {
    return std::any_of(people.begin(), people.end(), [&](const Person& person) {
        return !name.empty() && person.substitute == name;
    });
}

}  // namespace a2h
