#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/mail_text.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "cli/trade_text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// "250.00 CNY", with an asterisk if conditions belong to it; "-" if nobody stands to terms.
std::string terms_cell(const json& terms) {
    if (!terms.is_object()) return "-";
    const std::string price = text_of(terms, "price");
    const bool has_more = !items_of(terms, "conditions").empty();
    return (price.empty() ? "?" : price) + (has_more ? " *" : "");
}

std::string render_deals(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& deal : items_of(data, "items")) {
        const bool is_agreed = text_of(deal, "phase") == "agreed";
        rows.push_back({text_of(deal, "deal_id"), word(invocation, text_of(deal, "phase")),
                        terms_cell(at(deal, is_agreed ? "agreed" : "their_offer")),
                        terms_cell(at(deal, is_agreed ? "agreed" : "our_offer")),
                        text_of(deal, "peer_id")});
    }
    return table_of(invocation,
                    {"cli.column_id", "cli.column_state", "cli.column_theirs", "cli.column_ours",
                     "cli.column_peer"},
                    rows, "cli.no_deals");
}

std::string line(const Invocation& invocation, std::string_view label, const std::string& value) {
    if (value.empty()) return {};
    const std::string text = invocation.text(label, {{"value", value}});
    return wrap(text, terminal_columns(), 2, 4);
}

/// The price, until when it holds, and each condition on a line of its own.
std::string terms_lines(const Invocation& invocation, std::string_view label, const json& terms) {
    if (!terms.is_object()) return {};
    std::string out = line(invocation, label, terms_cell(terms));
    out += line(invocation, "cli.deal_until", time_of(terms, "valid_until"));
    for (const json& condition : items_of(terms, "conditions")) {
        const std::string words = condition.is_string() ? condition.get<std::string>() : "";
        out += line(invocation, "cli.deal_words", printable(words));
    }
    return out;
}

/// What was agreed, and whether the market has made a deal of it.
std::string agreement_lines(const Invocation& invocation, const json& agreed) {
    if (!agreed.is_object()) return {};
    std::string out = terms_lines(invocation, "cli.deal_agreed", agreed);
    const std::string made = text_of(agreed, "market_deal_id");
    out += made.empty() ? wrap(invocation.text("cli.deal_unrecorded"), terminal_columns(), 4, 4)
                        : line(invocation, "cli.deal_recorded", made);
    if (at(agreed, "taken_back") == true)
        out += wrap(invocation.text("cli.deal_taken_back"), terminal_columns(), 4, 4);
    return out;
}

std::string subject_line(const Invocation& invocation, const json& subject) {
    const std::string title = text_of(subject, "title");
    const std::string id = text_of(subject, "id");
    std::string shown = title.empty() ? id : "“" + title + "” (" + id + ")";
    const std::string price = text_of(subject, "price");
    if (!price.empty()) shown += ", " + price;
    return line(invocation, "cli.deal_about", shown);
}

std::string order_line(const Invocation& invocation, const json& order) {
    if (!order.is_object()) return {};
    return line(invocation, "cli.deal_order",
                text_of(order, "order_id") + invocation.text("cli.comma") +
                    order_state_text(invocation, text_of(order, "state")));
}

std::string question_lines(const Invocation& invocation, const json& data) {
    std::string out;
    for (const json& id : items_of(data, "approval_ids")) {
        if (!id.is_string()) continue;
        out += line(invocation, "cli.deal_question",
                    invocation.hint("approve " + printable(id.get<std::string>())));
    }
    return out;
}

/// What the owner can do about the terms with a command of its own.
std::string commands_of_deal(const Invocation& invocation, const json& deal) {
    const std::string id = text_of(deal, "deal_id");
    if (at(deal, "order").is_object()) {
        return line(invocation, "cli.deal_look",
                    invocation.hint("order " + text_of(at(deal, "order"), "order_id")));
    }
    std::string out;
    if (at(at(deal, "their_offer"), "typed") == true) {
        out += line(invocation, "cli.deal_accept", invocation.hint("accept " + id));
        out += line(invocation, "cli.deal_decline", invocation.hint("decline " + id));
    }
    if (text_of(deal, "phase") == "agreed")
        out += line(invocation, "cli.deal_create", invocation.hint("order " + id + " create"));
    return out;
}

std::string render_deal(const Invocation& invocation, const json& data) {
    const json& deal = at(data, "deal");
    const Colours colours = colours_for(stdout);
    std::string out = colours.bold + text_of(deal, "deal_id") + colours.reset + "  " +
                      word(invocation, text_of(deal, "phase")) + "\n";
    out += line(invocation, "cli.deal_with", text_of(deal, "peer_id"));
    out += subject_line(invocation, at(deal, "subject"));
    out += terms_lines(invocation, "cli.deal_theirs", at(deal, "their_offer"));
    out += terms_lines(invocation, "cli.deal_ours", at(deal, "our_offer"));
    out += terms_lines(invocation, "cli.deal_open_at_market", at(deal, "open_at_market"));
    out += agreement_lines(invocation, at(deal, "agreed"));
    for (const json& id : items_of(deal, "earlier_market_deals"))
        out += line(invocation, "cli.deal_earlier", id.is_string() ? id.get<std::string>() : "");
    out += order_line(invocation, at(deal, "order"));
    out += question_lines(invocation, data);
    out += commands_of_deal(invocation, deal);
    return out + "\n" + render_history(invocation, data);
}

}  // namespace

std::vector<Command> deal_rows() {
    using enum ParameterKind;
    return {
        standard_row("deals", "deal.list", "cli.deals",
                     {{"--peer-id", Value, "cli.argument_peer", "PEER"},
                      {"--all", Flag, "cli.option_all_deals"},
                      {"--limit", Value, "cli.option_limit", "N"},
                      kAgentOption},
                     render_deals),
        standard_row("deal", "deal.get", "cli.deal",
                     {{"DEAL-ID", Required, "cli.argument_deal"}, kAgentOption}, render_deal),
    };
}

}  // namespace a2h::cli
