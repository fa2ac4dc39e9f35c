#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/negotiation_story.h"
#include "cli/negotiation_text.h"
#include "cli/number.h"
#include "cli/rows.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr int kFollowWaitSeconds = 20;
constexpr int kInterrupted = 130;
/// Each part of a plan is looked up at the market before it is asked about.
constexpr std::chrono::seconds kApplyTimeout{120};

/// The text that the handler of Ctrl-C prints; set before the handler, and not changed afterwards.
char parting_words[512];

/// Only calls that a signal handler may make.
extern "C" void part(int) {
    const ssize_t written = ::write(STDERR_FILENO, parting_words, std::strlen(parting_words));
    ::_exit(written < 0 ? kFailed : kInterrupted);
}

/// From here on Ctrl-C prints how to see it again; the negotiation continues in a2hd.
void part_politely(const Invocation& invocation, const std::string& demand_id) {
    const std::string words =
        "\n" +
        invocation.text("negotiate.goes_on",
                        {{"show", invocation.hint("negotiate show " + demand_id)},
                         {"cancel", invocation.hint("negotiate cancel " + demand_id)}}) +
        "\n";
    std::snprintf(parting_words, sizeof parting_words, "%s", words.c_str());
    struct sigaction action {};
    action.sa_handler = part;
    ::sigaction(SIGINT, &action, nullptr);
}

void put_texts(json& params, const char* name, const std::string& comma_separated) {
    json list = json::array();
    for (std::size_t at = 0; at <= comma_separated.size();) {
        const std::size_t comma = std::min(comma_separated.find(',', at), comma_separated.size());
        if (comma > at) list.push_back(comma_separated.substr(at, comma - at));
        at = comma + 1;
    }
    params[name] = std::move(list);
}

std::variant<json, Failure> submission(const Invocation& invocation) {
    json params{{"raw_input", invocation.value("TEXT")}};
    if (invocation.has("--on-timeout")) params["on_timeout"] = invocation.value("--on-timeout");
    if (invocation.has("--show-terms")) params["show_terms"] = true;
    if (invocation.has("--invite")) put_texts(params, "invite", invocation.value("--invite"));
    for (const auto& [option, name] : {std::pair{"--answer-within", "response_seconds"},
                                       std::pair{"--judge-within", "feedback_seconds"}}) {
        if (!invocation.has(option)) continue;
        const auto seconds = number_of(invocation, option);
        if (const auto* wrong = std::get_if<Failure>(&seconds)) return *wrong;
        params[name] = std::get<0>(seconds);
    }
    return params;
}

void tell(const Invocation& invocation, const json& data) {
    if (invocation.json) return;
    for (const json& event : items_of(data, "events")) {
        const std::string line = story_line(invocation, data, event);
        if (line.empty()) continue;
        std::puts((time_of(event, "timestamp") + "  " + line).c_str());
    }
    std::fflush(stdout);
}

/// Prints its history as it happens, and at the end the result.
Outcome follow_story(control::Client& client, const Invocation& invocation,
                     const std::string& demand_id) {
    part_politely(invocation, demand_id);
    std::int64_t last = 0;
    while (true) {
        Outcome outcome = call(client, invocation, "negotiation.get",
                               {{"demand_id", demand_id},
                                {"events_after", last},
                                {"wait_seconds", kFollowWaitSeconds}},
                               render_negotiation);
        if (std::holds_alternative<Failure>(outcome)) return outcome;
        const json data = data_of(outcome);
        tell(invocation, data);
        last = data.value("last_event", last);
        const bool told_all = at(data, "more_events") != true;
        if (told_all && text_of(data, "status") != "processing") {
            if (!invocation.json) std::puts("");
            return outcome;
        }
    }
}

Outcome run_negotiate(const Invocation& invocation) {
    auto params = submission(invocation);
    if (const auto* wrong = std::get_if<Failure>(&params)) return *wrong;
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    Outcome outcome =
        call(client, invocation, "demand.submit", std::get<json>(params), render_demand);
    if (std::holds_alternative<Failure>(outcome)) return outcome;
    const std::string demand_id = text_of(data_of(outcome), "demand_id");
    if (invocation.has("--no-follow")) {
        auto& submitted = *std::get_if<Report>(&outcome);
        submitted.text +=
            "\n" + invocation.text("negotiate.look_again",
                                   {{"show", invocation.hint("negotiate show " + demand_id)}});
        return outcome;
    }
    if (!invocation.json) print(outcome, "demand.submit", false);
    return follow_story(client, invocation, demand_id);
}

Outcome run_negotiation_show(const Invocation& invocation) {
    if (!invocation.has("--follow")) {
        return call_daemon(invocation, "negotiation.get",
                           {{"demand_id", invocation.value("DEMAND")}}, render_negotiation);
    }
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    return follow_story(**std::get_if<0>(&connected), invocation, invocation.value("DEMAND"));
}

Outcome run_negotiation_apply(const Invocation& invocation) {
    json params{{"demand_id", invocation.value("DEMAND")}};
    if (invocation.has("--as")) params["as"] = invocation.value("--as");
    Outcome outcome = call_daemon(invocation, "negotiation.apply", std::move(params),
                                  render_plan_actions, kApplyTimeout);
    if (std::holds_alternative<Failure>(outcome)) return outcome;
    const std::vector<json> items = items_of(data_of(outcome), "items");
    const bool is_whole = std::none_of(items.begin(), items.end(),
                                       [](const json& item) { return at(item, "ok") != true; });
    if (!is_whole) std::get_if<Report>(&outcome)->status = kFailed;
    return outcome;
}

}  // namespace

std::vector<Command> negotiation_rows() {
    using enum ParameterKind;
    constexpr Parameter kDemand = {"DEMAND", Required, "negotiate.argument_demand"};
    return {
        {"negotiate",
         "demand.submit",
         "negotiate.submit",
         {{"TEXT", Required, "negotiate.argument_text"},
          {"--on-timeout", Value, "negotiate.option_on_timeout", "accept|ignore|decline"},
          {"--show-terms", Flag, "negotiate.option_show_terms"},
          {"--answer-within", Value, "negotiate.option_answer_within", "SECONDS"},
          {"--judge-within", Value, "negotiate.option_judge_within", "SECONDS"},
          {"--invite", Value, "negotiate.option_invite", "ID,ID"},
          {"--no-follow", Flag, "negotiate.option_no_follow"},
          kPinStdin,
          kAgentOption},
         run_negotiate},
        {"negotiate show",
         "negotiation.get",
         "negotiate.show",
         {kDemand, {"--follow", Flag, "negotiate.option_follow", {}, "-f"}, kAgentOption},
         run_negotiation_show},
        standard_row("negotiate list", "negotiation.list", "negotiate.list", {kAgentOption},
                     render_negotiations),
        {"negotiate apply",
         "negotiation.apply",
         "negotiate.apply",
         {kDemand, {"--as", Value, "negotiate.option_as", "briefs|offers|rfps"}, kAgentOption},
         run_negotiation_apply},
        standard_row("negotiate cancel", "negotiation.cancel", "negotiate.cancel",
                     {kDemand, kPinStdin, kAgentOption}, render_negotiation),
    };
}

}  // namespace a2h::cli
