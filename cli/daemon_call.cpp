#include "cli/daemon_call.h"

#include <nlohmann/json.hpp>

#include "cli/error_text.h"
#include "cli/once.h"
#include "cli/pin.h"
#include "cli/waiting.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr wire::JsonLimits kAnswerLimits{.bytes_max = 16 * 1024 * 1024, .depth_max = 64};

Failure no_daemon(const Invocation& invocation) {
    return {"unavailable",
            invocation.text("cli.no_daemon", {{"home", invocation.home.root.string()}}),
            invocation.text("cli.no_daemon_next", {{"command", invocation.hint("up")}}),
            {}};
}

std::string params_text(const Invocation& invocation, json params) {
    params["face"] = "human";
    params["reader_language"] = i18n::language_tag(invocation.language);
    if (invocation.has("--agent")) params["agent"] = invocation.value("--agent");
    return params.dump(-1, ' ', true, json::error_handler_t::replace);
}

/// An operation's envelope for people.
Outcome outcome_of(const Invocation& invocation, const std::string& answer, Renderer render) {
    const auto envelope = wire::parse_json(answer, kAnswerLimits);
    if (!envelope || !envelope->is_object()) {
        return Failure{
            "corrupt", invocation.text("cli.bad_answer"), invocation.text("cli.same_version"), {}};
    }
    if (envelope->value("ok", json()) == true) {
        const json data = envelope->value("data", json::object());
        return Report{answer, data.is_object() ? render(invocation, data) : std::string()};
    }
    const json error = envelope->value("error", json::object());
    if (!error.is_object()) {
        return Failure{
            "corrupt", invocation.text("cli.bad_answer"), invocation.text("cli.same_version"), {}};
    }
    return Failure{wire::text_member(error, "code"), error_text(invocation, error),
                   next_step(invocation, error), answer};
}

/// Whether a2hd does this only for a person who proves to be the owner.
bool asks_for_pin(const std::string& answer) {
    const json envelope = json::parse(answer, nullptr, false);
    return wire::text_member(wire::member(envelope, "error"), "code") == "PIN_REQUIRED";
}

}  // namespace

std::string nothing_to_show(const Invocation&, const json&) {
    return {};
}

std::variant<std::unique_ptr<control::Client>, Failure> connect(const Invocation& invocation) {
    auto client = control::Client::connect(invocation.home.socket_file());
    if (!client) return no_daemon(invocation);
    return std::move(*client);
}

Outcome call(control::Client& client, const Invocation& invocation, std::string_view action,
             json params, Renderer render, std::chrono::seconds timeout) {
    const auto ask = [&] {
        const Waiting waiting(invocation);
        return client.call(action, params_text(invocation, params), timeout);
    };
    auto answer = ask();
    if (answer && asks_for_pin(*answer)) {
        auto pin = read_pin(invocation);
        if (auto* refused = std::get_if<Failure>(&pin)) return std::move(*refused);
        params["proof"] = {{"pin", *std::get_if<std::string>(&pin)}};
        answer = ask();
    }
    if (!answer) {
        return failure(
            invocation.language, answer.error(), invocation.text("cli.call_failed"),
            invocation.text("cli.next_status", {{"command", invocation.hint("status")}}));
    }
    return outcome_of(invocation, *answer, render);
}

Outcome call_daemon(const Invocation& invocation, std::string_view action, json params,
                    Renderer render, std::chrono::seconds timeout) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    return call(**std::get_if<0>(&connected), invocation, action, std::move(params), render,
                timeout);
}

Outcome call_daemon_or_once(const Invocation& invocation, std::string_view action, json params,
                            Renderer render, std::chrono::seconds timeout) {
    auto client = control::Client::connect(invocation.home.socket_file());
    if (client) return call(**client, invocation, action, std::move(params), render, timeout);
    const auto answer = [&] {
        const Waiting waiting(invocation);
        return run_once(invocation, action, params_text(invocation, params));
    }();
    if (!answer)
        return failure(invocation.language, answer.error(), invocation.text("cli.not_started"));
    if (answer->home_taken) {
        // A daemon that has just started, or is about to end.
        client = control::Client::connect(invocation.home.socket_file());
        if (client) return call(**client, invocation, action, std::move(params), render, timeout);
    }
    return outcome_of(invocation, answer->envelope, render);
}

}  // namespace a2h::cli
