#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h {

/// The urgency of a notification. It selects the person's channels.
///
/// Source:  daemon/consent/README.md, "People".
enum class Priority { Low, Normal, High };
std::string_view to_string(Priority value);
std::optional<Priority> parse_priority(std::string_view text);

/// The person who exists without configuration: the owner of the PIN.
inline constexpr std::string_view kOwner = "human";

/// How a person gets the news of a day: one by one, or collected.
enum class Digest { Off, Hourly, Daily };
std::string_view to_string(Digest value);
std::optional<Digest> parse_digest(std::string_view text);

/// Minutes of the local day, [from, until); past midnight if `until` is smaller. Equal: none.
struct QuietHours {
    int from_minute = 0;
    int until_minute = 0;
};
bool is_quiet(const QuietHours& hours, int minute_of_day);

/// Somebody who is notified and may answer. Configured; see daemon/consent/README.md, "People".
struct Person {
    /// The channels of one priority. Each step is tried if the one before reached nobody; the
    /// channels of a step are used together.
    using Steps = std::vector<std::vector<std::string>>;

    std::string name{kOwner};  ///< 1 to 32 of [a-z0-9_-]
    std::string language;      ///< "en", "zh"; empty: the daemon's language
    Steps low;
    Steps normal;
    Steps high;
    QuietHours quiet;             ///< only priority High is sent in quiet hours
    Digest digest = Digest::Off;  ///< for news that is not High
    int per_hour_max = 30;        ///< limit of notifications; the rest is sent as one message
    /// "none", "replies" (automatic replies) or "all" (received messages as well), sent as one
    /// message.
    std::string reports = "none";
    std::string substitute;  ///< asked if this person does not answer in time; empty: nobody
};

const Person::Steps& steps_of(const Person& person, Priority priority);
/// nullptr if there is no person with this name.
const Person* find_person(const std::vector<Person>& people, std::string_view name);
/// The person whose PIN `a2h init` set: `kOwner` if a person has that name or nobody is configured,
/// otherwise the first.
std::string owner_of(const std::vector<Person>& people);
/// Whether there is a person with this name; without configuration there is `kOwner`.
bool is_person(const std::vector<Person>& people, std::string_view name);
/// Whether only `name` is notified on this channel.
bool is_private_channel(const std::vector<Person>& people, std::string_view name,
                        std::string_view channel);
/// Whether this person is somebody's substitute.
bool is_substitute(const std::vector<Person>& people, std::string_view name);

}  // namespace a2h
