// Explains how the daemon decided, how it would have decided with other rules, and by what right
// something has left the home.

#include <array>
#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/approval_text.h"
#include "cli/daemon_call.h"
#include "cli/decision_text.h"
#include "cli/playbook.h"
#include "cli/rows.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "daemon/decide/labelled.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kDifferencesShown = 100;

std::string shown(const json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) return {};
    return printable(found->is_string() ? found->get<std::string>() : found->dump());
}

std::string right_in_words(const Invocation& invocation, const json& item) {
    const std::string key = "cli.why_right_" + shown(item, "right");
    return invocation.text(
        key, {{"id", shown(item, "permitted_by")}, {"person", shown(item, "answered_by")}});
}

/// Further lines are indented more than any line of ours.
std::string indented(const std::string& text) {
    std::string lines;
    for (const char c : text) {
        lines += c;
        if (c == '\n') lines += "      ";
    }
    return lines;
}

std::string message_text(const Invocation& invocation, const json& item) {
    return invocation.text("cli.why_message", {{"id", shown(item, "message_id")},
                                               {"peer", shown(item, "peer_id")},
                                               {"state", word(invocation, shown(item, "state"))},
                                               {"at", time_of(item, "at")}}) +
           "\n  " + indented(shown(item, "text")) + "\n  " + right_in_words(invocation, item) +
           "\n";
}

std::string question_text(const Invocation& invocation, const json& item) {
    const bool was_approved = shown(item, "status") == "approved";
    std::string text = invocation.text("cli.why_question", {{"id", shown(item, "approval_id")},
                                                            {"status", state_of(invocation, item)},
                                                            {"at", time_of(item, "at")}}) +
                       "\n  " + indented(shown(item, "question")) + "\n";
    if (shown(item, "right") == "changed") {
        text += "  " + invocation.text("cli.why_question_changed") + "\n";
    } else if (was_approved) {
        text += "  " +
                invocation.text("cli.why_answered",
                                {{"person", shown(item, "answered_by")},
                                 {"surface", word(invocation, shown(item, "surface"))}}) +
                "\n";
    }
    return text;
}

/// The actual and the other decision: silent, answer, ask.
constexpr std::array<const char*, 3> kKinds = {"answer", "ask", "silent"};

class Replay {
  public:
    Replay(const Invocation& invocation, const decide::RuleSet& rules)
        : invocation_(invocation), rules_(rules) {}

    /// Errors:  InvalidArgument if the daemon's answer is not understood.
    Result<void> take(const json& page) {
        const json limits = page.value("limits", json::object());
        limits_.rounds_per_day = limits.value("rounds_per_day", limits_.rounds_per_day);
        limits_.messages_per_minute =
            limits.value("messages_per_minute", limits_.messages_per_minute);
        A2H_ASSIGN_OR_RETURN(const auto listings,
                             decide::parse_listings(page.value("listings", json::array()).dump()));
        for (const json& message : page.value("messages", json::array()))
            A2H_TRY(take_message(message, listings));
        return {};
    }

    json data() const {
        return {{"playbook", rules_.version()}, {"messages", messages_},
                {"was", counts_json(was_)},     {"would", counts_json(would_)},
                {"different", different_},      {"differences", differences_}};
    }

    std::string text() const {
        std::string all =
            invocation_.text("cli.replay_totals", {{"messages", std::to_string(messages_)},
                                                   {"different", std::to_string(different_)}}) +
            "\n";
        for (std::size_t k = 0; k < kKinds.size(); ++k) {
            all += "  " +
                   invocation_.text("cli.replay_kind", {{"kind", kKinds[k]},
                                                        {"was", std::to_string(was_[k])},
                                                        {"would", std::to_string(would_[k])}}) +
                   "\n";
        }
        for (const json& difference : differences_) {
            all += invocation_.text("cli.replay_difference",
                                    {{"id", shown(difference, "message_id")},
                                     {"was", shown(difference, "was")},
                                     {"was_rule", shown(difference, "was_rule")},
                                     {"would", shown(difference, "would")},
                                     {"would_rule", shown(difference, "would_rule")},
                                     {"text", shown(difference, "text")}}) +
                   "\n";
        }
        if (different_ > differences_.size()) {
            all += invocation_.text("cli.replay_more",
                                    {{"count", std::to_string(different_ - differences_.size())}}) +
                   "\n";
        }
        return all;
    }

  private:
    using Counts = std::array<std::size_t, kKinds.size()>;

    static json counts_json(const Counts& counts) {
        json object = json::object();
        for (std::size_t k = 0; k < kKinds.size(); ++k)
            object[kKinds[k]] = counts[k];
        return object;
    }

    static void count(Counts& counts, std::string_view kind) {
        for (std::size_t k = 0; k < kKinds.size(); ++k) {
            if (kind == kKinds[k]) ++counts[k];
        }
    }

    Result<void> take_message(const json& message, const decide::NamedListings& listings) {
        A2H_ASSIGN_OR_RETURN(
            auto labelled,
            decide::parse_labelled(message.value("input", json::object()).dump(), listings));
        labelled.input.owner_language = invocation_.language;
        const auto decision = decide::decide(labelled.input, rules_, limits_);
        const std::string was = message.value("decision", std::string());
        const std::string would(decide::kind_without_drafter(decision));
        ++messages_;
        count(was_, was);
        count(would_, would);
        if (was == would) return {};
        if (++different_ > kDifferencesShown && !invocation_.json) return {};
        differences_.push_back({{"message_id", message.value("message_id", std::string())},
                                {"peer_id", message.value("peer_id", std::string())},
                                {"text", preview(labelled.input.payload.text)},
                                {"was", was},
                                {"was_rule", message.value("rule_id", std::string())},
                                {"would", would},
                                {"would_rule", decision.rule_id}});
        return {};
    }

    const Invocation& invocation_;
    const decide::RuleSet& rules_;
    decide::Limits limits_;
    std::size_t messages_ = 0;
    std::size_t different_ = 0;
    Counts was_ = {};
    Counts would_ = {};
    json differences_ = json::array();
};

std::string render_explained(const Invocation& invocation, const json& data) {
    const json basis = data.value("basis", json::object());
    std::string text =
        invocation.text("cli.explain_message", {{"id", shown(data, "message_id")},
                                                {"peer", shown(data, "peer_id")},
                                                {"at", shown(data, "at")},
                                                {"provenance", shown(data, "provenance")}}) +
        "\n  " + shown(data, "text") + "\n\n" +
        invocation.text("cli.playbook_decided", {{"rule", shown(data, "rule_id")},
                                                 {"decision", shown(data, "decision")},
                                                 {"why", shown(data, "why")}}) +
        "\n";
    if (!basis.empty()) {
        text += invocation.text("cli.explain_basis") + "\n";
        for (const auto& [name, value] : basis.items()) {
            text += "  " + printable(name) + ": " + shown(basis, name.c_str()) + "\n";
        }
    }
    const bool is_same = data.value("same_rules", false);
    text += "\n" + invocation.text(is_same ? "cli.explain_same_rules" : "cli.explain_other_rules") +
            "\n";
    return text + explanation_text(invocation, data.value("now", json::object()));
}

std::string render_why(const Invocation& invocation, const json& data) {
    std::string text;
    for (const json& item : data.value("items", json::array())) {
        text += shown(item, "kind") == "message" ? message_text(invocation, item)
                                                 : question_text(invocation, item);
    }
    return text;
}

Outcome run_replay(const Invocation& invocation) {
    const auto rules = rules_for(invocation, "--policy");
    if (!rules)
        return failure(invocation.language, rules.error(), invocation.text("cli.playbook_wrong"));
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    Replay replay(invocation, *rules);
    json params = json::object();
    if (invocation.has("--since")) params["since"] = invocation.value("--since");
    for (bool more = true; more;) {
        auto outcome = call(**std::get_if<0>(&connected), invocation, "message.decided", params,
                            nothing_to_show);
        if (auto* refused = std::get_if<Failure>(&outcome)) return *refused;
        const json page = data_of(outcome);
        const auto taken = replay.take(page);
        if (!taken)
            return failure(invocation.language, taken.error(), invocation.text("cli.bad_answer"));
        params["after_id"] = page.value("last_id", 0);
        more = page.value("more", false);
    }
    return report("replay", replay.data(), replay.text());
}

}  // namespace

std::vector<Command> explain_rows() {
    using enum ParameterKind;
    return {
        standard_row("explain", "message.explain", "cli.explain",
                     {{"MESSAGE", Required, "cli.argument_message"}, kAgentOption},
                     render_explained),
        standard_row("why", "why", "cli.why", {{"ID", Required, "cli.argument_why"}}, render_why),
        {"replay",
         "replay",
         "cli.replay",
         {{"--policy", Value, "cli.option_rules_file", "FILE"},
          {"--since", Value, "cli.option_since", "TIME"},
          kAgentOption},
         run_replay},
    };
}

}  // namespace a2h::cli
