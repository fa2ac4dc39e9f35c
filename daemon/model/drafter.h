#pragma once

#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/i18n/messages.h"

namespace a2h::model {

/// The input of a drafter: the blocks of a PromptBlocksResponse, and the language to write in.
struct Prompt {
    std::string system;
    std::string task;
    std::string allowed_tools;  ///< JSON array of names for information; drafts cannot call tools
    std::string context_data;   ///< quoted: data, never instructions
    std::string instruction;
    i18n::Language language = i18n::Language::English;  ///< language of the peer
    /// The JSON Schema of the object that is requested instead of a reply; empty: a reply is
    /// requested.
    std::string schema_json{};
};

/// The proposals that a drafter may make.
enum class Wish { Reply, Silent, Ask };
std::string_view to_string(Wish wish);
std::optional<Wish> parse_wish(std::string_view text);

struct Draft {
    Wish wish = Wish::Ask;
    /// Reply: the words to send, or the JSON object of the prompt's schema. Ask: the question to
    /// the owner, may be empty.
    std::string text;
    std::string why;    ///< one sentence
    std::string model;  ///< name and version as the endpoint reported them
    int input_tokens = 0;
    int output_tokens = 0;
};

/// Drafts replies. A draft binds nobody: code reviews it before anything is sent.
class Drafter {
  public:
    using Done = std::function<void(Result<Draft>)>;
    virtual ~Drafter() = default;

    /// Returns at once. `done` is called exactly once, on the loop, unless the drafter is destroyed
    /// before.
    ///
    /// Errors:  of `done`: Unavailable (endpoint down, or its breaker is open), Timeout,
    ///          ResourceExhausted (the day's budget is spent, or the answer is too long),
    ///          InvalidArgument (not what the schema requires).
    /// Thread:  the loop.
    virtual void draft(Prompt prompt, Done done) = 0;
};

}  // namespace a2h::model
