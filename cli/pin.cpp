#include "cli/pin.h"

#include "cli/terminal.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

std::variant<std::string, Failure> read(const Invocation& invocation, std::string_view prompt) {
    auto line = invocation.has("--pin-stdin") ? read_stdin_line()
                                              : ask_secret(invocation.text(prompt) + " ");
    if (!line && line.error().code == ErrorCode::Unavailable) {
        return Failure{"unavailable",
                       invocation.text("cli.no_terminal"),
                       invocation.text("cli.no_pin_next"),
                       {}};
    }
    if (!line) {
        return failure(invocation.language, line.error(), invocation.text("cli.no_pin"),
                       invocation.text("cli.no_pin_next"));
    }
    return std::move(*line);
}

}  // namespace

std::variant<std::string, Failure> read_pin(const Invocation& invocation) {
    return read(invocation, "cli.ask_pin");
}

std::variant<std::string, Failure> read_new_pin(const Invocation& invocation) {
    auto pin = read(invocation, "cli.ask_new_pin");
    const auto* first = std::get_if<std::string>(&pin);
    if (first == nullptr) return pin;
    if (!is_utf8(*first) || code_point_count(*first) < kPinCharactersMin) {
        return Failure{
            "invalid_argument",
            invocation.text("cli.pin_too_short", {{"count", std::to_string(kPinCharactersMin)}}),
            invocation.text("cli.try_again"),
            {}};
    }
    if (invocation.has("--pin-stdin")) return pin;
    auto again = read(invocation, "cli.ask_pin_again");
    const auto* second = std::get_if<std::string>(&again);
    if (second == nullptr) return again;
    if (*first != *second) {
        return Failure{"invalid_argument",
                       invocation.text("cli.pins_differ"),
                       invocation.text("cli.try_again"),
                       {}};
    }
    return pin;
}

}  // namespace a2h::cli
