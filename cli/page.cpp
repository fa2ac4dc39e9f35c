#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/handlers.h"
#include "cli/pin.h"
#include "cli/render.h"

namespace a2h::cli {

Outcome run_page(const Invocation& invocation) {
    // The PIN is requested only if it can be checked.
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    auto pin = read_pin(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    nlohmann::json params{{"pin", *std::get_if<std::string>(&pin)}};
    if (invocation.has("--person")) params["person"] = invocation.value("--person");
    return call(**std::get_if<0>(&connected), invocation, "page.link", std::move(params),
                render_page_link);
}

Outcome run_pin(const Invocation& invocation) {
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    nlohmann::json params = nlohmann::json::object();
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

}  // namespace a2h::cli
