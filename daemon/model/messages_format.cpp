#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/model/answer.h"
#include "daemon/model/wire_format.h"

namespace a2h::model {
namespace {

using nlohmann::json;

/// The API version that this code uses; there is no newer one.
constexpr const char* kAnthropicVersion = "2023-06-01";

std::optional<std::int64_t> count_of(const json& usage, const char* name) {
    const json& member = wire::member(usage, name);
    if (!member.is_number_integer()) return std::nullopt;
    return member.get<std::int64_t>();
}

/// The counts are for the whole message each time. Tokens read from or written to the cache are
/// input.
void take_usage(const json& usage, StreamedAnswer& answer) {
    if (const auto input = count_of(usage, "input_tokens")) {
        answer.input_tokens = *input + count_of(usage, "cache_creation_input_tokens").value_or(0) +
                              count_of(usage, "cache_read_input_tokens").value_or(0);
    }
    if (const auto output = count_of(usage, "output_tokens")) answer.output_tokens = *output;
}

void take_stop_reason(const std::string& reason, StreamedAnswer& answer) {
    if (reason.empty()) return;
    if (reason == "end_turn" || reason == "stop_sequence") return;
    if (reason == "max_tokens" || reason == "model_context_window_exceeded") {
        answer.error = Error{ErrorCode::ResourceExhausted, "the model's answer is too long"};
    } else if (reason == "tool_use") {
        answer.error = Error{ErrorCode::InvalidArgument, "the model called a tool"};
    } else {
        answer.error = Error{ErrorCode::InvalidArgument,
                             "the model stopped without an answer: " + preview(printable(reason))};
    }
}

class MessagesFormat final : public WireFormat {
  public:
    http::ClientRequest request(const Prompt& prompt, const Settings& settings,
                                const std::string& key) const override {
        json message = json::object();
        message["role"] = "user";
        message["content"] = user_text(prompt);
        json body = json::object();
        body["model"] = settings.model;
        body["max_tokens"] = settings.output_tokens_max;
        body["stream"] = true;
        body["system"] = system_text(prompt);
        body["messages"] = json::array({message});
        if (settings.is_structured) {
            body["output_config"]["format"] = {{"type", "json_schema"},
                                               {"schema", structure_of_answer(prompt)}};
        }
        http::ClientRequest request{.method = "POST", .url = endpoint_of(settings)};
        request.headers = {{"Content-Type", "application/json"},
                           {"Accept", "text/event-stream"},
                           {"anthropic-version", kAnthropicVersion}};
        if (!key.empty()) request.headers.emplace_back("x-api-key", key);
        request.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
        return request;
    }

    void read(const StreamEvent& event, StreamedAnswer& answer) const override {
        const auto parsed = wire::parse_json(event.data, {.bytes_max = 1024 * 1024});
        if (!parsed) {
            answer.error = Error{ErrorCode::InvalidArgument, "an event of the answer is not JSON"};
            return;
        }
        const std::string type = wire::text_member(*parsed, "type");
        if (type == "message_start") {
            const json& message = wire::member(*parsed, "message");
            answer.model = preview(printable(wire::text_member(message, "model")));
            take_usage(wire::member(message, "usage"), answer);
        } else if (type == "content_block_start") {
            const std::string block =
                wire::text_member(wire::member(*parsed, "content_block"), "type");
            if (block.find("tool") != std::string::npos) take_stop_reason("tool_use", answer);
            answer.text += wire::text_member(wire::member(*parsed, "content_block"), "text");
        } else if (type == "content_block_delta") {
            const json& delta = wire::member(*parsed, "delta");
            if (wire::text_member(delta, "type") == "text_delta") {
                answer.text += wire::text_member(delta, "text");
            }
        } else if (type == "message_delta") {
            take_usage(wire::member(*parsed, "usage"), answer);
            take_stop_reason(wire::text_member(wire::member(*parsed, "delta"), "stop_reason"),
                             answer);
        } else if (type == "message_stop") {
            answer.is_complete = answer.is_over = true;
        } else if (type == "error") {
            answer.error = Error{ErrorCode::Unavailable,
                                 "the model's endpoint broke off: " + failure_words(0, event.data)};
        }
    }
};

}  // namespace

std::unique_ptr<WireFormat> make_messages_format() {
    return std::make_unique<MessagesFormat>();
}

std::string failure_words(int status, const std::string& body, const std::string& key) {
    constexpr int kUnauthorized = 401;
    constexpr int kForbidden = 403;
    const auto parsed = wire::parse_json(body, {.bytes_max = 256 * 1024});
    const json nothing;
    const json& error = wire::member(parsed ? *parsed : nothing, "error");
    std::string words = wire::text_member(error, "type");
    // An error about a key may repeat parts of it.
    const bool may_repeat_key = status == 0 || status == kUnauthorized || status == kForbidden;
    const std::string said = may_repeat_key ? std::string() : wire::text_member(error, "message");
    if (!said.empty()) words += (words.empty() ? "" : ": ") + said;
    for (auto at = key.empty() ? std::string::npos : words.find(key); at != std::string::npos;
         at = words.find(key, at)) {
        words.replace(at, key.size(), "…");
    }
    return preview(printable(words));
}

}  // namespace a2h::model
