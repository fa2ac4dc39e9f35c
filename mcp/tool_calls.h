#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "mcp/client_requests.h"
#include "mcp/daemon_call.h"
#include "mcp/human_dialog.h"
#include "mcp/request_state.h"
#include "mcp/toolsets.h"
#include "mcp/version.h"

namespace a2h::mcp {

/// One tools/call.
struct ToolCall {
    const catalogue::Operation* operation = nullptr;
    std::shared_ptr<const nlohmann::json> params;
    Version version = kLatestLegacy;
    bool shows_dialogs = false;
    std::optional<RequestState> resumes;  ///< the previous attempt asked in a dialog

    const nlohmann::json& arguments() const;
};

/// Carries out tools/call with the dialogs that it may need.
///
/// Thread:  any; the reader's for `take_response`.
class ToolCalls {
  public:
    ToolCalls(CallDaemon call_daemon, std::string agent, Toolsets toolsets,
              ClientRequests::Write write);

    /// The call in `params` of tools/call.
    ///
    /// Errors:  InvalidParams for an unknown or hidden tool, arguments that are not an object, and
    ///          a requestState or inputResponses that are not ours.
    std::variant<ToolCall, RpcError> read(std::shared_ptr<const nlohmann::json> params,
                                          Version version, bool shows_dialogs) const;

    /// The result of tools/call; in 2026-07-28 also one of type `input_required`.
    nlohmann::ordered_json run(const ToolCall& call, std::stop_token cancelled);

    /// `call` again after the result `input_required`, with the client's `responses`; nullopt if
    /// they do not answer the question.
    std::optional<ToolCall> resume(const ToolCall& call,
                                   const nlohmann::ordered_json& input_required,
                                   const nlohmann::json& responses) const;

    /// The client's answer to one of our requests.
    void take_response(const Message& message) { client_.take_response(message); }

    /// The client sends nothing more, so its open dialogs are given up.
    void end_input() { client_.end(); }

    const Toolsets& toolsets() const { return toolsets_; }

  private:
    nlohmann::ordered_json ask_in_dialog(const ToolCall& call,
                                         const HumanDialog::Question& question,
                                         std::stop_token cancelled);
    nlohmann::ordered_json answer_dialog(const ToolCall& call, std::stop_token cancelled);

    const CallDaemon call_daemon_;
    const std::string agent_;
    const Toolsets toolsets_;
    const HumanDialog dialog_;
    const std::string
        state_key_;  ///< seals the state that clients keep for us; only for this process
    ClientRequests client_;
};

}  // namespace a2h::mcp
