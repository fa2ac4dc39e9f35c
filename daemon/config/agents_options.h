#pragma once

#include <optional>
#include <string_view>

namespace a2h::agents {

/// Whether an agent of another owner gets a contact that it asks for (`[agents] introductions`).
/// Ask: our human decides each time. Known: our agent answers agents that the human, the market, a
/// brief or another agent has made known, and treats others as with Ask. Never: all are refused.
enum class Introductions { Ask, Known, Never };
std::string_view to_string(Introductions value);
std::optional<Introductions> parse_introductions(std::string_view text);

/// `[agents]` of config.toml.
struct Options {
    Introductions introductions = Introductions::Ask;
};

}  // namespace a2h::agents
