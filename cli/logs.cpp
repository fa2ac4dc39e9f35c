#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/log_text.h"
#include "cli/number.h"
#include "cli/rows.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// An answer can be delayed by this time, so the wait for it is longer.
constexpr int kFollowSeconds = 20;
constexpr int kFollowLines = 2'000;
constexpr int kLinesMax = 2'000;

std::string render_lines(const Invocation& invocation, const json& data) {
    std::string text;
    for (const json& line : items_of(data, "lines"))
        text += shown(read_log_line(invocation, line), colours_for(stdout)) + "\n";
    return text;
}

/// Until Ctrl-C, or until a2hd has ended.
Outcome follow(control::Client& client, const Invocation& invocation, json params, Outcome first) {
    Outcome outcome = std::move(first);
    while (const auto* got = std::get_if<Report>(&outcome)) {
        const json data = data_of(*got);
        if (!items_of(data, "lines").empty()) print(outcome, "logs", invocation.json);
        params["after"] = data.value("last", std::int64_t{0});
        params["limit"] = kFollowLines;
        params["wait_seconds"] = kFollowSeconds;
        outcome = call(client, invocation, "logs", params, render_lines);
    }
    const auto& failed = *std::get_if<Failure>(&outcome);
    if (failed.code != to_string(ErrorCode::Unavailable)) return outcome;
    if (!invocation.json) std::fputs((invocation.text("watch.ended") + "\n").c_str(), stderr);
    return Report{};
}

Outcome run_logs(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("--lines")) {
        const auto count = number_of(invocation, "--lines");
        if (const auto* wrong = std::get_if<Failure>(&count)) return *wrong;
        params["limit"] = std::min<std::int64_t>(std::get<0>(count), kLinesMax);
    }
    if (invocation.has("--level")) params["level"] = invocation.value("--level");
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) {
        refused->next =
            invocation.text("cli.read_log", {{"log", invocation.home.log_file().string()}});
        return *refused;
    }
    control::Client& client = **std::get_if<0>(&connected);
    Outcome outcome = call(client, invocation, "logs", params, render_lines);
    if (!invocation.has("--follow") || std::holds_alternative<Failure>(outcome)) return outcome;
    return follow(client, invocation, std::move(params), std::move(outcome));
}

}  // namespace

std::vector<Command> log_rows() {
    using enum ParameterKind;
    return {
        {"logs",
         "logs",
         "cli.logs",
         {{"--follow", Flag, "cli.option_follow", {}, "-f"},
          {"--lines", Value, "cli.option_lines", "N", "-n"},
          {"--level", Value, "cli.option_level", "LEVEL"}},
         run_logs},
    };
}

}  // namespace a2h::cli
