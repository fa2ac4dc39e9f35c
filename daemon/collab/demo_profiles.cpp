#include "daemon/collab/demo_profiles.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_set>

#include "embedded/demo_people.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

/// SplitMix64, which makes the same numbers on every machine.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t end) {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return static_cast<std::size_t>((z ^ (z >> 31)) % end);
    }
    const json& one_of(const json& list) { return list[below(list.size())]; }

  private:
    std::uint64_t state_;
};

void fill_in(std::string& text, std::string_view name, std::string_view value) {
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + value.size()))
        text.replace(at, name.size(), value);
}

class Maker {
  public:
    explicit Maker(std::uint64_t seed)
        : numbers_(seed), people_(json::parse(*embedded::demo_people("demo_people.json"))) {}

    Profile next(bool is_chinese) {
        const json& people = people_[is_chinese ? "zh" : "en"];
        const json& family = numbers_.one_of(people["family_names"]);
        const json& given = numbers_.one_of(people["given_names"]);
        const json& job = numbers_.one_of(people["jobs"]);
        Profile made;
        made.user_name =
            is_chinese ? text(family[0]) + text(given[0]) : text(given[0]) + " " + text(family[0]);
        made.agent_id = new_id(text(given[1]) + text(family[1]));
        made.location = numbers_.one_of(people["locations"]);
        made.availability = numbers_.one_of(people["availability"]);
        made.tags = job["tags"].get<std::vector<std::string>>();
        // Few people have all skills of a trade.
        if (numbers_.below(3) == 0) made.tags.pop_back();
        made.capabilities_json = job["capabilities"].dump();
        add_interests(made, people["interests"]);
        made.profile_summary = summary_of(made, people, job, is_chinese);
        return made;
    }

  private:
    static std::string text(const json& value) { return value.get<std::string>(); }

    std::string new_id(const std::string& name) {
        std::string id = "ag_trial" + name;
        for (int i = 2; !ids_.insert(id).second; ++i)
            id = "ag_trial" + name + std::to_string(i);
        return id;
    }

    void add_interests(Profile& made, const json& all) {
        const std::size_t first = numbers_.below(all.size());
        const std::size_t step = 1 + numbers_.below(all.size() - 1);
        made.interests = {text(all[first]), text(all[(first + step) % all.size()])};
    }

    std::string summary_of(const Profile& made, const json& people, const json& job,
                           bool is_chinese) {
        const std::string gap = is_chinese ? "" : " ";
        std::string summary = text(numbers_.one_of(people["openings"])) + gap + text(job["about"]) +
                              gap + text(numbers_.one_of(people["styles"])) + gap +
                              text(numbers_.one_of(people["closings"]));
        fill_in(summary, "{name}", made.user_name);
        fill_in(summary, "{city}", made.location);
        fill_in(summary, "{job}", text(job["job"]));
        fill_in(summary, "{years}", std::to_string(2 + numbers_.below(18)));
        fill_in(summary, "{interest}", made.interests.front());
        return summary;
    }

    Numbers numbers_;
    json people_;
    std::unordered_set<std::string> ids_;
};

}  // namespace

std::vector<Profile> demo_profiles(int count, std::uint64_t seed) {
    Maker maker(seed);
    std::vector<Profile> profiles;
    for (int i = 0; i < count; ++i)
        profiles.push_back(maker.next(i % 5 < 3));
    return profiles;
}

}  // namespace a2h::collab
