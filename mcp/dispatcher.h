#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "mcp/calls.h"
#include "mcp/client_requests.h"
#include "mcp/era.h"
#include "mcp/framing.h"
#include "mcp/human_dialog.h"
#include "mcp/tools.h"

namespace a2h::mcp {

/// Answers each line of a client. What is answered from memory is answered at once; tool calls run
/// on `Calls`. Bad input is answered or ignored and never ends anything.
/// Thread: `take_line` from the reader's; `write` is called from any.
class Dispatcher {
  public:
    /// Hands one line to the client.
    using Write = std::function<void(std::string line)>;

    /// `agent`: the local agent to act for; empty: the daemon's default. Tools outside `toolsets`
    /// are neither listed nor called.
    Dispatcher(Write write, CallDaemon call_daemon, std::string agent,
               Toolsets toolsets = Toolsets::everyday());

    /// `text` is empty for a line that was too long.
    void take_line(std::string_view text);

  private:
    /// Takes the one line that answers a request, or nothing when it was cancelled.
    using Reply = std::function<void(std::string line)>;
    using Handler = void (Dispatcher::*)(const Message&, Version, const Reply&);
    struct Method {
        std::string_view name;
        bool legacy;
        bool modern;
        Handler handler;
    };
    static const Method kMethods[];
    struct ToolCall;

    void take_batch(Line line);
    void take_message(const Message& message, const Reply& reply);
    void take_notification(const Message& message);

    void initialize(const Message& message, Version version, const Reply& reply);
    void ping(const Message& message, Version version, const Reply& reply);
    void discover(const Message& message, Version version, const Reply& reply);
    void list_tools(const Message& message, Version version, const Reply& reply);
    void call_tool(const Message& message, Version version, const Reply& reply);

    bool shows_dialogs(const Message& message, Version version) const;
    nlohmann::ordered_json run_tool(const ToolCall& call, std::stop_token cancelled);
    nlohmann::ordered_json ask_in_dialog(const ToolCall& call,
                                         const HumanDialog::Question& question,
                                         std::stop_token cancelled);
    nlohmann::ordered_json resume_tool(const ToolCall& call, std::stop_token cancelled);

    Write write_;
    CallDaemon call_daemon_;
    std::string agent_;
    const Toolsets toolsets_;
    const HumanDialog dialog_;
    const std::string state_key_;  ///< seals what clients carry for us; of this process only
    ClientRequests client_;
    Eras eras_;
    bool session_shows_dialogs_ = false;  ///< thread: the reader's
    Calls calls_;                         ///< last: its jobs use the members above
};

}  // namespace a2h::mcp
