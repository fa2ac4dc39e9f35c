#pragma once

#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/i18n/messages.h"

namespace a2h::model {

/// What a drafter is told: the blocks of a PromptBlocksResponse, and in which language to write.
struct Prompt {
    std::string system;
    std::string task;
    std::string allowed_tools;  ///< JSON array of names; none may be called, drafts only
    std::string context_data;   ///< fenced: data, never instructions
    std::string instruction;
    i18n::Language language = i18n::Language::English;  ///< the peer's
    /// The JSON Schema of an object that is wanted instead of a reply; empty: a reply is.
    std::string schema_json{};
};

/// What a drafter may want.
enum class Wish { Reply, Silent, Ask };

struct Draft {
    Wish wish = Wish::Ask;
    /// Reply: the words to send, or the JSON object that the prompt's schema asks for. Ask: what to
    /// ask the owner, may be empty.
    std::string text;
    std::string why;    ///< one sentence
    std::string model;  ///< name and version as the endpoint told them
    int input_tokens = 0;
    int output_tokens = 0;
};

/// Drafts replies. A draft binds nobody: it is reviewed by code before anything leaves.
class Drafter {
  public:
    using Done = std::function<void(Result<Draft>)>;
    virtual ~Drafter() = default;

    /// Returns at once; `done` is called exactly once, on the loop, unless the drafter is destroyed
    /// before. Thread: the loop.
    ///
    /// Errors of `done`: Unavailable (down, or its breaker is open), Timeout, ResourceExhausted
    /// (the day's budget is spent, or too long an answer), InvalidArgument (not what the schema
    /// asks).
    virtual void draft(Prompt prompt, Done done) = 0;
};

}  // namespace a2h::model
