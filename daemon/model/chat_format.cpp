#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/model/answer.h"
#include "daemon/model/wire_format.h"

namespace a2h::model {
namespace {

using nlohmann::json;

constexpr std::string_view kOpenAi = "https://api.openai.com/";

/// OpenAI's newer models refuse `max_tokens`; most compatible servers know only that.
std::string token_limit_field(const Settings& settings) {
    if (!settings.token_limit_field.empty()) return settings.token_limit_field;
    return endpoint_of(settings).starts_with(kOpenAi) ? "max_completion_tokens" : "max_tokens";
}

json chat_message(const char* role, std::string content) {
    json message = json::object();
    message["role"] = role;
    message["content"] = std::move(content);
    return message;
}

void take_finish_reason(const std::string& reason, StreamedAnswer& answer) {
    if (reason.empty()) return;
    answer.is_complete = true;
    if (reason == "stop") return;
    if (reason == "length") {
        answer.error = Error{ErrorCode::ResourceExhausted, "the model's answer is too long"};
    } else if (reason == "tool_calls" || reason == "function_call") {
        answer.error = Error{ErrorCode::InvalidArgument, "the model called a tool"};
    } else {
        answer.error = Error{ErrorCode::InvalidArgument,
                             "the model stopped without an answer: " + preview(printable(reason))};
    }
}

void take_choice(const json& choice, StreamedAnswer& answer) {
    const json& delta = wire::member(choice, "delta");
    answer.text += wire::text_member(delta, "content");
    const json& calls = wire::member(delta, "tool_calls");
    if ((calls.is_array() && !calls.empty()) || wire::member(delta, "function_call").is_object()) {
        take_finish_reason("tool_calls", answer);
    } else if (!wire::text_member(delta, "refusal").empty()) {
        take_finish_reason("refusal", answer);
    }
    take_finish_reason(wire::text_member(choice, "finish_reason"), answer);
}

/// Sent last; some servers send `choices` as null with it.
void take_chat_usage(const json& usage, StreamedAnswer& answer) {
    const json& input = wire::member(usage, "prompt_tokens");
    const json& output = wire::member(usage, "completion_tokens");
    if (input.is_number_integer()) answer.input_tokens = input.get<std::int64_t>();
    if (output.is_number_integer()) answer.output_tokens = output.get<std::int64_t>();
}

class ChatCompletionsFormat final : public WireFormat {
  public:
    http::ClientRequest request(const Prompt& prompt, const Settings& settings,
                                const std::string& key) const override {
        json body = json::object();
        body["model"] = settings.model;
        body[token_limit_field(settings)] = settings.output_tokens_max;
        body["stream"] = true;
        body["stream_options"] = json::object({{"include_usage", true}});
        body["messages"] = json::array(
            {chat_message("system", system_text(prompt)), chat_message("user", user_text(prompt))});
        if (settings.is_structured) {
            json schema = json::object();
            schema["name"] = "draft";
            schema["schema"] = structure_of_answer(prompt);
            schema["strict"] = is_strict(schema["schema"]);
            body["response_format"] = {{"type", "json_schema"}, {"json_schema", schema}};
        }
        http::ClientRequest request{.method = "POST", .url = endpoint_of(settings)};
        request.headers = {{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}};
        if (!key.empty()) request.headers.emplace_back("Authorization", "Bearer " + key);
        request.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
        return request;
    }

    void read(const StreamEvent& event, StreamedAnswer& answer) const override {
        if (trim(event.data) == "[DONE]") {
            answer.is_over = true;
            return;
        }
        const auto parsed = wire::parse_json(event.data, {.bytes_max = 1024 * 1024});
        if (!parsed) {
            answer.error = Error{ErrorCode::InvalidArgument, "an event of the answer is not JSON"};
            return;
        }
        const json& error = wire::member(*parsed, "error");
        if (error.is_object() || error.is_string()) {
            answer.error = Error{ErrorCode::Unavailable,
                                 "the model's endpoint broke off: " + failure_words(0, event.data)};
            return;
        }
        if (answer.model.empty()) {
            answer.model = preview(printable(wire::text_member(*parsed, "model")));
        }
        take_chat_usage(wire::member(*parsed, "usage"), answer);
        const json& choices = wire::member(*parsed, "choices");
        if (!choices.is_array()) return;
        for (const json& choice : choices)
            take_choice(choice, answer);
    }
};

}  // namespace

std::unique_ptr<WireFormat> make_chat_completions_format() {
    return std::make_unique<ChatCompletionsFormat>();
}

}  // namespace a2h::model
