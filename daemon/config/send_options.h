#pragma once

#include <optional>
#include <string_view>

namespace a2h {

/// The treatment of the words that an assistant wants to send to agents of other homes (`[send]
/// assistant`). Review: what commits the owner to nothing is sent, and the rest is asked about.
/// Ask: every text is asked about. Open: the words of its messages are sent without being judged.
enum class AssistantWords { Review, Ask, Open };
std::string_view to_string(AssistantWords value);
std::optional<AssistantWords> parse_assistant_words(std::string_view text);

}  // namespace a2h
