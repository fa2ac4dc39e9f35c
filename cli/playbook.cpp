#include "cli/playbook.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/decision_text.h"
#include "cli/rows.h"
#include "core/base/text.h"
#include "daemon/config/config.h"
#include "daemon/decide/explanation.h"
#include "daemon/decide/labelled.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kPlaybookFileBytesMax = 64 * 1024 * 1024;

Result<std::string> file_text(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.good() && !in.eof()) return fail(ErrorCode::NotFound, file + " cannot be read");
    if (text.size() > kPlaybookFileBytesMax) {
        return fail(ErrorCode::ResourceExhausted, file + " is larger than 64 MiB");
    }
    return text;
}

Result<decide::NamedListings> listings_of(const Invocation& invocation) {
    if (!invocation.has("--listings")) return decide::NamedListings{};
    A2H_ASSIGN_OR_RETURN(const auto text, file_text(invocation.value("--listings")));
    auto listings = decide::parse_listings(text);
    if (!listings) return fail(listings.error().with_context(invocation.value("--listings")));
    return listings;
}

/// Returns what the running daemon knows: its listings, and the conversation with --peer. Empty if
/// none is running, or if --listings is given.
json known_to_daemon(const Invocation& invocation) {
    if (invocation.has("--listings")) return json::object();
    json params = json::object();
    if (invocation.has("--peer")) params["peer_id"] = invocation.value("--peer");
    const auto outcome = call_daemon(invocation, "playbook.context", params, nothing_to_show);
    return std::holds_alternative<Report>(outcome) ? data_of(outcome) : json::object();
}

/// The result of one message: an empty text if it is as its label says.
std::string miss_text(const Invocation& invocation, const decide::Labelled& message,
                      const decide::Decision& decision, std::size_t line) {
    const std::string_view kind = decide::kind_without_drafter(decision);
    const bool is_right = (message.kind.empty() || message.kind == kind) &&
                          (message.rule.empty() || message.rule == decision.rule_id);
    if (is_right) return {};
    const std::string name = message.id.empty() ? std::to_string(line) : message.id;
    return invocation.text("cli.playbook_miss",
                           {{"id", printable(name)},
                            {"wanted", message.rule.empty() ? message.kind : message.rule},
                            {"found", message.rule.empty() ? kind : decision.rule_id},
                            {"rule", decision.rule_id},
                            {"text", preview(message.input.payload.text)}});
}

struct Totals {
    std::size_t messages = 0;
    std::size_t wrong = 0;
    std::size_t committed = 0;  ///< answered although a human should have been asked
    json misses = json::array();
};

/// Decides every line of `text`.
///
/// Errors:  those of a line, which they name.
Result<Totals> try_all(const Invocation& invocation, const std::string& text,
                       const decide::RuleSet& rules, const decide::NamedListings& listings) {
    Totals totals;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trim(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
        ++number;
        if (line.empty()) continue;
        auto message = decide::parse_labelled(line, listings);
        if (!message) {
            return fail(message.error().with_context(invocation.value("FILE") + ":" +
                                                     std::to_string(number)));
        }
        message->input.owner_language = invocation.language;
        const auto decision = decide::decide(message->input, rules, {});
        ++totals.messages;
        std::string miss = miss_text(invocation, *message, decision, number);
        if (miss.empty()) continue;
        ++totals.wrong;
        if (message->kind == "ask" && decision.kind == decide::Kind::Answer) ++totals.committed;
        totals.misses.push_back(std::move(miss));
    }
    return totals;
}

/// The trades that a2hd would use. A configuration that cannot be read is checked by another
/// command.
reading::Trades trades_of(const Invocation& invocation) {
    const auto config = load_config(invocation.home.config_file());
    return {.chosen = config ? config->trades : Config().trades,
            .owners_folder = invocation.home.trades_dir()};
}

Failure rules_failure(const Invocation& invocation, const Error& error) {
    return failure(invocation.language, error, invocation.text("cli.playbook_wrong"));
}

}  // namespace

Result<decide::RuleSet> rules_for(const Invocation& invocation, std::string_view parameter) {
    const reading::Trades trades = trades_of(invocation);
    if (!invocation.has(parameter))
        return decide::RuleSet::load(invocation.home.rules_file(), trades);
    const std::string file = invocation.value(parameter);
    A2H_ASSIGN_OR_RETURN(const auto text, file_text(file));
    return decide::RuleSet::with_owners(text, file, trades);
}

namespace {

Outcome run_playbook_check(const Invocation& invocation) {
    const auto rules = rules_for(invocation, "FILE");
    if (!rules) return rules_failure(invocation, rules.error());
    const std::string file =
        invocation.has("FILE") ? invocation.value("FILE") : invocation.home.rules_file().string();
    return report(
        "playbook.check",
        {{"file", file},
         {"playbook", rules->version()},
         {"rules", rules->rule_count()},
         {"own_rules", rules->owners_rule_count()}},
        invocation.text("cli.playbook_right", {{"file", file},
                                               {"rules", std::to_string(rules->rule_count())},
                                               {"own", std::to_string(rules->owners_rule_count())},
                                               {"version", rules->version()}}));
}

Outcome run_playbook_explain(const Invocation& invocation) {
    const auto rules = rules_for(invocation, "--file");
    if (!rules) return rules_failure(invocation, rules.error());
    const auto listings = listings_of(invocation);
    if (!listings)
        return failure(invocation.language, listings.error(),
                       invocation.text("cli.playbook_no_listings"));
    json line = known_to_daemon(invocation);
    const bool has_listings = invocation.has("--listings") || line.contains("listings");
    const std::string text_given = invocation.value("TEXT");
    line["text"] = is_utf8(text_given) ? text_given : printable(text_given);
    auto message = decide::parse_labelled(line.dump(), *listings);
    if (!message)
        return failure(invocation.language, message.error(),
                       invocation.text("cli.playbook_no_listings"));
    message->input.owner_language = invocation.language;
    if (invocation.has("--peer")) message->input.message.sender_id = invocation.value("--peer");
    const json data = decide::to_json(decide::explain(message->input, *rules, {}), *rules);
    std::string text = explanation_text(invocation, data);
    if (!has_listings) text += "\n" + invocation.text("cli.playbook_without_listings") + "\n";
    return report("playbook.explain", data, text);
}

Outcome run_playbook_test(const Invocation& invocation) {
    const auto rules = rules_for(invocation, "--file");
    if (!rules) return rules_failure(invocation, rules.error());
    const auto listings = listings_of(invocation);
    if (!listings)
        return failure(invocation.language, listings.error(),
                       invocation.text("cli.playbook_no_listings"));
    const auto text = file_text(invocation.value("FILE"));
    if (!text)
        return failure(invocation.language, text.error(),
                       invocation.text("cli.playbook_no_messages"));
    const auto totals = try_all(invocation, *text, *rules, *listings);
    if (!totals)
        return failure(invocation.language, totals.error(),
                       invocation.text("cli.playbook_no_messages"));
    const std::string sum = invocation.text(
        "cli.playbook_totals", {{"messages", std::to_string(totals->messages)},
                                {"right", std::to_string(totals->messages - totals->wrong)},
                                {"wrong", std::to_string(totals->wrong)},
                                {"committed", std::to_string(totals->committed)}});
    const json data = {{"messages", totals->messages},
                       {"right", totals->messages - totals->wrong},
                       {"committed", totals->committed},
                       {"misses", totals->misses}};
    if (totals->wrong == 0) return report("playbook.test", data, sum);
    if (!invocation.json) {
        for (const json& miss : totals->misses)
            std::puts(miss.get_ref<const std::string&>().c_str());
    }
    const json error = {{"code", "failed"}, {"message", sum}, {"next", ""}};
    const json envelope = {
        {"ok", false}, {"action", "playbook.test"}, {"error", error}, {"data", data}};
    return Failure{"failed", sum, {}, envelope.dump()};
}

std::string render_playbook_reloaded(const Invocation& invocation, const json& data) {
    return invocation.text("cli.playbook_reloaded",
                           {{"version", data.value("version", std::string())}});
}

}  // namespace

std::vector<Command> playbook_rows() {
    using enum ParameterKind;
    constexpr Parameter kRulesFile = {"--file", Value, "cli.option_rules_file", "FILE"};
    constexpr Parameter kListings = {"--listings", Value, "cli.option_listings", "FILE"};
    return {
        {"playbook check",
         "playbook.check",
         "cli.playbook_check",
         {{"FILE", Optional, "cli.argument_rules_file"}},
         run_playbook_check},
        {"playbook explain",
         "playbook.explain",
         "cli.playbook_explain",
         {{"TEXT", Required, "cli.argument_peer_text"},
          {"--peer", Value, "cli.option_from_peer", "ID"},
          kRulesFile,
          kListings,
          kAgentOption},
         run_playbook_explain},
        {"playbook test",
         "playbook.test",
         "cli.playbook_test",
         {{"FILE", Required, "cli.argument_messages_file"}, kRulesFile, kListings},
         run_playbook_test},
        standard_row("playbook reload", "playbook.reload", "cli.playbook_reload", {},
                     render_playbook_reloaded),
    };
}

}  // namespace a2h::cli
