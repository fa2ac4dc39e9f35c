#include "mcp/framing.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "core/control/framing.h"
#include "core/wire/json_text.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;

bool is_integer_text(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Message invalid(Message message, RpcCode code, std::string words) {
    message.kind = Message::Kind::Invalid;
    message.problem = {.code = code, .message = std::move(words), .data_json = {}};
    return message;
}

/// A plausible limit for request ids.
constexpr std::size_t kOversizedIdBytesMax = 1024;

/// `value` is the parsed `raw`.
Message to_message(json&& value, std::string_view raw) {
    Message message;
    message.params = std::make_shared<const json>(json::object());
    if (!value.is_object()) {
        return invalid(std::move(message), RpcCode::InvalidRequest, "a message is an object");
    }
    const bool has_id = value.contains("id");
    const std::string_view id = control::raw_member(raw, "id").value_or(std::string_view());
    const bool is_good_id = id.starts_with('"') || is_integer_text(id);
    if (is_good_id) message.id = id;
    const auto method = value.find("method");
    // A response is never answered, even if it is invalid.
    if (method == value.end() && (value.contains("result") || value.contains("error"))) {
        message.kind = Message::Kind::Response;
        const auto result = value.find("result");
        if (result != value.end() && result->is_object()) {
            message.params = std::make_shared<const json>(std::move(*result));
        }
        return message;
    }
    if (has_id && !is_good_id) {
        return invalid(std::move(message), RpcCode::InvalidRequest,
                       "id must be a string or an integer");
    }
    if (value.value("jsonrpc", json()) != json("2.0")) {
        return invalid(std::move(message), RpcCode::InvalidRequest, "jsonrpc must be \"2.0\"");
    }
    if (method == value.end() || !method->is_string()) {
        return invalid(std::move(message), RpcCode::InvalidRequest, "method must be a string");
    }
    message.method = method->get<std::string>();
    const auto params = value.find("params");
    if (params != value.end()) {
        if (!params->is_object()) {
            return invalid(std::move(message), RpcCode::InvalidParams, "params must be an object");
        }
        message.params = std::make_shared<const json>(std::move(*params));
    }
    message.kind = has_id ? Message::Kind::Request : Message::Kind::Notification;
    return message;
}

void append_head(std::string& line, std::string_view id) {
    line = R"({"jsonrpc":"2.0",)";
    if (!id.empty()) line.append(R"("id":)").append(id).append(",");
}

}  // namespace

RpcError invalid_params(std::string words) {
    return {.code = RpcCode::InvalidParams, .message = std::move(words), .data_json = {}};
}

std::variant<Line, RpcError> parse_line(std::string_view text) {
    auto value = wire::parse_json(text, {.bytes_max = kLineBytesMax, .depth_max = kDepthMax});
    if (!value) return RpcError{RpcCode::ParseError, "Parse error: " + value.error().message, {}};
    Line line;
    if (!value->is_array()) {
        line.messages.push_back(to_message(std::move(*value), text));
        return line;
    }
    line.is_batch = true;
    if (value->empty() || value->size() > kBatchMax) {
        return RpcError{RpcCode::InvalidRequest,
                        "a batch holds 1 to " + std::to_string(kBatchMax) + " messages, this one " +
                            std::to_string(value->size()),
                        {}};
    }
    const auto texts = control::raw_items(text);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        line.messages.push_back(to_message(std::move((*value)[i]), texts[i]));
    }
    return line;
}

Oversized look_at_oversized(std::string_view text) {
    const auto has = [&](std::string_view name) {
        return control::raw_member(text, name).has_value();
    };
    const std::string_view id = control::raw_member(text, "id").value_or(std::string_view());
    const bool is_response = !has("method") && (has("result") || has("error"));
    const bool is_notification = has("method") && !has("id");
    if (is_response || is_notification) return {.is_answered = false, .id = {}};
    if (id.size() > kOversizedIdBytesMax) return {};
    if (is_integer_text(id)) return {.id = std::string(id)};
    // The text was not checked yet, and what is sent back must be JSON.
    const auto value = json::parse(id, nullptr, false);
    return {.id = value.is_string() ? value.dump() : std::string()};
}

std::string id_key(std::string_view id) {
    if (!id.starts_with('"')) return std::string(id);
    const auto value = json::parse(id, nullptr, false);
    return value.is_string() ? "\"" + value.get<std::string>() : std::string(id);
}

std::string request_line(std::string_view id, std::string_view method,
                         std::string_view params_json) {
    std::string line;
    append_head(line, id);
    line.append(R"("method":")").append(method).append(R"(","params":)");
    return line.append(params_json).append("}");
}

std::string result_line(std::string_view id, std::string_view result_json) {
    std::string line;
    line.reserve(result_json.size() + id.size() + 40);
    append_head(line, id);
    return line.append(R"("result":)").append(result_json).append("}");
}

std::string error_line(std::string_view id, const RpcError& error) {
    std::string line;
    append_head(line, id);
    line += R"("error":{"code":)" + std::to_string(static_cast<int>(error.code)) +
            R"(,"message":)" +
            json(error.message).dump(-1, ' ', false, json::error_handler_t::replace);
    if (!error.data_json.empty()) line += R"(,"data":)" + error.data_json;
    return line + "}}";
}

}  // namespace a2h::mcp
