#include "cli/events.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/rows.h"
#include "cli/terminal.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kFollowPoll{500};

Outcome run_events(const Invocation& invocation) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    std::int64_t last_id = 0;
    while (true) {
        Outcome outcome =
            call(client, invocation, "events.list", {{"after_id", last_id}}, render_events);
        const auto* got = std::get_if<Report>(&outcome);
        if (got == nullptr || !invocation.has("--follow")) return outcome;
        const json data = data_of(*got);
        if (const std::int64_t newest = data.value("last_id", last_id); newest > last_id) {
            last_id = newest;
            print(outcome, "events.list", invocation.json);
        }
        std::this_thread::sleep_for(kFollowPoll);
    }
}

}  // namespace

std::string render_events(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& event : items_of(data, "events")) {
        rows.push_back({time_of(event, "at"), text_of(event, "kind"), text_of(event, "subject")});
    }
    if (rows.empty()) return invocation.text("cli.no_events");
    return table({invocation.text("cli.column_time"), invocation.text("cli.column_event"),
                  invocation.text("cli.column_subject")},
                 rows, terminal_columns());
}

std::vector<Command> event_rows() {
    using enum ParameterKind;
    return {
        {"events",
         "events.list",
         "cli.events",
         {{"--follow", Flag, "cli.option_follow"}, kAgentOption},
         run_events},
    };
}

}  // namespace a2h::cli
