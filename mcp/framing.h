#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace a2h::mcp {

/// Error codes of JSON-RPC 2.0 and of MCP 2026-07-28.
enum class RpcCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    ResourceNotFound = -32002,  ///< up to 2025-11-25
    MissingCapability = -32021,
    UnsupportedProtocolVersion = -32022,
};

/// A refusal by the protocol. A refusal by a tool is a result instead.
struct RpcError {
    RpcCode code = RpcCode::InvalidRequest;
    std::string message;
    std::string data_json;  ///< JSON text; empty: no data
};

RpcError invalid_params(std::string words);

struct Outline;

/// One received JSON-RPC message.
struct Message {
    /// An Unreadable message is a request whose content breaks a rule of ours, for instance by half
    /// of a character: only the `name` and `_meta` of its params are known.
    enum class Kind { Request, Notification, Response, Unreadable, Invalid };

    Kind kind = Kind::Invalid;
    /// The id exactly as written (2^53+1 keeps its digits, strings their escapes); empty if there
    /// is none or if it is neither a string nor an integer.
    std::string id;
    std::string method;
    /// For a response: its result, empty if it has none or an error as well. Always an object.
    /// Shared, because handlers on other threads read it, and so that the header does not need the
    /// JSON library.
    std::shared_ptr<const nlohmann::json> params;
    std::string cancelled_id;  ///< as written, in notifications/cancelled
    RpcError problem;          ///< why it is Invalid or Unreadable

    bool is_answered() const { return kind != Kind::Response && kind != Kind::Notification; }
};

/// The content of one line: one message, or the messages of a batch.
struct Line {
    bool is_batch = false;  ///< the answers form one array; otherwise each is a line
    std::vector<Message> messages;
};

/// A longer line is refused by its outline.
constexpr std::size_t kLineBytesMax = 256 * 1024;
/// The maximum depth is not more than a2hd accepts; otherwise a deep argument would be refused by
/// a2hd instead of here.
constexpr int kDepthMax = 32;
constexpr std::size_t kBatchMax = 64;

/// Parses one line. First its outline says which messages it holds; then UTF-8, depth and duplicate
/// names of each are checked, and a bad one does not affect the others. A response whose content is
/// refused still ends the wait for it, without a result. A notification that is not JSON is an
/// Invalid message without an id. A batch of more than `kBatchMax` messages is refused as by
/// `refuse_all`; an empty batch, and one that is not JSON in any of its messages, is one Invalid
/// message without an id.
///
/// Source:  MCP "stdio"; JSON-RPC 2.0, sections 4 to 6.
Line parse_line(std::string_view text);

/// The refusal of a line that is longer than `kLineBytesMax`, or of a part of it, by its outline:
/// an Invalid message for each that is answered.
Line refuse_oversized(const Outline& outline);

/// Returns what remains of `messages` if their batch is refused for `problem`: an Invalid message
/// for each id and one for all that have none, and the responses without their results, so that
/// nobody waits for an answer in vain.
std::vector<Message> refuse_all(std::vector<Message> messages, const RpcError& problem);

/// One request, or a notification if `id` is empty, without line end. `id` is raw text; `method`
/// must need no escapes.
std::string request_line(std::string_view id, std::string_view method,
                         std::string_view params_json);

/// One response without line end. `id` is raw text; empty: no member id.
std::string result_line(std::string_view id, std::string_view result_json);
std::string error_line(std::string_view id, const RpcError& error);

}  // namespace a2h::mcp
