#include "daemon/collab/profile_file.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

constexpr std::size_t kIdMax = 128;
constexpr std::size_t kNameMax = 100;
constexpr std::size_t kSummaryMax = 2'000;
constexpr std::size_t kItemsMax = 30;
constexpr std::size_t kCapabilitiesBytesMax = 8'192;

struct TextMember {
    std::string_view name;
    std::string Profile::*member;
    std::size_t code_points_max;
    bool is_required = false;
};
constexpr std::array kTexts{
    TextMember{"agent_id", &Profile::agent_id, kIdMax, true},
    TextMember{"user_name", &Profile::user_name, kNameMax, true},
    TextMember{"profile_summary", &Profile::profile_summary, kSummaryMax},
    TextMember{"location", &Profile::location, kNameMax},
    TextMember{"availability", &Profile::availability, 200},
};

struct ListMember {
    std::string_view name;
    std::vector<std::string> Profile::*member;
};
constexpr std::array kLists{
    ListMember{"tags", &Profile::tags},
    ListMember{"interests", &Profile::interests},
};

Unexpected wrong(std::string_view member, std::string_view why) {
    return fail(ErrorCode::InvalidArgument, std::string(member) + " " + std::string(why));
}

Result<std::string> text_in(const json& value, std::string_view member, std::size_t max) {
    if (!value.is_string()) return wrong(member, "must be a text");
    const std::string text(trim(value.get_ref<const std::string&>()));
    if (code_point_count(text) > max) {
        return wrong(member, "has more than " + std::to_string(max) + " characters");
    }
    return text;
}

Result<void> read_text(const json& entry, const TextMember& wanted, Profile& profile) {
    const auto found = entry.find(wanted.name);
    const bool is_given = found != entry.end() && !found->is_null();
    if (!is_given) {
        return wanted.is_required ? Result<void>(wrong(wanted.name, "is missing")) : Result<void>();
    }
    A2H_ASSIGN_OR_RETURN(auto text, text_in(*found, wanted.name, wanted.code_points_max));
    // A changed id would be the id of another agent.
    const bool is_id = wanted.member == &Profile::agent_id;
    if (is_id && text != found->get_ref<const std::string&>()) {
        return wrong(wanted.name, "begins or ends with white space");
    }
    if (wanted.is_required && text.empty()) return wrong(wanted.name, "is empty");
    profile.*wanted.member = std::move(text);
    return {};
}

Result<void> read_list(const json& entry, const ListMember& wanted, Profile& profile) {
    const auto found = entry.find(wanted.name);
    if (found == entry.end() || found->is_null()) return {};
    if (!found->is_array()) return wrong(wanted.name, "must be a list of texts");
    if (found->size() > kItemsMax) {
        return wrong(wanted.name, "has more than " + std::to_string(kItemsMax) + " items");
    }
    for (const json& item : *found) {
        A2H_ASSIGN_OR_RETURN(auto text,
                             text_in(item, std::string(wanted.name) + ": each item", kNameMax));
        if (!text.empty()) (profile.*wanted.member).push_back(std::move(text));
    }
    return {};
}

Result<void> read_capabilities(const json& entry, Profile& profile) {
    const auto found = entry.find("capabilities");
    if (found == entry.end() || found->is_null()) return {};
    if (!found->is_object()) return wrong("capabilities", "must be an object");
    profile.capabilities_json = found->dump(-1, ' ', false, json::error_handler_t::replace);
    if (profile.capabilities_json.size() > kCapabilitiesBytesMax) {
        return wrong("capabilities",
                     "has more than " + std::to_string(kCapabilitiesBytesMax) + " bytes");
    }
    return {};
}

bool is_member(std::string_view name) {
    const auto has_name = [&](const auto& row) { return row.name == name; };
    return name == "capabilities" || std::any_of(kTexts.begin(), kTexts.end(), has_name) ||
           std::any_of(kLists.begin(), kLists.end(), has_name);
}

}  // namespace

Result<Profile> read_profile(const json& entry, bool may_have_more) {
    if (!entry.is_object()) return wrong("it", "must be an object");
    Profile profile;
    for (const TextMember& wanted : kTexts)
        A2H_TRY(read_text(entry, wanted, profile));
    if (!is_agent_id(profile.agent_id)) {
        return wrong("agent_id",
                     "is not an agent id: it must be ag_ followed by 1 to 48 letters and digits");
    }
    for (const ListMember& wanted : kLists)
        A2H_TRY(read_list(entry, wanted, profile));
    A2H_TRY(read_capabilities(entry, profile));
    if (may_have_more) return profile;
    for (const auto& [name, value] : entry.items()) {
        if (!is_member(name)) return wrong(preview(name), "is not a member of a profile");
    }
    return profile;
}

Result<std::vector<Profile>> read_profiles(const json& from, int first_place) {
    const json& list = from.is_object() && from.contains("profiles") ? from["profiles"] : from;
    if (!list.is_array()) {
        return fail(ErrorCode::InvalidArgument,
                    "profiles must be a list, or an object with the list \"profiles\"");
    }
    if (list.size() > kProfilesMax) {
        return fail(ErrorCode::InvalidArgument,
                    "more than " + std::to_string(kProfilesMax) + " profiles");
    }
    std::vector<Profile> profiles;
    std::unordered_set<std::string> seen;
    for (const json& entry : list) {
        const std::string which =
            "entry " + std::to_string(static_cast<std::size_t>(first_place) + profiles.size()) +
            ": ";
        auto profile = read_profile(entry);
        if (!profile) return fail(ErrorCode::InvalidArgument, which + profile.error().message);
        if (!seen.insert(profile->agent_id).second) {
            return fail(ErrorCode::InvalidArgument,
                        which + "agent_id " + preview(profile->agent_id) + " occurs twice");
        }
        profiles.push_back(std::move(*profile));
    }
    return profiles;
}

json to_json(const Profile& profile) {
    json capabilities = json::parse(profile.capabilities_json, nullptr, false);
    if (!capabilities.is_object()) capabilities = json::object();
    json object{{"capabilities", std::move(capabilities)}};
    for (const TextMember& text : kTexts)
        object[text.name] = profile.*text.member;
    for (const ListMember& list : kLists)
        object[list.name] = profile.*list.member;
    return object;
}

json shown_profile(const Profile& profile) {
    json shown = to_json(profile);
    shown["source"] = profile.source;
    shown["is_active"] = profile.is_active;
    shown["updated_at"] = to_utc_time(profile.updated_at_ms);
    return shown;
}

}  // namespace a2h::collab
