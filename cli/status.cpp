#include "cli/status.h"

#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "core/base/money.h"

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

std::vector<Command> status_rows() {
    return {
        standard_row("status", "status", "cli.status", {kAgentOption}, render_status),
    };
}

}  // namespace a2h::cli
