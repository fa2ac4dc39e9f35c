#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/catalogue/operations.h"
#include "mcp/daemon_call.h"
#include "mcp/portion.h"
#include "mcp/toolsets.h"

namespace a2h::mcp {

/// Results over this are refused with advice instead of being handed on: clients give up on them
/// (25 000 tokens at Claude Code), and the model would have paid for nothing.
constexpr std::size_t kResultBytesMax = 96 * 1024;

/// Member `tools` of tools/list, from the catalogue, as the newest revision wants it.
nlohmann::ordered_json tool_list(const Toolsets& toolsets);

/// Checks `arguments`, calls the operation as an assistant and returns the result of tools/call as
/// the newest revision wants it: the envelope (R16), what others wrote fenced, as text and as
/// structured content. Everything
/// that goes wrong is such a result too, because a model sees no protocol errors.
///
/// `agent`: the local agent to act for; empty: the daemon's default.
nlohmann::ordered_json call_tool(const catalogue::Operation& operation,
                                 const nlohmann::json& arguments, std::string_view agent,
                                 const CallDaemon& call_daemon, std::stop_token cancelled);

/// What a2hd answered, or why it did not, as the result of tools/call: at most that `portion` of
/// it.
nlohmann::ordered_json daemon_result(const catalogue::Operation& operation,
                                     const Result<std::string>& answered,
                                     const Portion& portion = {});

/// The same form for a call that was not made at all.
nlohmann::ordered_json refused_call(const catalogue::Operation& operation, const Error& error,
                                    std::string_view next);

}  // namespace a2h::mcp
