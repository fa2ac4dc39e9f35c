#include "cli/mandate_text.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/terminal.h"
#include "core/base/money.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// "at least 280.00 CNY, 3 a day"; empty for limits that do not exist or are not shown.
std::string limits_of(const Invocation& invocation, const json& mandate) {
    constexpr std::pair<const char*, std::string_view> kAmounts[] = {
        {"amount_from_minor", "cli.limit_at_least"},
        {"amount_to_minor", "cli.limit_at_most"},
        {"opening_minor", "cli.limit_opening"},
        {"sum_per_day_minor", "cli.limit_sum_per_day"},
        {"sum_per_week_minor", "cli.limit_sum_per_week"}};
    constexpr std::pair<const char*, std::string_view> kCounts[] = {
        {"count_per_day", "cli.limit_per_day"},
        {"count_per_week", "cli.limit_per_week"},
        {"rounds", "cli.limit_rounds"}};
    std::string out;
    const auto add = [&](std::string_view key, const std::string& value) {
        out += (out.empty() ? "" : invocation.text("cli.comma")) +
               invocation.text(key, {{"value", value}});
    };
    for (const char* name : {"side", "strategy"}) {
        const std::string key = "cli.limit_" + text_of(mandate, name);
        if (i18n::has_key(invocation.language, key)) add(key, {});
    }
    const std::string currency = text_of(mandate, "currency");
    for (const auto& [name, key] : kAmounts) {
        const json& value = at(mandate, name);
        if (value.is_number_integer())
            add(key, to_text(Money{value.get<std::int64_t>(), currency}));
    }
    for (const auto& [name, key] : kCounts) {
        if (at(mandate, name).is_number_integer()) add(key, text_of(mandate, name));
    }
    return out;
}

/// What else a message may hold that the mandate covers: it sends no words.
std::string covered_message(const Invocation& invocation, const std::string& action) {
    if (action != "message.offer" && action != "message.accept") return {};
    return wrap(invocation.text("cli.mandate_no_words"), terminal_columns(), 2);
}

std::string mandate_text(const Invocation& invocation, const json& mandate,
                         const Colours& colours) {
    std::string out = colours.bold + text_of(mandate, "mandate_id") + colours.reset + "  " +
                      text_of(mandate, "action");
    for (const char* name : {"currency", "works_id", "peer_id"}) {
        const std::string value = text_of(mandate, name);
        if (!value.empty()) out += "  " + value;
    }
    out += "\n";
    const std::string limits = limits_of(invocation, mandate);
    if (!limits.empty()) out += wrap(limits, terminal_columns(), 2);
    const std::string revoked = time_of(mandate, "revoked_at");
    out += "  " +
           invocation.text(revoked.empty() ? "cli.mandate_holds" : "cli.mandate_revoked",
                           {{"until", time_of(mandate, "until")},
                            {"time", revoked},
                            {"today", text_of(mandate, "used_today")},
                            {"week", text_of(mandate, "used_this_week")}}) +
           "\n";
    const std::string title = text_of(mandate, "listing_title");
    if (!title.empty()) {
        out += wrap(invocation.text("cli.mandate_pinned", {{"title", one_line(printable(title))}}),
                    terminal_columns(), 2);
    }
    if (at(mandate, "own_listings_only") == true) {
        out += wrap(invocation.text("cli.mandate_own_listings"), terminal_columns(), 2);
    }
    out += covered_message(invocation, text_of(mandate, "action"));
    if (at(mandate, "understood") == false) {
        out +=
            colours.yellow + "  " + invocation.text("cli.mandate_unknown") + colours.reset + "\n";
    }
    if (at(mandate, "listing_changed") == true) {
        out += colours.yellow +
               wrap(invocation.text("cli.mandate_listing_changed"), terminal_columns(), 2) +
               colours.reset;
    }
    if (at(mandate, "lacks_limit") == true) {
        const std::string again = invocation.hint("mandate add " + text_of(mandate, "action"));
        out += colours.yellow +
               wrap(invocation.text("cli.mandate_lacks_limit", {{"command", again}}),
                    terminal_columns(), 2) +
               colours.reset;
    }
    return out;
}

}  // namespace

std::string render_mandates(const Invocation& invocation, const json& data) {
    const Colours colours = colours_for(stdout);
    std::string out;
    for (const json& mandate : items_of(data, "mandates"))
        out += mandate_text(invocation, mandate, colours);
    if (out.empty()) out = invocation.text("cli.no_mandates") + "\n";
    std::vector<std::vector<std::string>> rows;
    for (const json& use : items_of(data, "uses")) {
        rows.push_back(
            {time_of(use, "at"), text_of(use, "approval_id"), text_of(use, "mandate_id")});
    }
    if (rows.empty()) return out;
    return out + "\n" + invocation.text("cli.mandate_uses") + "\n" +
           table({invocation.text("cli.column_time"), invocation.text("cli.column_approval"),
                  invocation.text("cli.column_mandate")},
                 rows, terminal_columns());
}

std::string render_mandate_given(const Invocation& invocation, const json& data) {
    const std::string id = text_of(data, "mandate_id");
    std::string note = covered_message(invocation, invocation.value("ACTION"));
    if (!note.empty()) note.insert(0, "\n").pop_back();  // the caller ends the line
    return invocation.text("cli.mandate_given",
                           {{"id", id},
                            {"until", time_of(data, "until")},
                            {"command", invocation.hint("mandate revoke " + id)}}) +
           note;
}

std::string render_bargain_begun(const Invocation& invocation, const json&) {
    return invocation.text("cli.bargain_begun") + "\n";
}

std::string render_mandates_revoked(const Invocation& invocation, const json& data) {
    return invocation.text("cli.mandates_revoked", {{"count", text_of(data, "revoked")}});
}

}  // namespace a2h::cli
