#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "mcp/era.h"
#include "mcp/tools.h"

namespace a2h::mcp {

/// Puts what waits for a human's yes to the human in a dialog of the client (elicitation), and
/// hands the answer to a2hd past the model. Fail-closed: whatever is not an accepted form with a
/// decision releases nothing. Whether a decision counts is for a2hd to say.
/// Thread: any.
class HumanDialog {
  public:
    /// One approval as a dialog shows it.
    struct Question {
        std::string approval_id;
        std::string digest;
        std::string message;
        bool takes_code = true;  ///< a yes here needs the code, and somebody has got one
    };

    HumanDialog(CallDaemon call_daemon, std::string agent);

    /// Whether the client with these `capabilities` shows forms in `version`.
    /// Source: MCP 2025-06-18 and later, "Elicitation".
    static bool is_shown_by(const nlohmann::json& capabilities, Version version);

    /// What the result of tools/call `result` waits for; nullopt: nothing.
    std::optional<Question> question_of(const nlohmann::ordered_json& result,
                                        std::stop_token cancelled) const;
    /// The same of a known approval; nullopt: it is not open.
    std::optional<Question> question_about(const std::string& approval_id,
                                           std::stop_token cancelled) const;

    /// Params of elicitation/create.
    static nlohmann::ordered_json form(const Question& question, Version version);

    /// Hands `answer`, the result of elicitation/create, to a2hd. Returns the result of the tool
    /// call that waited: the decided approval and the next legal calls (approval.wait), the refusal
    /// of the answer, or why there was none.
    nlohmann::ordered_json settle(const catalogue::Operation& operation, const Question& question,
                                  const nlohmann::json& answer, std::stop_token cancelled) const;

  private:
    Result<std::string> call(std::string_view method, nlohmann::json params,
                             std::stop_token cancelled) const;

    const CallDaemon call_daemon_;
    const std::string agent_;
};

}  // namespace a2h::mcp
