#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/handlers.h"
#include "cli/pin.h"
#include "cli/render.h"

namespace a2h::cli {

Outcome run_page(const Invocation& invocation) {
    // The PIN is asked only when somebody can check it.
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    auto pin = read_pin(invocation);
    if (auto* refused = std::get_if<Failure>(&pin)) return *refused;
    nlohmann::json params{{"pin", *std::get_if<std::string>(&pin)}};
    if (invocation.has("--person")) params["person"] = invocation.value("--person");
    return call(**std::get_if<0>(&connected), invocation, "page.link", std::move(params),
                render_page_link);
}

}  // namespace a2h::cli
