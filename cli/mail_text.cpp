#include "cli/mail_text.h"

#include <vector>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/terminal.h"
#include "cli/with_yes.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// "offer 250.00 CNY: Would you take this?": what a message is, besides its words.
std::string message_in_words(const Invocation& invocation, const json& item) {
    const std::string type = text_of(item, "type");
    const std::string text = text_of(item, "text");
    const std::string key = "card.is_type_" + type;
    if (type == "text" || !i18n::has_key(invocation.language, key)) return text;
    std::string what = invocation.text(key);
    const std::string amount = text_of(item, "amount");
    if (!amount.empty()) what += " " + amount;
    return text.empty() ? what : what + invocation.text("card.colon") + text;
}

/// "260 CNY" for a price; any other value as it is written.
std::string value_in_words(const json& value) {
    if (value.is_string()) return printable(value.get<std::string>());
    const bool is_price = value.is_object() && value.size() == 2 && value.contains("amount") &&
                          value.contains("currency");
    if (!is_price) return printable(value.dump());
    const json& amount = at(value, "amount");
    return (amount.is_string() ? printable(amount.get<std::string>()) : amount.dump()) + " " +
           text_of(value, "currency");
}

/// The words of a message, and each other member of its payload on a line of its own.
std::string whole_message(const json& item) {
    std::string lines = with_hang(text_of(item, "text"));
    const json& payload = at(item, "payload");
    if (!payload.is_object()) return lines.empty() ? printable(payload.dump()) : lines;
    for (const auto& [name, value] : payload.items()) {
        if (name == "text") continue;
        if (!lines.empty()) lines += '\n';
        lines += with_hang(printable(name) + ": " + value_in_words(value));
    }
    return lines;
}

}  // namespace

std::string render_conversations(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& item : items_of(data, "conversations")) {
        rows.push_back({text_of(item, "peer_id"), time_of(item, "last_at"), text_of(item, "count"),
                        text_of(item, "text")});
    }
    if (rows.empty()) return invocation.text("cli.inbox_empty");
    return table({invocation.text("cli.column_peer"), invocation.text("cli.column_last"),
                  invocation.text("cli.column_count"), invocation.text("cli.column_text")},
                 rows, terminal_columns());
}

std::string render_history(const Invocation& invocation, const json& data) {
    const Colours colours = colours_for(stdout);
    std::string out;
    const auto items = items_of(data, "items");
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
        const bool incoming = text_of(*item, "direction") == "in";
        const std::string state = text_of(*item, incoming ? "provenance" : "state");
        out += colours.bold + (incoming ? "← " : "→ ") + colours.reset + time_of(*item, "at") +
               colours.dim + "  " + word(invocation, state) + colours.reset + "\n";
        out += wrap(whole_message(*item), terminal_columns(), 2);
    }
    if (out.empty()) {
        return invocation.text("cli.history_empty", {{"peer", text_of(data, "peer_id")}});
    }
    return out;
}

std::string render_sent(const Invocation& invocation, const json& data) {
    return invocation.text("cli.sent", {{"id", text_of(data, "message_id")},
                                        {"state", word(invocation, text_of(data, "state"))}});
}

std::string render_message(const Invocation& invocation, const json& data) {
    return at(data, "approval_id").is_string() ? render_carried_out(invocation, data)
                                               : render_sent(invocation, data);
}

std::string render_outbox(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& item : items_of(data, "items")) {
        const std::string error = text_of(item, "last_error");
        rows.push_back(
            {text_of(item, "id"), word(invocation, text_of(item, "state")),
             text_of(item, "target_id"),
             message_in_words(invocation, item) + (error.empty() ? "" : "  (" + error + ")")});
    }
    if (rows.empty()) return invocation.text("cli.outbox_empty");
    return table({invocation.text("cli.column_id"), invocation.text("cli.column_state"),
                  invocation.text("cli.column_peer"), invocation.text("cli.column_text")},
                 rows, terminal_columns());
}

std::string render_outbox_change(const Invocation& invocation, const json& data) {
    if (!data.contains("id")) {
        return invocation.text("cli.outbox_changed_all",
                               {{"count", text_of(data, "count")},
                                {"state", word(invocation, text_of(data, "state"))}});
    }
    return invocation.text(
        "cli.outbox_changed",
        {{"id", text_of(data, "id")}, {"state", word(invocation, text_of(data, "state"))}});
}

}  // namespace a2h::cli
