#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/invitation_text.h"
#include "cli/rows.h"
#include "cli/with_yes.h"
#include "core/base/join.h"
#include "core/base/money.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using Names = std::initializer_list<std::string_view>;

constexpr std::string_view kUsualCurrency = "CNY";
constexpr int kListed = 100;

std::optional<Failure> not_one_of(const Invocation& invocation, std::string_view name,
                                  Names allowed) {
    const std::string value = invocation.value(name);
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return std::nullopt;
    return Failure{
        std::string(kUsageCode),
        invocation.text("negotiate.not_one_of",
                        {{"name", name}, {"value", value}, {"all", joined_with(", ", allowed)}}),
        {},
        {}};
}

void put_text(const Invocation& invocation, std::string_view option, const char* name,
              json& params) {
    if (invocation.has(option)) params[name] = invocation.value(option);
}

/// Amounts as people write them: 280 or 19.90.
std::optional<Failure> put_price(const Invocation& invocation, const char* name, json& params) {
    if (!invocation.has("--price")) return std::nullopt;
    const std::string currency =
        invocation.has("--currency") ? invocation.value("--currency") : std::string(kUsualCurrency);
    const auto money = parse_money(invocation.value("--price"), currency);
    if (!money) {
        return Failure{
            std::string(kUsageCode),
            invocation.text("cli.not_an_amount",
                            {{"name", "--price"}, {"value", invocation.value("--price")}}),
            {},
            {}};
    }
    params[name] = {{"amount_minor", money->minor}, {"currency", money->currency}};
    return std::nullopt;
}

void put_conditions(const Invocation& invocation, json& params) {
    if (!invocation.has("--conditions")) return;
    json list = json::array();
    const std::string all = invocation.value("--conditions");
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t end = std::min(all.find(';', at), all.size());
        const std::string_view one = trim(std::string_view(all).substr(at, end - at));
        if (!one.empty()) list.push_back(one);
        at = end + 1;
    }
    params["conditions"] = std::move(list);
}

Outcome run_invitation_list(const Invocation& invocation) {
    return call_daemon(invocation, "invitation.list",
                       {{"all", invocation.has("--all")}, {"limit", kListed}}, render_invitations);
}

Outcome run_invitation_show(const Invocation& invocation) {
    return call_daemon(invocation, "invitation.list", {{"channel_id", invocation.value("CHANNEL")}},
                       render_invitation);
}

Outcome run_invitation_answer(const Invocation& invocation) {
    if (auto wrong = not_one_of(invocation, "DECISION", {"participate", "decline", "conditional"}))
        return *wrong;
    json params{{"channel_id", invocation.value("CHANNEL")},
                {"decision", invocation.value("DECISION")}};
    put_text(invocation, "--contribution", "contribution", params);
    put_text(invocation, "--reason", "reasoning", params);
    put_conditions(invocation, params);
    if (auto wrong = put_price(invocation, "price", params)) return *wrong;
    return call_daemon_with_yes(invocation, "negotiation.answer", std::move(params), render_said);
}

Outcome run_invitation_feedback(const Invocation& invocation) {
    if (auto wrong = not_one_of(invocation, "FEEDBACK", {"accept", "negotiate", "withdraw"}))
        return *wrong;
    json params{{"channel_id", invocation.value("CHANNEL")},
                {"feedback_type", invocation.value("FEEDBACK")}};
    put_text(invocation, "--change", "adjustment_request", params);
    put_text(invocation, "--reason", "reasoning", params);
    if (auto wrong = put_price(invocation, "requested_price", params)) return *wrong;
    return call_daemon_with_yes(invocation, "proposal.feedback", std::move(params), render_said);
}

}  // namespace

std::vector<Command> invitation_rows() {
    using enum ParameterKind;
    constexpr Parameter kChannel = {"CHANNEL", Required, "negotiate.argument_channel"};
    constexpr Parameter kPrice = {"--price", Value, "negotiate.option_price", "AMOUNT"};
    constexpr Parameter kCurrency = {"--currency", Value, "negotiate.option_currency", "CODE"};
    constexpr Parameter kReason = {"--reason", Value, "negotiate.option_reason", "TEXT"};
    return {
        {"invitations list",
         "invitation.list",
         "negotiate.invitation_list",
         {{"--all", Flag, "negotiate.option_all_invitations"}, kAgentOption},
         run_invitation_list},
        {"invitations show",
         "invitation.list",
         "negotiate.invitation_show",
         {kChannel, kAgentOption},
         run_invitation_show},
        {"invitations answer",
         "negotiation.answer",
         "negotiate.invitation_answer",
         {kChannel,
          {"DECISION", Required, "negotiate.argument_decision"},
          {"--contribution", Value, "negotiate.option_contribution", "TEXT"},
          {"--conditions", Value, "negotiate.option_conditions", "TEXT;TEXT"},
          kPrice,
          kCurrency,
          kReason,
          kPersonOption,
          kPinStdin,
          kNoWait,
          kAgentOption},
         run_invitation_answer},
        {"invitations feedback",
         "proposal.feedback",
         "negotiate.invitation_feedback",
         {kChannel,
          {"FEEDBACK", Required, "negotiate.argument_feedback"},
          {"--change", Value, "negotiate.option_change", "TEXT"},
          kPrice,
          kCurrency,
          kReason,
          kPersonOption,
          kPinStdin,
          kNoWait,
          kAgentOption},
         run_invitation_feedback},
    };
}

}  // namespace a2h::cli
