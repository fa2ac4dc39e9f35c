#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/mandate_text.h"
#include "cli/pin.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/domain/mandate_kind.h"
#include "core/wire/json_member.h"
#include "core/wire/listing_digest.h"
#include "daemon/card/card.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

struct Field {
    std::string_view option;
    const char* param;
};
constexpr Field kTexts[] = {
    {"--currency", "currency"}, {"--peer", "peer_id"}, {"--works", "works_id"}, {"--side", "side"},
    {"--strategy", "strategy"}, {"--from", "from"},    {"--until", "until"}};
constexpr Field kAmounts[] = {{"--at-least", "amount_from_minor"},
                              {"--at-most", "amount_to_minor"},
                              {"--opening", "opening_minor"},
                              {"--sum-per-day", "sum_per_day_minor"},
                              {"--sum-per-week", "sum_per_week_minor"}};
constexpr Field kCounts[] = {
    {"--per-day", "count_per_day"}, {"--per-week", "count_per_week"}, {"--rounds", "rounds"}};

/// The kind that is named on the command line, by its present name.
std::string kind_name(const Invocation& invocation) {
    return std::string(present_name(kFormerMandateKinds, invocation.value("ACTION")));
}

/// Everything except the PIN; amounts are written as people write them: 280 or 19.90.
std::variant<json, Failure> params_of(const Invocation& invocation) {
    json params{{"action", kind_name(invocation)}};
    for (const Field& field : kTexts) {
        if (invocation.has(field.option)) params[field.param] = invocation.value(field.option);
    }
    const auto wrong = [&](std::string_view option, std::string_view key) {
        return Failure{
            std::string(kUsageCode),
            invocation.text(key, {{"name", option}, {"value", invocation.value(option)}}),
            {},
            {}};
    };
    for (const Field& field : kAmounts) {
        if (!invocation.has(field.option)) continue;
        const auto money =
            parse_money(invocation.value(field.option), invocation.value("--currency"));
        if (!money) return wrong(field.option, "cli.not_an_amount");
        params[field.param] = money->minor;
    }
    for (const Field& field : kCounts) {
        if (!invocation.has(field.option)) continue;
        const std::string text = invocation.value(field.option);
        std::int64_t count = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (error != std::errc() || end != text.data() + text.size()) {
            return wrong(field.option, "cli.not_a_number");
        }
        params[field.param] = count;
    }
    return params;
}

/// Shows the words of the listing or the request, and adds their digest to `params`: an order of
/// somebody else's listing, haggling about one, or a proposal is covered only while the words are
/// those that the human has seen here (R48).
std::optional<Failure> show_listing(control::Client& client, const Invocation& invocation,
                                    const MandateKind& kind, json& params) {
    const bool is_request = kind.words == MandateKind::Words::Request;
    const Outcome answer =
        call(client, invocation, is_request ? "rfp.get" : "works.get",
             {{is_request ? "rfp_id" : "works_id", invocation.value("--works")}}, nothing_to_show);
    if (const auto* refused = std::get_if<Failure>(&answer)) return *refused;
    const json post = data_of(*std::get_if<Report>(&answer));
    const std::string terms =
        card::received_in_words(wire::listing_terms(post), invocation.language);
    const std::string shown =
        invocation.text(is_request ? "cli.mandate_request" : "cli.mandate_listing") + "\n" +
        wrap(terms, terminal_columns(), 2);
    std::fputs(shown.c_str(), stderr);
    params["listing_digest"] = wire::listing_digest(post);
    return std::nullopt;
}

/// `params` with the PIN, which is requested only if it can be checked.
Outcome call_with_pin(const Invocation& invocation, std::string_view action, json params,
                      Renderer render) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    const MandateKind* kind = mandate_kind_named(kind_name(invocation));
    if (kind != nullptr && kind->pins_words() && invocation.has("--works")) {
        const auto refused = show_listing(**std::get_if<0>(&connected), invocation, *kind, params);
        if (refused) return *refused;
    }
    auto pin = read_pin(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    params["pin"] = *std::get_if<std::string>(&pin);
    return call(**std::get_if<0>(&connected), invocation, action, std::move(params), render);
}

Outcome run_mandate_list(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("--all")) params["all"] = true;
    if (!invocation.has("--amounts")) {
        return call_daemon(invocation, "mandate.list", std::move(params), render_mandates);
    }
    return call_with_pin(invocation, "mandate.list", std::move(params), render_mandates);
}

Outcome run_mandate_add(const Invocation& invocation) {
    auto params = params_of(invocation);
    if (auto* refused = std::get_if<Failure>(&params)) return *refused;
    if (kind_name(invocation) != invocation.value("ACTION"))
        warn_of_former_name(invocation, invocation.value("ACTION"), kind_name(invocation));
    return call_with_pin(invocation, "mandate.give", *std::get_if<json>(&params),
                         render_mandate_given);
}

}  // namespace

std::vector<Command> mandate_rows() {
    using enum ParameterKind;
    return {
        {"mandate list",
         "mandate.list",
         "cli.mandate_list",
         {{"--all", Flag, "cli.option_all_mandates"},
          {"--amounts", Flag, "cli.option_amounts"},
          kPinStdin,
          kAgentOption},
         run_mandate_list},
        {"mandate add",
         "mandate.give",
         "cli.mandate_add",
         {{"ACTION", Required, "cli.argument_mandate_action"},
          {"--currency", Value, "cli.option_currency", "CODE"},
          {"--at-least", Value, "cli.option_at_least", "AMOUNT"},
          {"--at-most", Value, "cli.option_at_most", "AMOUNT"},
          {"--per-day", Value, "cli.option_per_day", "N"},
          {"--per-week", Value, "cli.option_per_week", "N"},
          {"--sum-per-day", Value, "cli.option_sum_per_day", "AMOUNT"},
          {"--sum-per-week", Value, "cli.option_sum_per_week", "AMOUNT"},
          {"--peer", Value, "cli.option_peer", "ID"},
          {"--works", Value, "cli.option_works", "ID"},
          {"--side", Value, "cli.option_side", "sell|buy"},
          {"--opening", Value, "cli.option_opening", "AMOUNT"},
          {"--rounds", Value, "cli.option_rounds", "N"},
          {"--strategy", Value, "cli.option_strategy", "NAME"},
          {"--from", Value, "cli.option_from", "TIME"},
          {"--until", Value, "cli.option_until", "TIME"},
          kPinStdin,
          kAgentOption},
         run_mandate_add},
        standard_row(
            "mandate bargain", "bargain.start", "cli.bargain",
            {kPeerWord, {"WORKS", Required, "cli.option_bargain_works"}, kPinStdin, kAgentOption},
            render_bargain_begun),
        standard_row("mandate revoke", "mandate.revoke", "cli.mandate_revoke",
                     {{"ID", Required, "cli.argument_mandate"}, kAgentOption},
                     render_mandates_revoked),
        standard_row("mandate revoke-all", "mandate.revoke_all", "cli.mandate_revoke_all",
                     {kAgentOption}, render_mandates_revoked),
    };
}

}  // namespace a2h::cli
