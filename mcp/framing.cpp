#include "mcp/framing.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/control/framing.h"
#include "core/wire/json_text.h"
#include "mcp/outline.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;

using Item = Outline::Item;

Result<json> parse_text(std::string_view text) {
    return wire::parse_json(text, {.bytes_max = kLineBytesMax, .depth_max = kDepthMax});
}

Message message_of(const Item& item, Message::Kind kind) {
    Message message;
    message.kind = kind;
    message.id = item.id;
    message.params = std::make_shared<const json>(json::object());
    return message;
}

Message invalid(const Item& item, RpcCode code, std::string words) {
    Message message = message_of(item, Message::Kind::Invalid);
    message.problem = {.code = code, .message = std::move(words), .data_json = {}};
    return message;
}

/// Member `name` of the object `text`, if it can be read whatever is wrong with the rest.
json readable_member(std::string_view text, std::string_view name) {
    const auto raw = control::raw_member(text, name);
    if (!raw) return {};
    auto value = parse_text(*raw);
    return value ? std::move(*value) : json();
}

std::string cancelled_id_in(std::string_view text) {
    const auto params = control::raw_member(text, "params").value_or(std::string_view());
    return std::string(control::raw_member(params, "requestId").value_or(std::string_view()));
}

/// The message whose `text` broke a rule of the parser.
Message refused(const Item& item, std::string_view text, bool is_complete, const Error& error) {
    if (item.kind == Item::Kind::Response) return message_of(item, Message::Kind::Response);
    // Text that is no JSON has no known meaning, unless it names its request.
    const bool is_known =
        is_complete && (item.is_answered() ? !item.id.empty() : wire::is_beyond_limits(error));
    if (!is_known) {
        return invalid(item, RpcCode::ParseError, "Parse error: " + error.message);
    }
    const bool is_request = item.kind == Item::Kind::Request;
    Message message =
        message_of(item, is_request ? Message::Kind::Unreadable : Message::Kind::Notification);
    message.problem = {RpcCode::ParseError, error.message, {}};
    const json method = readable_member(text, "method");
    if (method.is_string()) message.method = method.get<std::string>();
    message.cancelled_id = cancelled_id_in(text);
    const auto params = control::raw_member(text, "params").value_or(std::string_view());
    json known = json::object();
    for (const char* name : {"name", "_meta"}) {
        json value = readable_member(params, name);
        if (!value.is_null()) known[name] = std::move(value);
    }
    message.params = std::make_shared<const json>(std::move(known));
    return message;
}

Message response(const Item& item, json&& value) {
    Message message = message_of(item, Message::Kind::Response);
    const auto result = value.find("result");
    // With an error beside it, or without the version, a result does not count.
    const bool counts =
        value.value("error", json()).is_null() && value.value("jsonrpc", json()) == json("2.0");
    if (counts && result != value.end() && result->is_object()) {
        message.params = std::make_shared<const json>(std::move(*result));
    }
    return message;
}

Message notification(const Item& item, std::string_view text, json&& value) {
    Message message = message_of(item, Message::Kind::Notification);
    message.method = value["method"].get<std::string>();
    message.cancelled_id = cancelled_id_in(text);
    const auto params = value.find("params");
    if (params != value.end() && params->is_object()) {
        message.params = std::make_shared<const json>(std::move(*params));
    }
    return message;
}

Message request(const Item& item, json&& value) {
    if (!value.is_object()) {
        return invalid(item, RpcCode::InvalidRequest, "a message must be an object");
    }
    if (value.contains("id") && item.id.empty()) {
        return invalid(item, RpcCode::InvalidRequest, "id must be a string or an integer");
    }
    if (value.value("jsonrpc", json()) != json("2.0")) {
        return invalid(item, RpcCode::InvalidRequest, "jsonrpc must be \"2.0\"");
    }
    const auto method = value.find("method");
    if (method == value.end() || !method->is_string()) {
        return invalid(item, RpcCode::InvalidRequest, "method must be a string");
    }
    const auto params = value.find("params");
    if (params != value.end() && !params->is_object()) {
        return invalid(item, RpcCode::InvalidParams, "params must be an object");
    }
    Message message = message_of(item, Message::Kind::Request);
    message.method = method->get<std::string>();
    if (params != value.end()) message.params = std::make_shared<const json>(std::move(*params));
    return message;
}

Message to_message(const Item& item, std::string_view text, bool is_complete, Result<json> value) {
    if (!value) return refused(item, text, is_complete, value.error());
    switch (item.kind) {
        case Item::Kind::Response:
            return response(item, std::move(*value));
        case Item::Kind::Notification:
            return notification(item, text, std::move(*value));
        case Item::Kind::Request:
        case Item::Kind::Unknown:
            break;
    }
    return request(item, std::move(*value));
}

/// The messages of a batch that is refused as a whole.
std::vector<Message> refused_batch(const Outline& outline) {
    const bool is_too_long = outline.count > kBatchMax;
    std::vector<Message> messages;
    for (const Item& item : outline.items) {
        if (item.kind == Item::Kind::Response) {
            messages.push_back(message_of(item, Message::Kind::Response));
        } else if (is_too_long && item.is_answered()) {
            // Those without an id get one answer, so that many of them cost little.
            const bool repeats = item.id.empty() && !messages.empty() && messages.back().id.empty();
            if (!repeats) messages.push_back(message_of(item, Message::Kind::Invalid));
        }
    }
    messages = refuse_all(std::move(messages),
                          {RpcCode::InvalidRequest,
                           "a batch holds at most " + std::to_string(kBatchMax) + " messages",
                           {}});
    if (outline.is_part) return messages;
    if (!outline.is_complete) {
        messages.push_back(invalid({}, RpcCode::ParseError, "Parse error: the batch is not JSON"));
    } else if (outline.count == 0) {
        messages.push_back(
            invalid({}, RpcCode::InvalidRequest, "a batch holds at least one message"));
    }
    return messages;
}

/// The messages of `outline`, each made by `make`, or the refusal of the whole batch.
template <typename Make>
Line line_of(const Outline& outline, const Make& make) {
    const bool is_refused =
        outline.is_part || !outline.is_complete || outline.count == 0 || outline.count > kBatchMax;
    if (outline.is_batch && is_refused) return {false, refused_batch(outline)};
    Line line{outline.is_batch, {}};
    for (const Item& item : outline.items)
        line.messages.push_back(make(item));
    return line;
}

/// A batch of which any message is no JSON is no JSON either, and is refused as a whole.
Line parse_batch(Outline outline, std::string_view text) {
    const auto text_of = [&](const Item& item) { return text.substr(item.begin, item.size); };
    std::vector<Result<json>> values;
    for (const Item& item : outline.items) {
        values.push_back(parse_text(text_of(item)));
        const Result<json>& value = values.back();
        if (!value && !wire::is_beyond_limits(value.error())) outline.is_complete = false;
    }
    auto next = values.begin();
    return line_of(outline, [&](const Item& item) {
        return to_message(item, text_of(item), true, std::move(*next++));
    });
}

void append_head(std::string& line, std::string_view id) {
    line = R"({"jsonrpc":"2.0",)";
    if (!id.empty()) line.append(R"("id":)").append(id).append(",");
}

}  // namespace

RpcError invalid_params(std::string words) {
    return {.code = RpcCode::InvalidParams, .message = std::move(words), .data_json = {}};
}

std::vector<Message> refuse_all(std::vector<Message> messages, const RpcError& problem) {
    std::vector<Message> refused;
    bool names_none = false;
    for (Message& message : messages) {
        if (message.kind == Message::Kind::Response) {
            message.params = std::make_shared<const json>(json::object());
        } else if (!message.is_answered() ||
                   (message.id.empty() && std::exchange(names_none, true))) {
            continue;
        } else {
            message.kind = Message::Kind::Invalid;
            message.problem = problem;
        }
        refused.push_back(std::move(message));
    }
    return refused;
}

Line parse_line(std::string_view text) {
    Outline outline = outline_of(text);
    if (text.size() > kLineBytesMax) return refuse_oversized(outline);
    if (outline.is_batch) return parse_batch(std::move(outline), text);
    // Text that follows the message belongs to what is checked.
    const Item item = outline.items.empty() ? Item() : outline.items.front();
    return {false, {to_message(item, text, outline.is_complete, parse_text(text))}};
}

Line refuse_oversized(const Outline& outline) {
    if (outline.is_blank) return {};
    const std::string limit = "a line has at most " + std::to_string(kLineBytesMax) + " bytes";
    const auto refuse = [&](const Item& item) {
        if (item.kind == Item::Kind::Response) return message_of(item, Message::Kind::Response);
        if (!item.is_answered() && (outline.is_batch || outline.is_complete)) {
            return message_of(item, Message::Kind::Notification);
        }
        if (!item.id.empty()) return invalid(item, RpcCode::InvalidRequest, limit);
        return invalid(item, RpcCode::ParseError, "Parse error: " + limit);
    };
    if (outline.items.empty() && !outline.is_batch) return {false, {refuse({})}};
    return line_of(outline, refuse);
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
