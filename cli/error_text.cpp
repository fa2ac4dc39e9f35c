#include "cli/error_text.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// An error with one meaning, by its `about` or its code, and the command that helps.
struct NextStep {
    std::string_view name;
    std::string_view key;
    std::string_view command;
};
constexpr NextStep kNextSteps[] = {{"wrong_pin", "cli.next_wrong_pin", ""},
                                   {"home_served", "cli.next_down", "down"},
                                   {"mandate_needs_limit", "cli.see_help", "mandate add --help"},
                                   {"mandate_needs_amount", "cli.see_help", "mandate add --help"},
                                   {"agent_not_found", "cli.next_agents", "contact list"},
                                   {"unavailable", "cli.next_status", "status"},
                                   {"runtime_error", "cli.next_status", "status"}};

std::string text_in_error(const json& error, const char* name) {
    return printable(wire::text_member(error, name));
}

/// `about` says more than the code; most errors have none.
std::string name_of_error(const json& error) {
    const std::string about = wire::text_member(error, "about");
    return about.empty() ? i18n::fold(wire::text_member(error, "code")) : about;
}

std::string names_in_words(const Invocation& invocation, const json& names) {
    std::string all;
    for (const json& name : names) {
        if (!name.is_string()) continue;
        all += (all.empty() ? "" : invocation.text("cli.list_comma")) +
               printable(name.get<std::string>());
    }
    return all;
}

/// What each channel says that did not take the test, on lines of their own.
std::string refusing_channels(const Invocation& invocation, const json& error) {
    std::string lines;
    const json& channels = wire::member(error, "channels");
    if (!channels.is_array()) return lines;
    for (const json& tried : channels) {
        if (wire::member(tried, "ok") != false) continue;
        lines += "\n  " +
                 invocation.text("cli.channel_says", {{"channel", text_in_error(tried, "channel")},
                                                      {"detail", text_in_error(tried, "detail")}});
    }
    return lines;
}

}  // namespace

std::string error_text(const Invocation& invocation, const json& error) {
    const std::string detail = text_in_error(error, "message");
    const std::string key = "cli.error." + name_of_error(error);
    if (!i18n::has_key(invocation.language, key)) return detail;
    const std::string text =
        invocation.text(key, {{"detail", detail}, {"agent", text_in_error(error, "agentId")}});
    const std::string question = text_in_error(error, "question");
    if (!question.empty()) return text + invocation.text("cli.colon") + question;
    return text + refusing_channels(invocation, error);
}

std::string next_step(const Invocation& invocation, const json& error) {
    if (wire::text_member(error, "code") == "PLATFORM_CONFIRMATION_REQUIRED") {
        const std::string id = wire::text_member(error, "approval_id");
        return invocation.text(
            "cli.next_approve",
            {{"command", invocation.hint(id.empty() ? "approvals" : "approve " + id)}});
    }
    if (const json& missing = wire::member(error, "missing_fields");
        missing.is_array() && !missing.empty()) {
        return invocation.text("cli.next_missing_fields",
                               {{"fields", names_in_words(invocation, missing)}});
    }
    const std::string name = name_of_error(error);
    for (const NextStep& step : kNextSteps) {
        if (step.name != name) continue;
        return invocation.text(step.key, {{"command", invocation.hint(step.command)}});
    }
    return {};
}

}  // namespace a2h::cli
