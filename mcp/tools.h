#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/catalogue/operations.h"
#include "mcp/daemon_call.h"
#include "mcp/result_part.h"
#include "mcp/toolsets.h"

namespace a2h::mcp {

/// Larger results are refused with advice: clients reject them (25 000 tokens at Claude Code), and
/// the model would have paid for nothing.
constexpr std::size_t kResultBytesMax = 96 * 1024;

/// Member `tools` of tools/list, from the catalogue, in the form of the newest revision.
nlohmann::ordered_json tool_list(const Toolsets& toolsets);

/// Checks `arguments`, calls the operation as an assistant, and returns the result of tools/call in
/// the form of the newest revision: the envelope (R16) with foreign text fenced, as text and as
/// structured content. Errors are such results as well, because a model does not see protocol
/// errors.
///
/// `agent` is the local agent to act for; empty: the daemon's default.
nlohmann::ordered_json call_tool(const catalogue::Operation& operation,
                                 const nlohmann::json& arguments, std::string_view agent,
                                 const CallDaemon& call_daemon, std::stop_token cancelled);

/// The answer or error of a2hd as the result of tools/call, limited to that `part`.
nlohmann::ordered_json daemon_result(const catalogue::Operation& operation,
                                     const Result<std::string>& answered,
                                     const ResultPart& part = {});

/// The same form for a call that was not made.
nlohmann::ordered_json refused_call(const catalogue::Operation& operation, const Error& error,
                                    std::string_view next);
/// The same for arguments that are not valid, in words for the model.
nlohmann::ordered_json refused_arguments(const catalogue::Operation& operation, std::string words);

}  // namespace a2h::mcp
