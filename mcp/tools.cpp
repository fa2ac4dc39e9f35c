#include "mcp/tools.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/catalogue/arguments.h"
#include "mcp/peer_text.h"
#include "mcp/result_part.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json tool_entry(const catalogue::Operation& row) {
    ordered_json tool = {
        {"name", row.tool},
        {"title", row.title},
        {"description", row.summary},
        {"inputSchema", shown_input_schema(row)},
    };
    tool["outputSchema"] = catalogue::output_schema();
    tool["annotations"] = {
        {"readOnlyHint", row.hints.read_only},
        {"destructiveHint", row.hints.destructive},
        {"idempotentHint", row.hints.idempotent},
        {"openWorldHint", row.hints.open_world},
    };
    return tool;
}

/// Says what a model should do after `code`.
std::string advice(const catalogue::Operation& operation, ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return "Call " + std::string(operation.tool) + " again with the arguments corrected.";
        case ErrorCode::Timeout:
        case ErrorCode::Unavailable:
            if (operation.hints.read_only) {
                return "Tell the user what the message says, or call " +
                       std::string(operation.tool) + " again in a moment.";
            }
            return "It is not known whether this took effect: check with a2h_status, "
                   "a2h_inbox_history or a2h_approval_list before you call it again.";
        default:
            return "Tell the user what the message says.";
    }
}

ordered_json tool_result(std::string text, ordered_json envelope, bool ok) {
    return {
        {"content", ordered_json::array({{{"type", "text"}, {"text", std::move(text)}}})},
        {"structuredContent", std::move(envelope)},
        {"isError", !ok},
    };
}

/// The part of a daemon's envelope that a model can use, with foreign texts fenced. Its text is
/// complete: the note about the rest is the last line.
ordered_json pass_on(const catalogue::Operation& operation, std::string text,
                     const ResultPart& part) {
    ordered_json envelope = ordered_json::parse(text, nullptr, false);
    if (!envelope.is_object() || !envelope.contains("ok") || !envelope["ok"].is_boolean()) {
        return refused_call(operation,
                            {ErrorCode::Internal, "a2hd answered in a form that is not known"},
                            "Tell the user to install a2hd and a2h-mcp of the same version.");
    }
    if (envelope.contains("data") && fence_peer_text(operation.action, envelope["data"])) {
        text = envelope.dump(-1, ' ', false, json::error_handler_t::replace);
    }
    // No text has more tokens than bytes.
    if (part.size > 0 || part.picks || text.size() > kConciseTokensMax) {
        const std::string note = fit_result_part(envelope, operation, part);
        text = envelope.dump(-1, ' ', false, json::error_handler_t::replace);
        if (!note.empty()) {
            text += "\n" + note;
            envelope["note"] = note;
        }
    }
    if (text.size() > kResultBytesMax) {
        return refused_call(operation,
                            {ErrorCode::ResourceExhausted,
                             "the result has " + std::to_string(text.size()) + " bytes; at most " +
                                 std::to_string(kResultBytesMax) + " can be passed on"},
                            "Ask for less at once: a smaller limit, or narrower words.");
    }
    const bool ok = envelope["ok"].get<bool>();
    return tool_result(std::move(text), std::move(envelope), ok);
}

}  // namespace

ordered_json tool_list(const Toolsets& toolsets) {
    ordered_json tools = ordered_json::array();
    for (const catalogue::Operation& row : catalogue::operations()) {
        if (toolsets.shows(row)) tools.push_back(tool_entry(row));
    }
    return tools;
}

ordered_json refused_call(const catalogue::Operation& operation, const Error& error,
                          std::string_view next) {
    ordered_json envelope = {
        {"ok", false},
        {"action", operation.action},
        {"error", {{"code", to_string(error.code)}, {"message", error.message}, {"next", next}}},
    };
    std::string text = envelope.dump(-1, ' ', false, json::error_handler_t::replace);
    return tool_result(std::move(text), std::move(envelope), false);
}

ordered_json refused_arguments(const catalogue::Operation& operation, std::string words) {
    return refused_call(operation, {ErrorCode::InvalidArgument, std::move(words)},
                        advice(operation, ErrorCode::InvalidArgument));
}

ordered_json call_tool(const catalogue::Operation& operation, const json& arguments,
                       std::string_view agent, const CallDaemon& call_daemon,
                       std::stop_token cancelled) {
    json params = arguments;
    const auto part = take_result_part(operation, params);
    if (!part) {
        return refused_call(operation, part.error(), advice(operation, ErrorCode::InvalidArgument));
    }
    params["face"] = "assistant";
    if (!agent.empty()) params["agent"] = agent;
    return daemon_result(operation,
                         call_daemon({.method = operation.action,
                                      .params_json = params.dump(),
                                      .repeatable = operation.hints.idempotent},
                                     std::move(cancelled)),
                         *part);
}

ordered_json daemon_result(const catalogue::Operation& operation,
                           const Result<std::string>& answered, const ResultPart& part) {
    if (answered) return pass_on(operation, *answered, part);
    return refused_call(operation, answered.error(), advice(operation, answered.error().code));
}

}  // namespace a2h::mcp
