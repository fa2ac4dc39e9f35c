#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/number.h"
#include "cli/rows.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// A line to a2hd has at most 1 MiB.
constexpr std::size_t kPartBytesMax = 700 * 1024;

std::string joined_texts(const json& list) {
    std::string all;
    if (!list.is_array()) return all;
    for (const json& item : list) {
        const std::string text = text_of({{"text", item}}, "text");
        if (!text.empty()) all += (all.empty() ? "" : ", ") + text;
    }
    return all;
}

std::string render_profile_published(const Invocation& invocation, const json& data) {
    return invocation.text("cli.profile_published", {{"tags", joined_texts(at(data, "tags"))}}) +
           "\n";
}

std::string render_generated(const Invocation&, const json& data) {
    return at(data, "profiles").dump(2) + "\n";
}

/// From `first` on, as many as fit into one line to a2hd, at least one.
json part_of(const json& profiles, std::size_t first) {
    json part = json::array();
    std::size_t bytes = 0;
    for (std::size_t i = first; i < profiles.size(); ++i) {
        bytes += profiles[i].dump().size();
        if (bytes > kPartBytesMax && !part.empty()) break;
        part.push_back(profiles[i]);
    }
    return part;
}

std::string render_profiles(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& profile : items_of(data, "items")) {
        rows.push_back({text_of(profile, "agent_id"), text_of(profile, "user_name"),
                        joined_texts(at(profile, "tags")), text_of(profile, "location"),
                        word(invocation, text_of(profile, "source"))});
    }
    std::string out = table_of(invocation,
                               {"cli.column_agent", "cli.column_name", "cli.column_tags",
                                "cli.column_location", "cli.column_profile_source"},
                               rows, "cli.no_profiles");
    if (at(data, "more") == true && !rows.empty()) {
        out += invocation.text(
                   "cli.more_profiles",
                   {{"total", text_of(data, "total")},
                    {"command", invocation.hint("profiles list --after " + rows.back().front())}}) +
               "\n";
    }
    return out;
}

std::string render_profiles_removed(const Invocation& invocation, const json& data) {
    return invocation.text("cli.profiles_removed", {{"count", text_of(data, "removed")}}) + "\n";
}

Outcome run_profile_import(const Invocation& invocation) {
    auto file = json_file(invocation, "FILE", true);
    if (auto* refused = std::get_if<Failure>(&file)) return *refused;
    const json& read = *std::get_if<json>(&file);
    const json& profiles = read.is_array() ? read : wire::member(read, "profiles");
    if (!profiles.is_array()) {
        return Failure{std::string(kUsageCode),
                       invocation.text("cli.not_profiles", {{"file", invocation.value("FILE")}}),
                       {},
                       {}};
    }
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<std::unique_ptr<control::Client>>(&connected);
    std::size_t done = 0;
    while (done < profiles.size()) {
        json part = part_of(profiles, done);
        const std::size_t count = part.size();
        Outcome outcome =
            call(client, invocation, "profile.import",
                 {{"profiles", std::move(part)}, {"first_place", done + 1}}, nothing_to_show);
        if (auto* refused = std::get_if<Failure>(&outcome)) return *refused;
        done += count;
    }
    return report(
        "profile.import", {{"imported", done}},
        invocation.text("cli.profiles_imported", {{"count", std::to_string(done)}}) + "\n");
}

Outcome run_profile_set(const Invocation& invocation) {
    auto file = json_file(invocation, "FILE");
    if (auto* refused = std::get_if<Failure>(&file)) return *refused;
    json profile = std::move(*std::get_if<json>(&file));
    profile.erase("agent_id");
    return call_daemon(invocation, "profile.set", std::move(profile), render_profile_published);
}

Outcome run_profile_generate(const Invocation& invocation) {
    json params = json::object();
    for (const auto& [option, name] :
         {std::pair{"--count", "count"}, std::pair{"--seed", "seed"}}) {
        if (!invocation.has(option)) continue;
        const auto number = number_of(invocation, option);
        if (const auto* refused = std::get_if<Failure>(&number)) return *refused;
        params[name] = std::get<std::int64_t>(number);
    }
    Outcome outcome =
        call_daemon(invocation, "profile.generate", std::move(params), render_generated);
    auto* made = std::get_if<Report>(&outcome);
    if (made == nullptr || !invocation.has("--out")) return outcome;
    const json profiles = wire::member(data_of(*made), "profiles");
    const std::string path = invocation.value("--out");
    std::ofstream file(path);
    file << profiles.dump(2) << "\n";
    file.close();
    if (!file) {
        return Failure{"io", invocation.text("cli.file_not_written", {{"file", path}}), {}, {}};
    }
    const std::string count = std::to_string(profiles.size());
    made->text = invocation.text("cli.profiles_written", {{"count", count}, {"file", path}}) + "\n";
    return outcome;
}

}  // namespace

std::vector<Command> profile_rows() {
    using enum ParameterKind;
    return {
        standard_row("profiles list", "profile.list", "cli.profile_list",
                     {{"--tag", Value, "cli.option_tag", "TAG"},
                      {"--after", Value, "cli.option_after_agent", "ID"},
                      kAgentOption},
                     render_profiles, kHundred),
        {"profiles import",
         "profile.import",
         "cli.profile_import",
         {{"FILE", Required, "cli.argument_profile_file"}, kAgentOption},
         run_profile_import},
        {"profiles set",
         "profile.set",
         "cli.profile_set",
         {{"FILE", Required, "cli.argument_own_profile"}, kPinStdin, kAgentOption},
         run_profile_set},
        {"profiles generate",
         "profile.generate",
         "cli.profile_generate",
         {{"--count", Value, "cli.option_profile_count", "N"},
          {"--seed", Value, "cli.option_seed", "N"},
          {"--out", Value, "cli.option_profile_out", "FILE"},
          kAgentOption},
         run_profile_generate},
        standard_row("profiles reset", "profile.reset", "cli.profile_reset",
                     {kPinStdin, kAgentOption}, render_profiles_removed),
    };
}

}  // namespace a2h::cli
