#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/answer_parts.h"
#include "cli/approval_text.h"
#include "cli/approve.h"
#include "cli/daemon_call.h"
#include "cli/pin.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::string_view kAnswer = "approval.answer";

/// Whether a person types the PIN.
bool is_asked(const Invocation& invocation) {
    return !invocation.has(kPinStdin.name) && has_terminal();
}

/// The PIN for an answer. Without one nothing is answered, and no wrong PIN counts.
std::variant<std::string, Failure> pin_for_answer(const Invocation& invocation) {
    if (is_asked(invocation))
        std::fputs((invocation.text("cli.pin_or_leave") + "\n").c_str(), stderr);
    auto pin = read_pin(invocation);
    const auto* typed = std::get_if<std::string>(&pin);
    if (typed == nullptr || !typed->empty()) return pin;
    return Failure{"invalid_argument", invocation.text("cli.no_pin_typed"), {}, {}};
}

}  // namespace

std::variant<json, Failure> show_question(control::Client& client, const Invocation& invocation,
                                          const std::string& id) {
    auto listed = call(client, invocation, "approval.list", {{"approval_id", id}}, render_approval);
    if (auto* refused = std::get_if<Failure>(&listed)) return *refused;
    const auto& report = *std::get_if<Report>(&listed);
    // The answer of a program that reads JSON is not seen by a person, unless the PIN is typed.
    const bool is_seen = !invocation.json || is_asked(invocation);
    if (is_seen) std::fputs((report.text + "\n").c_str(), stderr);
    return data_of(report)["approvals"][0];
}

json read_approval(control::Client& client, const Invocation& invocation, const std::string& id) {
    const auto listed =
        call(client, invocation, "approval.list", {{"approval_id", id}}, nothing_to_show);
    const json data = data_of(listed);
    const auto approvals = items_of(data, "approvals");
    return approvals.empty() ? json() : approvals.front();
}

json when_sent(control::Client& client, const Invocation& invocation, json answered) {
    constexpr std::chrono::seconds kWaitMax{2};
    constexpr std::chrono::milliseconds kPoll{50};
    const auto end = std::chrono::steady_clock::now() + kWaitMax;
    while (at(answered, "not_yet_sent") == true && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(kPoll);
        json now = read_approval(client, invocation, text_of(answered, "approval_id"));
        if (!now.is_object() || now.contains("not_yet_sent")) continue;
        answered.erase("not_yet_sent");
        answered.update(now);
    }
    return answered;
}

namespace {

/// "apr_1,apr_2": each is shown, then one PIN answers all of them.
Outcome answer_many(const Invocation& invocation, std::string_view decision) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    json answers = json::array();
    const std::string ids = invocation.value("ID");
    for (std::size_t at = 0; at <= ids.size();) {
        const std::size_t comma = std::min(ids.find(',', at), ids.size());
        const auto shown = show_question(client, invocation, ids.substr(at, comma - at));
        if (auto* refused = std::get_if<Failure>(&shown)) return *refused;
        const json& approval = *std::get_if<json>(&shown);
        answers.push_back({{"approval_id", approval.value("approval_id", "")},
                           {"digest", approval.value("digest", "")}});
        at = comma + 1;
    }
    auto pin = pin_for_answer(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    json params{{"answers", std::move(answers)},
                {"decision", decision},
                {"pin", *std::get_if<std::string>(&pin)}};
    if (invocation.has("--person")) params["person"] = invocation.value("--person");
    return call(client, invocation, "approval.answer_many", std::move(params),
                render_answered_many);
}

bool is_many(const Invocation& invocation) {
    return invocation.value("ID").find(',') != std::string::npos;
}

/// If a yes would only close the question, asks the person for the text that answers it; empty:
/// nothing is to be sent.
std::string ask_for_text(const Invocation& invocation, const json& approval) {
    const std::string id = wire::text_member(approval, "approval_id");
    if (!invocation.has("--pin-stdin")) {
        const auto text =
            ask_line(wrap(invocation.text("cli.ask_reply"), terminal_columns(), 0) + "> ");
        if (text) return std::string(trim(*text));
    }
    const std::string command = invocation.hint("approve " + id + " --text \"…\"");
    std::fputs((invocation.text("cli.closes_unanswered", {{"command", command}}) + "\n").c_str(),
               stderr);
    return {};
}

/// Shows the approval, asks for the PIN (access to the socket proves nothing), and calls `action`.
/// An answer contains the digest of what was shown, so it does not count if the text has changed.
Outcome with_pin(control::Client& client, const Invocation& invocation, const std::string& id,
                 std::string_view action, json params) {
    const auto shown = show_question(client, invocation, id);
    if (auto* refused = std::get_if<Failure>(&shown)) return *refused;
    const json& approval = *std::get_if<json>(&shown);
    if (action == kAnswer && params.value("decision", "") == "approve" &&
        !params.contains("reply_text") && wire::member(approval, "closes_without_answer") == true) {
        const std::string text = ask_for_text(invocation, approval);
        if (!text.empty()) params["reply_text"] = text;
    }
    auto pin = pin_for_answer(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    params["approval_id"] = id;
    params["pin"] = *std::get_if<std::string>(&pin);
    if (invocation.has("--person")) params["person"] = invocation.value("--person");
    if (action == kAnswer) params["digest"] = approval.value("digest", "");
    Outcome answered = call(client, invocation, action, std::move(params), render_answered);
    if (std::holds_alternative<Failure>(answered) || action != kAnswer) return answered;
    const json now = when_sent(client, invocation, data_of(*std::get_if<Report>(&answered)));
    return report(kAnswer, now, render_answered(invocation, now));
}

Outcome with_pin(const Invocation& invocation, std::string_view action, json params) {
    // The PIN is requested only if it can be checked.
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    return with_pin(**std::get_if<0>(&connected), invocation, invocation.value("ID"), action,
                    std::move(params));
}

Outcome answer(const Invocation& invocation, json params) {
    return with_pin(invocation, kAnswer, std::move(params));
}

}  // namespace

Outcome approve_shown(control::Client& client, const Invocation& invocation,
                      const std::string& id) {
    return with_pin(client, invocation, id, kAnswer, {{"decision", "approve"}});
}

namespace {

Outcome run_approvals(const Invocation& invocation) {
    if (invocation.has("--stats")) {
        return call_daemon(invocation, "approval.stats", json::object(), render_approval_stats);
    }
    json params = json::object();
    if (!invocation.has("--all")) params["status"] = "pending";
    return call_daemon(invocation, "approval.list", std::move(params), render_approvals);
}

Outcome run_approve(const Invocation& invocation) {
    if (is_many(invocation) && !invocation.has("--text")) return answer_many(invocation, "approve");
    json params = {{"decision", "approve"}};
    if (invocation.has("--text")) params["reply_text"] = invocation.value("--text");
    return answer(invocation, std::move(params));
}

Outcome run_reject(const Invocation& invocation) {
    if (is_many(invocation)) return answer_many(invocation, "reject");
    return answer(invocation, {{"decision", "reject"}});
}

Outcome run_instruct(const Invocation& invocation) {
    return answer(invocation, {{"decision", invocation.value("TEXT")}, {"as_instruction", true}});
}

Outcome run_learn(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("--text")) params["text"] = invocation.value("--text");
    return with_pin(invocation, "listing.learn", std::move(params));
}

}  // namespace

std::vector<Command> approval_rows() {
    using enum ParameterKind;
    constexpr Parameter kApproval = {"ID", Required, "cli.argument_approval"};
    return {
        {"approvals",
         "approval.list",
         "cli.approvals",
         {{"--all", Flag, "cli.option_all"}, {"--stats", Flag, "cli.option_stats"}, kAgentOption},
         run_approvals},
        {"approve",
         "approval.answer",
         "cli.approve",
         {kApproval,
          {"--text", Value, "cli.option_text", "TEXT"},
          kPersonOption,
          kPinStdin,
          kAgentOption},
         run_approve},
        {"reject",
         "approval.answer",
         "cli.reject",
         {kApproval, kPersonOption, kPinStdin, kAgentOption},
         run_reject},
        {"instruct",
         "approval.answer",
         "cli.instruct",
         {kApproval,
          {"TEXT", Required, "cli.argument_instruction"},
          kPersonOption,
          kPinStdin,
          kAgentOption},
         run_instruct},
        {"learn",
         "listing.learn",
         "cli.learn",
         {kApproval,
          {"--text", Value, "cli.option_fact", "TEXT"},
          kPersonOption,
          kPinStdin,
          kAgentOption},
         run_learn},
    };
}

}  // namespace a2h::cli
