#include <nlohmann/json.hpp>

#include "cli/answer_parts.h"
#include "cli/daemon_call.h"
#include "cli/pin.h"
#include "cli/rows.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

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

Outcome run_page(const Invocation& invocation) {
    // The PIN is requested only if it can be checked.
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    auto pin = read_pin(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    json params{{"pin", *std::get_if<std::string>(&pin)}};
    if (invocation.has("--person")) params["person"] = invocation.value("--person");
    return call(**std::get_if<0>(&connected), invocation, "page.link", std::move(params),
                render_page_link);
}

Outcome run_pin(const Invocation& invocation) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    json params = json::object();
    if (invocation.has("--person")) params["person"] = invocation.value("--person");
    if (invocation.has("--person") && !invocation.has("--code"))
        return call(client, invocation, "pin.code", std::move(params), render_pin_code);
    if (invocation.has("--code")) {
        params["code"] = invocation.value("--code");
    } else {
        auto before = read_pin(invocation);
        if (auto* refused = std::get_if<Failure>(&before)) return *refused;
        params["pin"] = *std::get_if<std::string>(&before);
    }
    auto pin = read_new_pin(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    params["new_pin"] = *std::get_if<std::string>(&pin);
    return call(client, invocation, "pin.set", std::move(params), render_pin_set);
}

}  // namespace

std::vector<Command> page_rows() {
    using enum ParameterKind;
    return {
        {"page", "page.link", "cli.page", {kPersonOption, kPinStdin, kAgentOption}, run_page},
        {"pin",
         "pin.set",
         "cli.pin",
         {{"--person", Value, "cli.option_pin_person", "NAME"},
          {"--code", Value, "cli.option_pin_code", "CODE"},
          kPinStdin,
          kAgentOption},
         run_pin},
    };
}

}  // namespace a2h::cli
