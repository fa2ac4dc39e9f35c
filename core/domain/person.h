#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h {

/// How soon somebody should look. Chooses the channels of a person. Source:
/// daemon/consent/README.md, "People".
enum class Priority { Low, Normal, High };
std::string_view to_string(Priority value);
std::optional<Priority> parse_priority(std::string_view text);

/// The person that there is without configuration: the owner of the PIN.
inline constexpr std::string_view kOwner = "human";

/// How the news of a day reach somebody: one by one, or collected.
enum class Digest { Off, Hourly, Daily };
std::string_view to_string(Digest value);
std::optional<Digest> parse_digest(std::string_view text);

/// Minutes of the local day, [from, until); over midnight when `until` is smaller. Equal: none.
struct QuietHours {
    int from_minute = 0;
    int until_minute = 0;
};
bool is_quiet(const QuietHours& hours, int minute_of_day);

/// Somebody who is told and who may answer. Configured; see daemon/consent/README.md, "People".
struct Person {
    /// Channels of one priority: each step is tried when the one before reached nobody; the
    /// channels of a step go out together.
    using Steps = std::vector<std::vector<std::string>>;

    std::string name{kOwner};  ///< 1 to 32 of [a-z0-9_-]
    std::string language;      ///< "en", "zh"; empty: the daemon's
    Steps low;
    Steps normal;
    Steps high;
    QuietHours quiet;             ///< only priority High gets through
    Digest digest = Digest::Off;  ///< of what is not High
    int per_hour_max = 30;        ///< notifications; what is over is told as one
    /// "none", "replies" (automatic replies) or "all" (what came in as well), told as a group.
    std::string reports = "none";
    std::string substitute;  ///< asked what this person did not answer in time; empty: nobody
};

const Person::Steps& steps_of(const Person& person, Priority priority);
/// nullptr when nobody is called that.
const Person* find_person(const std::vector<Person>& people, std::string_view name);
/// Whose PIN `a2h init` set: `kOwner` where somebody is called that or nobody is configured, else
/// the first.
std::string owner_of(const std::vector<Person>& people);
/// Whether somebody is called that; without configuration `kOwner` is.
bool is_person(const std::vector<Person>& people, std::string_view name);
/// Whether nobody but `name` is told on this channel.
bool is_private_channel(const std::vector<Person>& people, std::string_view name,
                        std::string_view channel);
/// Whether somebody names this person as their substitute.
bool is_substitute(const std::vector<Person>& people, std::string_view name);

}  // namespace a2h
