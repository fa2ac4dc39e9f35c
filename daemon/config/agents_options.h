#pragma once

#include <optional>
#include <string_view>

namespace a2h::house {

/// Whether an agent elsewhere that asks for a contact gets one (`[agents] introductions`). Ask: our
/// human decides each time. Known: agents that the human, the market, a brief or another agent made
/// known are answered by our agent itself, others as with Ask. Never: everybody is refused.
enum class Introductions { Ask, Known, Never };
std::string_view to_string(Introductions value);
std::optional<Introductions> parse_introductions(std::string_view text);

/// `[agents]` of config.toml.
struct Options {
    Introductions introductions = Introductions::Ask;
};

}  // namespace a2h::house
