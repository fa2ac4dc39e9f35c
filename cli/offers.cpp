#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/mail_text.h"
#include "cli/read_deal.h"
#include "cli/rows.h"
#include "cli/with_yes.h"
#include "core/base/money.h"
#include "core/base/time_text.h"
#include "core/domain/deal.h"
#include "core/wire/json_member.h"

namespace a2h::cli {

using nlohmann::json;

std::variant<json, Failure> read_deal(control::Client& client, const Invocation& invocation,
                                      const std::string& deal_id) {
    const Outcome read =
        call(client, invocation, "deal.get", {{"deal_id", deal_id}}, nothing_to_show);
    if (const auto* refused = std::get_if<Failure>(&read)) return *refused;
    return data_of(read);
}

Failure not_in_this_deal(const Invocation& invocation, const std::string& deal_id,
                         std::string_view key) {
    return {"conflict",
            invocation.text(key, {{"deal", deal_id}}),
            invocation.text("cli.see_deal", {{"command", invocation.hint("deal " + deal_id)}}),
            {}};
}

std::string listing_of_deal(const json& deal) {
    const json& subject = at(deal, "subject");
    return text_of(subject, "kind") == kListingSubject ? wire::text_member(subject, "id")
                                                       : std::string();
}

namespace {

/// Decimal major units as a number of JSON: 280 or 19.9.
json number_given(const std::string& amount) {
    return json::parse(amount, nullptr, false);
}

std::variant<json, Failure> offer_given(const Invocation& invocation) {
    const auto usage = [](std::string message) {
        return Failure{std::string(kUsageCode), std::move(message), {}, {}};
    };
    const std::string amount = invocation.value("AMOUNT");
    const std::string currency = invocation.value("CURRENCY");
    const auto money = parse_money(amount, currency);
    const json number = number_given(amount);
    if (!money || !number.is_number()) {
        return usage(
            invocation.text("cli.not_a_price", {{"amount", amount}, {"currency", currency}}));
    }
    json payload{{"type", "offer"}, {"price", {{"currency", currency}, {"amount", number}}}};
    if (invocation.has("--summary")) payload["summary"] = invocation.value("--summary");
    if (invocation.has("--until")) {
        const auto until = parse_time(invocation.value("--until"));
        if (!until) {
            return usage(
                invocation.text("cli.not_a_time", {{"value", invocation.value("--until")}}));
        }
        payload["valid_until"] = to_utc_time(*until);
    }
    json params{{"target_agent_id", invocation.value("PEER")}, {"extra_payload", payload}};
    if (invocation.has("--works-id")) params["works_id"] = invocation.value("--works-id");
    return params;
}

Outcome run_offer(const Invocation& invocation) {
    auto params = offer_given(invocation);
    if (auto* wrong = std::get_if<Failure>(&params)) return std::move(*wrong);
    return call_daemon_with_yes(invocation, "send", std::get<json>(std::move(params)),
                                render_message);
}

/// An offer in words has no acceptance of its own type; its question, if one waits, is answered.
Failure offered_in_words(const Invocation& invocation, const json& data) {
    Failure refused =
        not_in_this_deal(invocation, invocation.value("DEAL-ID"), "cli.offered_in_words");
    for (const json& id : items_of(data, "approval_ids")) {
        if (!id.is_string()) continue;
        refused.next = invocation.text(
            "cli.next_approve", {{"command", invocation.hint("approve " + id.get<std::string>())}});
    }
    return refused;
}

/// Answers the offer to which the peer of the deal stands. a2hd refuses if it stands to another one
/// by then.
Outcome answer_offer(const Invocation& invocation, std::string_view type) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    const auto read = read_deal(client, invocation, invocation.value("DEAL-ID"));
    if (const auto* refused = std::get_if<Failure>(&read)) return *refused;
    const json& data = *std::get_if<json>(&read);
    const json& deal = at(data, "deal");
    const json& offer = at(deal, "their_offer");
    if (!offer.is_object())
        return not_in_this_deal(invocation, invocation.value("DEAL-ID"), "cli.no_offer_stands");
    if (at(offer, "typed") != true) return offered_in_words(invocation, data);
    json params{{"target_agent_id", wire::text_member(deal, "peer_id")},
                {"extra_payload",
                 {{"type", type}, {"offer_message_id", wire::text_member(offer, "message_id")}}}};
    if (const std::string listing = listing_of_deal(deal); !listing.empty())
        params["works_id"] = listing;
    return call_with_yes(client, invocation, "send", std::move(params), render_message);
}

Outcome run_accept(const Invocation& invocation) {
    return answer_offer(invocation, "accept");
}

Outcome run_decline(const Invocation& invocation) {
    return answer_offer(invocation, "reject");
}

}  // namespace

std::vector<Command> offer_rows() {
    using enum ParameterKind;
    constexpr Parameter kDeal = {"DEAL-ID", Required, "cli.argument_deal"};
    return {
        {"offer",
         "send",
         "cli.offer",
         {kPeerWord,
          {"AMOUNT", Required, "cli.argument_amount"},
          {"CURRENCY", Required, "cli.argument_currency"},
          {"--works-id", Value, "cli.option_offer_works", "ID"},
          {"--until", Value, "cli.option_offer_until", "TIME"},
          {"--summary", Value, "cli.option_offer_summary", "TEXT"},
          kPersonOption,
          kPinStdin,
          kNoWait,
          kAgentOption},
         run_offer},
        {"accept",
         "send",
         "cli.accept",
         {kDeal, kPersonOption, kPinStdin, kNoWait, kAgentOption},
         run_accept},
        {"decline",
         "send",
         "cli.decline",
         {kDeal, kPersonOption, kPinStdin, kNoWait, kAgentOption},
         run_decline},
    };
}

}  // namespace a2h::cli
