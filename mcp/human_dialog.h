#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "mcp/tools.h"
#include "mcp/version.h"

namespace a2h::mcp {

/// Shows a question that waits for a human's yes in a dialog of the client (elicitation), and
/// passes the answer to a2hd without the model. It fails closed: anything except an accepted form
/// with a decision releases nothing. a2hd decides whether a decision counts.
///
/// Thread:  any.
class HumanDialog {
  public:
    /// The content of a dialog for one approval.
    struct Question {
        std::string approval_id;
        std::string digest;
        std::string message;
        i18n::Language language = i18n::Language::English;  ///< of `message`
        bool needs_code = true;      ///< a yes here needs the code of the notification
        bool code_delivered = true;  ///< no yes can be given here before, if it needs the code
        std::string others{};        ///< whose yes is needed if the owner's does not count
    };

    HumanDialog(CallDaemon call_daemon, std::string agent);

    /// Whether the client with these `capabilities` shows forms in `version`.
    ///
    /// Source:  MCP 2025-06-18 and later, "Elicitation".
    static bool is_shown_by(const nlohmann::json& capabilities, Version version);

    /// The question that the tools/call result `result` waits for; nullopt if there is none.
    std::optional<Question> question_of(const nlohmann::ordered_json& result,
                                        std::stop_token cancelled) const;
    /// The same for a known approval; nullopt if it is not open.
    std::optional<Question> question_about(const std::string& approval_id,
                                           std::stop_token cancelled) const;

    /// Params for elicitation/create.
    static nlohmann::ordered_json form(const Question& question, Version version);

    /// The result of the tool call that waited if too many other dialogs are open.
    static nlohmann::ordered_json not_shown(const catalogue::Operation& operation,
                                            const Question& question);

    /// Whether the approval was answered or has ended, in whatever way: a dialog about it is then
    /// pointless. False if that cannot be found out at the moment.
    bool is_decided(const std::string& approval_id, std::stop_token cancelled) const;

    /// Passes `answer`, the result of elicitation/create, to a2hd. Returns the result of the tool
    /// call that waited: the decided approval and the next possible calls (approval.wait), wherever
    /// it was decided; while it is open, the refusal of the answer, or why there was none.
    nlohmann::ordered_json settle(const catalogue::Operation& operation, const Question& question,
                                  const nlohmann::json& answer, std::stop_token cancelled) const;

  private:
    Result<std::string> call(std::string_view method, nlohmann::json params,
                             std::stop_token cancelled, bool patient = true) const;
    /// The row of approval.list.
    ///
    /// Errors:  NotFound; those of the connection to a2hd; Unavailable for an error of a2hd.
    Result<nlohmann::json> row_of(const std::string& approval_id, std::stop_token cancelled,
                                  bool patient = true) const;
    /// The decided approval once what it released is done, as the result of the call that waited.
    nlohmann::ordered_json outcome_of(const std::string& approval_id,
                                      std::stop_token cancelled) const;

    const CallDaemon call_daemon_;
    const std::string agent_;
};

}  // namespace a2h::mcp
