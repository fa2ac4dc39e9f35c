#include "cli/render.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/answer_parts.h"
#include "cli/terminal.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// The message `key` if it exists (with {detail}), otherwise `otherwise`.
std::string known_or(const Invocation& invocation, const std::string& key,
                     const std::string& detail, const std::string& otherwise) {
    return i18n::has_key(invocation.language, key) ? invocation.text(key, {{"detail", detail}})
                                                   : otherwise;
}

/// `label value` lines, with the values in one column.
class Lines {
  public:
    explicit Lines(const Invocation& invocation) : invocation_(invocation) {}

    void add(std::string_view key, const std::string& value) {
        if (value.empty()) return;
        std::string label = invocation_.text(key);
        const std::size_t width = display_width(label);
        label.append(width < kLabelColumns ? kLabelColumns - width : 1, ' ');
        text_ += label + value + "\n";
    }
    std::string take() { return std::move(text_); }

  private:
    static constexpr std::size_t kLabelColumns = 14;
    const Invocation& invocation_;
    std::string text_;
};

std::string problems_text(const Invocation& invocation, const json& data, const Colours& colours) {
    std::string out;
    for (const json& problem : items_of(data, "problems")) {
        const std::string code = text_of(problem, "code");
        out += colours.yellow + "! " + colours.reset + problem_text(invocation, problem) + "\n";
        const std::string next =
            known_or(invocation, "cli.remedy." + code, "", text_of(problem, "next"));
        if (!next.empty()) out += wrap(next, terminal_columns(), 2);
    }
    return out.empty() ? out : "\n" + invocation.text("cli.problems") + "\n" + out;
}

std::string agents_text(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& agent : items_of(data, "agents")) {
        const bool connected = at(agent, "connected") == true;
        rows.push_back({text_of(agent, "agent_id"),
                        invocation.text(connected ? "cli.yes" : "cli.no"), text_of(agent, "name")});
    }
    if (rows.size() < 2) return {};
    return "\n" +
           table({invocation.text("cli.column_agent"), invocation.text("cli.column_connected"),
                  invocation.text("cli.column_name")},
                 rows, terminal_columns());
}

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

/// "approved, carried out"; a yes that sent nothing has its own word.
std::string state_of(const Invocation& invocation, const json& approval) {
    if (at(approval, "closed_without_answer") == true) return word(invocation, "closed_unanswered");
    const std::string state = word(invocation, text_of(approval, "status"));
    const std::string outcome = text_of(approval, "outcome");
    if (outcome.empty() || outcome == "none") return state;
    return state + invocation.text("cli.comma") + word(invocation, outcome);
}

/// How far a continued line of a card is indented beyond its beginning.
constexpr std::size_t kHang = 4;

/// `text` with its further lines indented, so that none of them looks like a line of ours.
std::string with_hang(const std::string& text) {
    std::string lines;
    for (const char c : text) {
        lines += c;
        if (c == '\n') lines.append(kHang, ' ');
    }
    return lines;
}

/// Everything that a yes covers. Long values and those with several lines are below their label,
/// indented more than any label.
std::string covers_text(const Invocation& invocation, const json& approval,
                        const Colours& colours) {
    const std::size_t columns = terminal_columns();
    const std::string colon = invocation.text("card.colon");
    std::string out;
    for (const json& line : items_of(approval, "covers")) {
        const std::string known = text_of(line, "label");
        const std::string label = (known.empty() ? text_of(line, "member") : known) + colon;
        const std::string value = text_of(line, "value");
        const bool fits = display_width(label) + display_width(value) + 2 <= columns &&
                          value.find('\n') == std::string::npos;
        const std::string_view head = fits ? std::string_view(label) : trim(label);
        out += "  " + colours.dim + std::string(head) + colours.reset;
        out += fits ? value + "\n" : "\n" + wrap(value, columns, 6, kHang);
    }
    return out;
}

/// Whether the yes of the person at the terminal counts, as far as is known: a2hd says it of the
/// owner.
bool may_approve(const Invocation& invocation, const json& approval) {
    return invocation.has("--person") || !approval.is_object() ||
           approval.value("owner_may_approve", true);
}

std::string approval_text(const Invocation& invocation, const json& approval,
                          const Colours& colours) {
    const std::size_t columns = terminal_columns();
    const bool open = text_of(approval, "status") == "pending";
    std::string out = colours.bold + text_of(approval, "approval_id") + colours.reset + "  " +
                      colours.cyan + state_of(invocation, approval) + colours.reset;
    if (!open) {
        out += "  " + text_of(approval, "action");
        for (const char* name : {"peer_id", "amount"}) {
            const std::string value = text_of(approval, name);
            if (!value.empty()) out += "  " + value;
        }
        const std::string provenance = text_of(approval, "provenance");
        if (!provenance.empty()) out += "  " + word(invocation, provenance);
    }
    out += "\n" + wrap(text_of(approval, "question"), columns, 2, kHang);
    if (open) out += covers_text(invocation, approval, colours);
    const std::string reply = text_of(approval, "reply_text");
    if (!open && !reply.empty()) {
        out +=
            wrap(invocation.text("cli.will_send", {{"text", with_hang(reply)}}), columns, 2, kHang);
    }
    if (open && !may_approve(invocation, approval))
        out += wrap(invocation.text("notify.others_decide"), columns, 2, kHang);
    const std::string until = time_of(approval, "answer_by");
    if (open && !until.empty()) {
        out += colours.dim + "  " + invocation.text("cli.answer_by", {{"time", until}}) +
               colours.reset + "\n";
    }
    return out;
}

}  // namespace

std::string connection_text(const Invocation& invocation, const json& data,
                            const Colours& colours) {
    const json& connection = at(data, "connection");
    const std::string since = time_of(connection, "since");
    if (at(connection, "connected") == true) {
        return colours.green + invocation.text("cli.connected", {{"since", since}}) + colours.reset;
    }
    const std::string error = text_of(connection, "last_error");
    // Nothing has failed yet: it has just been started.
    if (error.empty()) return invocation.text("cli.connecting");
    return colours.red + invocation.text("cli.not_connected", {{"error", error}}) + colours.reset;
}

std::string problem_text(const Invocation& invocation, const json& problem) {
    const std::string message = text_of(problem, "message");
    std::string detail = at(problem, "detail").is_string() ? text_of(problem, "detail") : message;
    if (detail.empty()) detail = invocation.text("cli.connecting");
    return known_or(invocation, "cli.problem." + text_of(problem, "code"), detail, message);
}

std::string model_text(const Invocation& invocation, const json& model) {
    const auto amount = [&](const char* name) {
        const json& minor = at(model, name);
        return to_text(Money{minor.is_number_integer() ? minor.get<std::int64_t>() : 0,
                             text_of(model, "currency")});
    };
    const std::string comma = invocation.text("cli.comma");
    std::string out = text_of(model, "name") + invocation.text("cli.colon") +
                      word(invocation, "model_" + text_of(model, "state")) + comma +
                      invocation.text("cli.model_tokens", {{"used", text_of(model, "tokens")},
                                                           {"most", text_of(model, "tokens_max")}});
    if (at(model, "budget_minor") != 0) {
        out += comma + invocation.text("cli.model_spent", {{"spent", amount("spent_minor")},
                                                           {"budget", amount("budget_minor")}});
    }
    const std::string error = text_of(model, "last_error");
    if (!error.empty()) out += comma + invocation.text("cli.model_error", {{"error", error}});
    return out;
}

namespace {

/// Describes what was fetched from the market's history; empty for an a2hd that does not report it.
std::string history_text(const Invocation& invocation, const json& data) {
    const json& history = at(data, "history");
    if (!history.is_object()) return {};
    const std::string asked = time_of(history, "asked_at");
    const char* key = asked.empty()                      ? "cli.history_not_asked"
                      : at(history, "everybody") == true ? "cli.history_everybody"
                                                         : "cli.history_known";
    std::string out =
        invocation.text(key, {{"count", text_of(history, "fetched")}, {"time", asked}});
    const std::string lost = text_of(at(data, "connection"), "session_lost");
    if (!lost.empty() && lost != "0")
        out += invocation.text("cli.semicolon") +
               invocation.text("cli.history_session_lost", {{"count", lost}});
    return out;
}

/// `at` is the time of the last one that passed; before any has ended, nothing has failed.
std::string self_test_text(const Invocation& invocation, const json& test) {
    const std::string passed_at = time_of(test, "at");
    const std::string detail = text_of(test, "detail");
    if (at(test, "ok") == true)
        return invocation.text("cli.self_test_ok", {{"time", passed_at}, {"detail", detail}});
    if (passed_at.empty() && detail.empty()) return invocation.text("cli.self_test_none");
    const std::string failed = invocation.text("cli.self_test_bad", {{"detail", detail}});
    if (passed_at.empty()) return failed;
    return failed + invocation.text("cli.comma") +
           invocation.text("cli.self_test_passed_before", {{"time", passed_at}});
}

}  // namespace

std::string render_status(const Invocation& invocation, const json& data) {
    const Colours colours = colours_for(stdout);
    const json& backlog = at(data, "backlog");
    const json& counts = at(data, "counts");
    const json& test = at(data, "last_self_test");
    Lines lines(invocation);
    lines.add("cli.label_agent", text_of(data, "name") + "  " + text_of(data, "agent_id"));
    lines.add("cli.label_mailbox", connection_text(invocation, data, colours));
    const std::string received = time_of(data, "last_received_at");
    lines.add("cli.label_last_message", received.empty() ? invocation.text("cli.never") : received);
    lines.add("cli.label_history", history_text(invocation, data));
    if (test.is_object() && at(test, "ok").is_boolean())
        lines.add("cli.label_self_test", self_test_text(invocation, test));
    lines.add("cli.label_waiting",
              invocation.text("cli.backlog", {{"undecided", text_of(backlog, "undecided")},
                                              {"queued", text_of(backlog, "queued")},
                                              {"dead", text_of(backlog, "dead")},
                                              {"approvals", text_of(backlog, "approvals")}}));
    lines.add("cli.label_counts",
              invocation.text("cli.counts", {{"received", text_of(counts, "received")},
                                             {"refused", text_of(counts, "refused")},
                                             {"conflicts", text_of(counts, "conflicts")}}));
    if (at(data, "model").is_object()) {
        lines.add("cli.label_model", model_text(invocation, at(data, "model")));
    }
    lines.add("cli.label_page", text_of(at(data, "web"), "url"));
    return lines.take() + agents_text(invocation, data) + problems_text(invocation, data, colours);
}

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
        const std::string text = text_of(*item, "text");
        const std::string shown = text.empty() ? printable(at(*item, "payload").dump()) : text;
        out += wrap(shown, terminal_columns(), 2);
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

std::string render_approvals(const Invocation& invocation, const json& data) {
    const Colours colours = colours_for(stdout);
    std::string out;
    bool for_others = true;
    for (const json& approval : items_of(data, "approvals")) {
        if (!out.empty()) out += "\n";
        out += approval_text(invocation, approval, colours);
        for_others = for_others && !may_approve(invocation, approval);
    }
    if (out.empty()) return invocation.text("cli.no_approvals");
    if (wire::member(data, "more") == true) {
        out += "\n" +
               invocation.text("cli.more_approvals", {{"command", invocation.hint("page")}}) + "\n";
    }
    if (for_others) {
        return out + "\n" +
               invocation.text("cli.how_to_refuse", {{"reject", invocation.hint("reject ID")}});
    }
    return out + "\n" +
           invocation.text("cli.how_to_answer", {{"approve", invocation.hint("approve ID")},
                                                 {"reject", invocation.hint("reject ID")},
                                                 {"instruct", invocation.hint("instruct ID …")}});
}

std::string render_approval(const Invocation& invocation, const json& data) {
    const auto approvals = items_of(data, "approvals");
    return approvals.empty() ? std::string()
                             : approval_text(invocation, approvals.front(), colours_for(stderr));
}

std::string render_answered(const Invocation& invocation, const json& data) {
    std::string out = invocation.text("cli.answered", {{"id", text_of(data, "approval_id")},
                                                       {"state", state_of(invocation, data)}});
    const json& votes = at(data, "votes");
    if (votes.is_array() && text_of(data, "status") == "pending") {
        out += "\n" + invocation.text("cli.votes", {{"count", std::to_string(votes.size())},
                                                    {"needed", text_of(data, "votes_needed")}});
    }
    const std::string next = text_of(data, "next_approval_id");
    if (next.empty()) return out;
    return out + "\n" +
           invocation.text("cli.new_draft", {{"text", text_of(data, "next_reply_text")}}) + "\n" +
           invocation.text("cli.confirm_draft", {{"command", invocation.hint("approve " + next)}});
}

std::string render_answered_many(const Invocation& invocation, const json& data) {
    std::string out;
    for (const json& result : items_of(data, "results")) {
        const json& error = at(result, "error");
        json answered = at(result, "data").is_object() ? at(result, "data") : json::object();
        answered["approval_id"] = at(result, "approval_id");
        if (!out.empty()) out += "\n";
        out += error.is_object()
                   ? invocation.text("cli.not_answered", {{"id", text_of(result, "approval_id")},
                                                          {"why", text_of(error, "message")}})
                   : render_answered(invocation, answered);
    }
    return out;
}

std::string render_approval_stats(const Invocation& invocation, const json& data) {
    const auto value = [&](const char* name) { return text_of(data, name); };
    std::string out = invocation.text("cli.stats_asked", {{"days", value("days")},
                                                          {"asked", value("asked")},
                                                          {"mandate", value("by_mandate")},
                                                          {"open", value("open")},
                                                          {"closed", value("closed")},
                                                          {"expired", value("expired")}});
    out += "\n" + invocation.text("cli.stats_answers", {{"approved", value("approved")},
                                                        {"percent", value("yes_percent")},
                                                        {"rejected", value("rejected")},
                                                        {"instructed", value("instructed")},
                                                        {"closed", value("closed_without_answer")},
                                                        {"edited", value("edited")}});
    return out + "\n" +
           invocation.text("cli.stats_speed", {{"median", value("yes_median_s")},
                                               {"p90", value("yes_p90_s")},
                                               {"fast", value("yes_within_5s")}});
}

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
    return invocation.text("cli.mandate_given",
                           {{"id", id},
                            {"until", time_of(data, "until")},
                            {"command", invocation.hint("mandate revoke " + id)}});
}

std::string render_negotiation_begun(const Invocation& invocation, const json&) {
    return invocation.text("cli.negotiation_begun") + "\n";
}

std::string render_mandates_revoked(const Invocation& invocation, const json& data) {
    return invocation.text("cli.mandates_revoked", {{"count", text_of(data, "revoked")}});
}

std::string render_outbox(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& item : items_of(data, "items")) {
        const std::string error = text_of(item, "last_error");
        rows.push_back({text_of(item, "id"), word(invocation, text_of(item, "state")),
                        text_of(item, "target_id"),
                        text_of(item, "text") + (error.empty() ? "" : "  (" + error + ")")});
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

std::string render_channels(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& item : items_of(data, "channels"))
        rows.push_back({text_of(item, "channel"), text_of(item, "kind"), text_of(item, "detail")});
    return table({invocation.text("cli.column_channel"), invocation.text("cli.column_kind"),
                  invocation.text("cli.column_result")},
                 rows, terminal_columns());
}

std::string render_notifications(const Invocation& invocation, const json& data) {
    std::vector<std::vector<std::string>> rows;
    for (const json& item : items_of(data, "items")) {
        std::string person = text_of(item, "person");
        if (const std::string other = text_of(item, "instead_of"); !other.empty())
            person = invocation.text("cli.instead_of", {{"person", person}, {"other", other}});
        rows.push_back({time_of(item, "created_at"), person, text_of(item, "channel"),
                        text_of(item, "kind"), word(invocation, text_of(item, "state")),
                        text_of(item, "outcome")});
    }
    if (rows.empty()) return invocation.text("cli.no_notifications");
    return table({invocation.text("cli.column_time"), invocation.text("cli.column_person"),
                  invocation.text("cli.column_channel"), invocation.text("cli.column_kind"),
                  invocation.text("cli.column_state"), invocation.text("cli.column_result")},
                 rows, terminal_columns());
}

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

std::string render_page_link(const Invocation& invocation, const json& data) {
    return invocation.text("cli.page_link",
                           {{"url", text_of(data, "url")}, {"minutes", text_of(data, "minutes")}});
}

std::string render_pin_code(const Invocation& invocation, const json& data) {
    const std::string person = text_of(data, "person");
    return invocation.text(
        "cli.pin_code_sent",
        {{"person", person},
         {"minutes", text_of(data, "minutes")},
         {"command", invocation.hint("pin --person " + person + " --code CODE")}});
}

std::string render_pin_set(const Invocation& invocation, const json& data) {
    return invocation.text("cli.pin_set", {{"person", text_of(data, "person")}});
}

std::string render_stopping(const Invocation& invocation, const json&) {
    return invocation.text("cli.stopped");
}

}  // namespace a2h::cli
