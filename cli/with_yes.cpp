#include "cli/with_yes.h"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/approval_text.h"
#include "cli/approve.h"
#include "cli/daemon_call.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kAsks = "PLATFORM_CONFIRMATION_REQUIRED";
/// More than the 26 s after which a2hd gives up a call that reaches no market.
constexpr std::chrono::seconds kOutcomeWaitMax{40};
constexpr std::chrono::milliseconds kOutcomePoll{100};

bool can_ask(const Invocation& invocation) {
    return !invocation.has(kNoWait.name) && (invocation.has(kPinStdin.name) || has_terminal());
}

bool is_under_way(const json& approval) {
    const std::string outcome = text_of(approval, "outcome");
    return text_of(approval, "status") == "approved" &&
           at(approval, "closed_without_answer") != true &&
           (outcome == "none" || outcome == "executing");
}

bool has_failed(const json& approval) {
    const std::string outcome = text_of(approval, "outcome");
    return outcome == "failed" || outcome == "unknown" || outcome == "expired";
}

json wait_for_end(control::Client& client, const Invocation& invocation, json approval) {
    const auto end = Clock::now() + kOutcomeWaitMax;
    while (is_under_way(approval) && Clock::now() < end) {
        std::this_thread::sleep_for(kOutcomePoll);
        json now = read_approval(client, invocation, text_of(approval, "approval_id"));
        if (now.is_object()) approval = std::move(now);
    }
    return when_sent(client, invocation, std::move(approval));
}

/// The answer of the market or of a2hd is kept as text with the approval.
json with_result(json approval) {
    const json result = json::parse(wire::text_member(approval, "outcome_detail"), nullptr, false);
    if (result.is_object()) approval["result"] = result;
    return approval;
}

std::string error_envelope(std::string_view action, json error, const std::string& id) {
    error["approval_id"] = id;
    if (!error.contains("next")) error["next"] = "";
    return json{{"ok", false}, {"action", action}, {"error", std::move(error)}}.dump(
        -1, ' ', false, json::error_handler_t::replace);
}

/// The yes was given, but what it was for could not be done.
Failure not_done(const Invocation& invocation, std::string_view action, const json& approval) {
    const std::string id = text_of(approval, "approval_id");
    const json error{{"code", "conflict"},
                     {"message", wire::text_member(approval, "outcome_detail")},
                     {"status", text_of(approval, "status")},
                     {"outcome", text_of(approval, "outcome")}};
    return {"conflict", render_carried_out(invocation, approval),
            invocation.text("cli.see_why", {{"command", invocation.hint("why " + id)}}),
            error_envelope(action, error, id)};
}

/// Says that the question is still open, if it is.
Failure not_answered(control::Client& client, const Invocation& invocation, std::string_view action,
                     Failure refused, const std::string& id) {
    json error = error_of(refused);
    if (!error.is_object()) error = {{"code", refused.code}, {"message", refused.message}};
    refused.envelope = error_envelope(action, std::move(error), id);
    if (text_of(read_approval(client, invocation, id), "status") != "pending") return refused;
    refused.next +=
        (refused.next.empty() ? "" : "\n  ") +
        invocation.text("cli.still_open", {{"command", invocation.hint("approve " + id)}});
    return refused;
}

Outcome answer_here(control::Client& client, const Invocation& invocation, std::string_view action,
                    const std::string& id) {
    Outcome answered = approve_shown(client, invocation, id);
    if (auto* refused = std::get_if<Failure>(&answered))
        return not_answered(client, invocation, action, std::move(*refused), id);
    const json approval =
        with_result(wait_for_end(client, invocation, data_of(*std::get_if<Report>(&answered))));
    if (has_failed(approval)) return not_done(invocation, action, approval);
    return report(action, approval, render_carried_out(invocation, approval));
}

}  // namespace

std::string render_carried_out(const Invocation& invocation, const json& approval) {
    std::string out = render_answered(invocation, approval);
    if (has_failed(approval)) {
        const std::string why = text_of(approval, "outcome_detail");
        return why.empty()
                   ? out
                   : invocation.text("cli.with_detail", {{"message", out}, {"detail", why}});
    }
    if (is_under_way(approval)) return out + "\n" + invocation.text("cli.still_under_way");
    const json& result = at(approval, "result");
    for (const auto& [member, key] :
         {std::pair{"orderId", "cli.id_of_order"}, std::pair{"worksId", "cli.id_of_listing"}}) {
        const std::string id = text_of(result, member);
        if (!id.empty()) return out + "\n" + invocation.text(key, {{"id", id}});
    }
    return out;
}

Outcome call_with_yes(control::Client& client, const Invocation& invocation,
                      std::string_view action, json params, Renderer render) {
    Outcome called = call(client, invocation, action, std::move(params), render);
    const auto* asks = std::get_if<Failure>(&called);
    if (asks == nullptr || asks->code != kAsks) return called;
    const std::string id = wire::text_member(error_of(*asks), "approval_id");
    if (id.empty()) return called;
    if (can_ask(invocation)) return answer_here(client, invocation, action, id);
    if (!invocation.json) static_cast<void>(show_question(client, invocation, id));
    return called;
}

Outcome call_daemon_with_yes(const Invocation& invocation, std::string_view action, json params,
                             Renderer render) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    return call_with_yes(**std::get_if<0>(&connected), invocation, action, std::move(params),
                         render);
}

}  // namespace a2h::cli
