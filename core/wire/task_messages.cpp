#include "core/wire/task_messages.h"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/base/check.h"
#include "core/base/enum_names.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_text.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr EnumName<TaskMessageType> kTypeNames[] = {
    {TaskMessageType::TaskEvent, "task_event"},
    {TaskMessageType::GetContextRequest, "get_context_request"},
    {TaskMessageType::PromptBlocksResponse, "prompt_blocks_response"},
    {TaskMessageType::ToolCallRequest, "tool_call_request"},
    {TaskMessageType::ToolCallResponse, "tool_call_response"},
    {TaskMessageType::ReportResultRequest, "report_result_request"},
    {TaskMessageType::EvaluationRequest, "evaluation_request"},
    {TaskMessageType::EvaluationResponse, "evaluation_response"},
    {TaskMessageType::RetryEvent, "retry_event"},
};
constexpr EnumName<EvaluationStatus> kEvaluationStatusNames[] = {
    {EvaluationStatus::Pass, "pass"},
    {EvaluationStatus::Fail, "fail"},
};
constexpr EnumName<NextAction> kNextActionNames[] = {
    {NextAction::Retry, "retry"},
    {NextAction::NextSlice, "next_slice"},
    {NextAction::None, "none"},
};

constexpr double kScoreMax = 100;

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; });
    return text;
}

/// Accepts v0 and v0.x, where x consists of digits and points.
Result<void> check_version(const std::string& version) {
    const bool reads_as_version = version.size() >= 2 && version[0] == 'v' &&
                                  std::all_of(version.begin() + 1, version.end(), [](char c) {
                                      return c == '.' || (c >= '0' && c <= '9');
                                  });
    if (!reads_as_version) return invalid("schema_version is not a version number");
    if (version == "v0" || version.starts_with("v0.")) return {};
    return fail(ErrorCode::Unsupported, "schema_version " + version + " is not known here");
}

/// Both directions use the `fields` below: a `Reader` fills a message from JSON, and a `Writer`
/// makes JSON from one. The checks are the same; the first failed check is the error.
class Fields {
  public:
    const std::optional<Error>& error() const { return error_; }

  protected:
    void refuse(std::string_view name, std::string_view why) {
        if (!error_) error_ = Error{ErrorCode::InvalidArgument, std::string(name).append(why)};
    }
    void check(Result<void> result) {
        if (!result && !error_) error_ = std::move(result).error();
    }
    void check_uuid(std::string_view name, const std::string& value) {
        if (!is_uuid(value)) refuse(name, " is not a UUID");
    }
    void check_length(std::string_view name, const std::string& value) {
        if (value.size() > kTaskFieldBytesMax) refuse(name, " is too long");
    }
    void check_count(std::string_view name, std::int64_t value, int lowest, int highest) {
        if (value >= lowest && value <= highest) return;
        refuse(name, " must be " + std::to_string(lowest) + " to " + std::to_string(highest));
    }
    void check_score(double value) {
        const bool fits = std::isfinite(value) && value >= 0 && value <= kScoreMax;
        if (!fits) refuse("score", " must be 0 to 100");
    }

    std::optional<Error> error_;
};

class Reader : public Fields {
  public:
    explicit Reader(const json& object) : object_(object) {}

    void envelope(TaskEnvelope& out) {
        version(out.schema_version);
        uuid("message_id", out.message_id);
        time("sent_at", out.sent_at_ms);
        const json* trace = find("trace_id");
        if (trace == nullptr) return;
        if (!trace->is_string()) return refuse("trace_id", " must be a text");
        out.trace_id = trace->get<std::string>();
        check_length("trace_id", out.trace_id);
    }
    void uuid(std::string_view name, std::string& out) {
        text(name, out);
        check_uuid(name, out);
        out = lower_case(std::move(out));
    }
    void text(std::string_view name, std::string& out) {
        const json* value = find(name);
        if (value == nullptr || !value->is_string()) return refuse(name, " must be a text");
        out = value->get<std::string>();
    }
    void word(std::string_view name, std::string& out) {
        text(name, out);
        check_length(name, out);
    }
    void object(std::string_view name, std::string& out) {
        const json* value = find(name);
        if (value == nullptr || !value->is_object()) return refuse(name, " must be an object");
        out = canonical_json(*value);
    }
    void time(std::string_view name, UnixMs& out) {
        std::string written;
        text(name, written);
        const auto parsed = parse_time(written);
        if (!parsed) return refuse(name, " must be an ISO 8601 time");
        out = *parsed;
    }
    void count(std::string_view name, int& out, int lowest, int highest) {
        const json* value = find(name);
        if (value == nullptr || !value->is_number_integer())
            return refuse(name, " must be an integer");
        // An unsigned value of 2^63 or more reads as a negative one, which is refused as well.
        const auto number = value->get<std::int64_t>();
        check_count(name, number, lowest, highest);
        if (!error_) out = static_cast<int>(number);
    }
    void score(double& out) {
        const json* value = find("score");
        if (value == nullptr || !value->is_number()) return refuse("score", " must be a number");
        out = value->get<double>();
        check_score(out);
    }
    template <typename Item>
    void list(std::string_view name, std::vector<Item>& out) {
        const json* value = find(name);
        if (value == nullptr || !value->is_array()) return refuse(name, " must be a list");
        for (const json& item : *value) {
            if (!item.is_object()) return refuse(name, " must hold objects");
            Reader reader(item);
            fields(reader, out.emplace_back());
            if (reader.error_ && !error_) error_ = reader.error_->with_context(name);
        }
    }
    void status(EvaluationStatus& out) {
        std::string name;
        word("status", name);
        out = parse_evaluation_status(name).value_or(EvaluationStatus::Fail);
    }
    void next_action(NextAction& out) {
        std::string name;
        word("next_action", name);
        out = parse_next_action(name).value_or(NextAction::None);
    }

  private:
    const json* find(std::string_view name) const {
        const auto found = object_.find(name);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }
    void version(std::string& out) {
        word("schema_version", out);
        if (!error_) check(check_version(out));
    }

    const json& object_;
};

class Writer : public Fields {
  public:
    void envelope(const TaskEnvelope& value) {
        check(check_version(value.schema_version));
        word("schema_version", value.schema_version);
        uuid("message_id", value.message_id);
        time("sent_at", value.sent_at_ms);
        if (!value.trace_id.empty()) word("trace_id", value.trace_id);
    }
    void uuid(const char* name, const std::string& value) {
        check_uuid(name, value);
        object_[name] = value;
    }
    void text(const char* name, const std::string& value) {
        if (!is_utf8(value)) refuse(name, " is not UTF-8");
        object_[name] = value;
    }
    void word(const char* name, const std::string& value) {
        check_length(name, value);
        text(name, value);
    }
    void object(const char* name, const std::string& value) {
        auto parsed = parse_json(value);
        if (!parsed || !parsed->is_object()) return refuse(name, " must be an object");
        object_[name] = std::move(*parsed);
    }
    void time(const char* name, UnixMs value) { object_[name] = to_utc_time(value); }
    void count(const char* name, int value, int lowest, int highest) {
        check_count(name, value, lowest, highest);
        object_[name] = value;
    }
    void score(double value) {
        check_score(value);
        object_["score"] = value;
    }
    template <typename Item>
    void list(const char* name, const std::vector<Item>& value) {
        json items = json::array();
        for (const Item& item : value) {
            Writer writer;
            fields(writer, item);
            if (writer.error_ && !error_) error_ = writer.error_->with_context(name);
            items.push_back(std::move(writer.object_));
        }
        object_[name] = std::move(items);
    }
    void status(EvaluationStatus value) { object_["status"] = to_string(value); }
    void next_action(NextAction value) { object_["next_action"] = to_string(value); }

    const json& written() const { return object_; }

  private:
    json object_ = json::object();
};

// `Message` is const for the writer.
template <typename Io, typename Message>
void event_fields(Io& io, Message& message, int lowest_retry) {
    io.envelope(message.envelope);
    io.uuid("task_id", message.task_id);
    io.object("payload", message.payload_json);
    io.count("max_attempts", message.max_attempts, 1, kTaskAttemptsMax);
    io.count("retry_count", message.retry_count, lowest_retry, message.max_attempts - 1);
}

template <typename Io, typename Message>
void fields(Io& io, Message& message) {
    using Kind = std::remove_const_t<Message>;
    if constexpr (std::is_same_v<Kind, ToolResult>) {
        io.uuid("invocation_id", message.invocation_id);
        io.uuid("tool_id", message.tool_id);
        io.word("result_type", message.result_type);
        io.object("data", message.data_json);
        io.time("created_at", message.created_at_ms);
    } else if constexpr (std::is_same_v<Kind, TaskEvent>) {
        event_fields(io, message, 0);
    } else if constexpr (std::is_same_v<Kind, RetryEvent>) {
        event_fields(io, message, 1);
    } else {
        io.envelope(message.envelope);
        if constexpr (std::is_same_v<Kind, PromptBlocksResponse>) {
            io.text("system", message.system);
            io.text("task", message.task);
            io.text("allowed_tools", message.allowed_tools);
            io.text("context_data", message.context_data);
            io.text("instruction", message.instruction);
        } else {
            io.uuid("task_id", message.task_id);
        }
        if constexpr (std::is_same_v<Kind, GetContextRequest>) {
            io.uuid("agent_id", message.agent_id);
            io.object("globals", message.globals_json);
        } else if constexpr (std::is_same_v<Kind, ReportResultRequest>) {
            io.list("tool_results", message.tool_results);
            io.object("task_results", message.task_results_json);
        } else if constexpr (std::is_same_v<Kind, EvaluationRequest>) {
            io.object("task_results", message.task_results_json);
        } else if constexpr (std::is_same_v<Kind, EvaluationResponse>) {
            io.status(message.status);
            io.score(message.score);
            io.next_action(message.next_action);
        }
    }
}

}  // namespace

A2H_ENUM_NAMES(TaskMessageType, parse_task_message_type, kTypeNames);
A2H_ENUM_NAMES(EvaluationStatus, parse_evaluation_status, kEvaluationStatusNames);
A2H_ENUM_NAMES(NextAction, parse_next_action, kNextActionNames);

bool is_reserved(TaskMessageType type) {
    return type == TaskMessageType::ToolCallRequest || type == TaskMessageType::ToolCallResponse;
}

Result<RetryEvent> retry_of(const TaskEvent& event, TaskEnvelope envelope) {
    if (event.retry_count + 1 >= event.max_attempts) {
        return invalid("all " + std::to_string(event.max_attempts) + " attempts have been used");
    }
    RetryEvent retry{event};
    retry.envelope = std::move(envelope);
    ++retry.retry_count;
    return retry;
}

template <typename Message>
Result<std::string> write_task_message(const Message& message) {
    Writer writer;
    fields(writer, message);
    if (writer.error()) return fail(*writer.error());
    return canonical_json(writer.written());
}

template <typename Message>
Result<Message> read_task_message(std::string_view text) {
    A2H_ASSIGN_OR_RETURN(const auto parsed, parse_json(text));
    if (!parsed.is_object()) return invalid("a task message must be a JSON object");
    Message message;
    Reader reader(parsed);
    fields(reader, message);
    if (reader.error()) return fail(*reader.error());
    return message;
}

template Result<std::string> write_task_message(const TaskEvent&);
template Result<std::string> write_task_message(const RetryEvent&);
template Result<std::string> write_task_message(const GetContextRequest&);
template Result<std::string> write_task_message(const PromptBlocksResponse&);
template Result<std::string> write_task_message(const ReportResultRequest&);
template Result<std::string> write_task_message(const EvaluationRequest&);
template Result<std::string> write_task_message(const EvaluationResponse&);
template Result<TaskEvent> read_task_message(std::string_view);
template Result<RetryEvent> read_task_message(std::string_view);
template Result<GetContextRequest> read_task_message(std::string_view);
template Result<PromptBlocksResponse> read_task_message(std::string_view);
template Result<ReportResultRequest> read_task_message(std::string_view);
template Result<EvaluationRequest> read_task_message(std::string_view);
template Result<EvaluationResponse> read_task_message(std::string_view);

bool is_uuid(std::string_view text) {
    constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (text.size() != kForm.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_hex =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (kForm[i] == '-' ? c != '-' : !is_hex) return false;
    }
    return true;
}

std::string new_uuid() {
    boost::uuids::uuid made{};
    fill_random(std::as_writable_bytes(std::span(made.data)));
    made.data[6] = static_cast<std::uint8_t>((made.data[6] & 0x0FU) | 0x40U);
    made.data[8] = static_cast<std::uint8_t>((made.data[8] & 0x3FU) | 0x80U);
    return boost::uuids::to_string(made);
}

std::string uuid_of(std::string_view id) {
    static const auto space =
        boost::uuids::string_generator()(kUuidNamespace.begin(), kUuidNamespace.end());
    return boost::uuids::to_string(boost::uuids::name_generator_sha1(space)(id.data(), id.size()));
}

}  // namespace a2h::wire
