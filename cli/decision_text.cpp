#include "cli/decision_text.h"

#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string listed(const Invocation& invocation, const json& texts) {
    std::string all;
    for (const json& text : texts) {
        if (!all.empty()) all += invocation.text("cli.list_comma");
        all += text.get<std::string>();
    }
    return all;
}

/// The locale key of the sentence that says why a rule did not decide. A condition that must not
/// hold has its own sentence.
std::string passed_key(std::string_view condition) {
    if (condition.empty()) return "cli.playbook_forbidden";
    if (condition == "message_type_not") return "cli.playbook_passed_message_type_not";
    if (condition == "payload_type_not") return "cli.playbook_passed_payload_type_not";
    if (condition == "says_not") return "cli.playbook_passed_says_not";
    if (condition == "lacks") return "cli.playbook_passed_lacks";
    return "cli.playbook_passed";
}

}  // namespace

std::string explanation_text(const Invocation& invocation, const json& data) {
    const json reading = data.value("reading", json::object());
    const auto names = [&](const char* member) {
        const std::string all = listed(invocation, reading.value(member, json::array()));
        return all.empty() ? invocation.text("cli.playbook_none") : printable(all);
    };
    const auto member = [&](const json& object, const char* name) {
        return printable(object.value(name, std::string()));
    };
    std::string text =
        invocation.text("cli.playbook_reading", {{"language", member(reading, "language")},
                                                 {"lists", names("lists")},
                                                 {"asks", names("asks")},
                                                 {"listings", names("listings")},
                                                 {"amount", member(reading, "amount")},
                                                 {"unknown", names("unknown")}}) +
        "\n\n" + invocation.text("cli.playbook_looked_at") + "\n";
    for (const json& rule : data.value("looked_at", json::array())) {
        const std::string found = member(rule, "found");
        const std::string condition = member(rule, "condition");
        text += "  " +
                invocation.text(
                    passed_key(condition),
                    {{"rule", member(rule, "rule_id")},
                     {"condition", condition},
                     {"wanted", member(rule, "wanted")},
                     {"found", found.empty() ? invocation.text("cli.playbook_none") : found}}) +
                "\n";
    }
    text += "\n" +
            invocation.text("cli.playbook_decided", {{"rule", member(data, "rule_id")},
                                                     {"decision", member(data, "decision")},
                                                     {"why", member(data, "why")}}) +
            "\n";
    if (const std::string reply = member(data, "reply"); !reply.empty()) {
        text += wrap(invocation.text("cli.will_send", {{"text", reply}}), terminal_columns(), 2);
    }
    if (const std::string question = member(data, "question"); !question.empty()) {
        text += wrap(question, terminal_columns(), 2);
    }
    return text;
}

}  // namespace a2h::cli
