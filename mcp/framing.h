#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
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

/// A refusal on the level of the protocol; what a tool refuses is a result instead.
struct RpcError {
    RpcCode code = RpcCode::InvalidRequest;
    std::string message;
    std::string data_json;  ///< JSON text; empty: no data
};

RpcError invalid_params(std::string words);

/// One JSON-RPC message as it came.
struct Message {
    enum class Kind { Request, Notification, Response, Invalid };

    Kind kind = Kind::Invalid;
    /// The id exactly as it was written (2^53+1 keeps its digits, strings their escapes); empty
    /// when there is none or it is neither string nor integer.
    std::string id;
    std::string method;
    /// Of a response: its result. Always an object. Shared, because handlers on other threads read
    /// it and the header stays free of the JSON library.
    std::shared_ptr<const nlohmann::json> params;
    RpcError problem;  ///< why it is Invalid
};

/// What one line held: one message, or the messages of a batch.
struct Line {
    bool is_batch = false;
    std::vector<Message> messages;
};

constexpr std::size_t kLineBytesMax = 256 * 1024;
/// A line over `kLineBytesMax` is refused, but up to here its id is looked for, so that the client
/// learns which request was refused and does not wait.
constexpr std::size_t kRefusedLineBytesMax = 16 * 1024 * 1024;
/// Not more than a2hd takes, or a deep argument would be lost on the way instead of refused here.
constexpr int kDepthMax = 32;
constexpr std::size_t kBatchMax = 64;

/// Reads one line. Size, UTF-8, depth and doubled names are checked before anything is believed.
/// Errors: ParseError for what is not JSON; InvalidRequest for an empty or too long batch.
///         A single bad message of a batch is an Invalid message and spoils no other.
/// Source: MCP "stdio"; JSON-RPC 2.0, sections 4 to 6.
std::variant<Line, RpcError> parse_line(std::string_view text);

/// What can be said of a line that is too large to be parsed.
struct Oversized {
    bool is_answered = true;  ///< false: a response or a notification
    std::string id;           ///< JSON text; empty: it cannot be read
};
Oversized look_at_oversized(std::string_view text);

/// A string and an integer id are the same id when they have the same value, however the string is
/// escaped. `id` is raw text as in `Message`.
std::string id_key(std::string_view id);

/// One request, or a notification when `id` is empty, without line end. `id` is raw text, `method`
/// needs no escapes.
std::string request_line(std::string_view id, std::string_view method,
                         std::string_view params_json);

/// One response, without line end. `id` is raw text; empty: no member id.
std::string result_line(std::string_view id, std::string_view result_json);
std::string error_line(std::string_view id, const RpcError& error);

}  // namespace a2h::mcp
