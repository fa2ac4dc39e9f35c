#include "mcp/protocol.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/i18n/messages.h"
#include "mcp/request_id.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Collects the answers of a batch and writes them as one array after the last one.
struct BatchAnswers {
    std::mutex mutex;
    std::size_t missing;
    std::string lines;

    explicit BatchAnswers(std::size_t count) : missing(count) {}

    /// The whole array, if this was the last answer and the array is not empty.
    std::optional<std::string> take(const std::string& line) {
        const std::lock_guard lock(mutex);
        if (!line.empty()) lines += (lines.empty() ? "" : ",") + line;
        if (--missing > 0 || lines.empty()) return std::nullopt;
        return "[" + lines + "]";
    }
};

}  // namespace

Protocol::Protocol(Write write, Methods& methods)
    : write_(std::move(write)), methods_(methods), progress_(write_) {}

void Protocol::take_line(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") != std::string_view::npos) take(parse_line(text));
}

void Protocol::take_line(const InputLine& line) {
    if (line.oversized) return take(refuse_oversized(*line.oversized));
    take_line(line.text);
}

void Protocol::take(Line line) {
    if (line.is_batch && versions_.batches_allowed()) return take_batch(line);
    if (line.is_batch) {
        line.messages =
            refuse_all(std::move(line.messages),
                       {RpcCode::InvalidRequest,
                        "batches are not part of this protocol revision: one message a line",
                        {}});
    }
    for (const Message& message : line.messages) {
        take_message(message, false, [this](std::string answer_line) {
            if (!answer_line.empty()) write_(std::move(answer_line));
        });
    }
}

void Protocol::take_batch(const Line& line) {
    const auto count = std::count_if(line.messages.begin(), line.messages.end(),
                                     [](const Message& message) { return message.is_answered(); });
    // Shared by the answers, which may come from any thread.
    auto answers = std::make_shared<BatchAnswers>(static_cast<std::size_t>(count));
    for (const Message& message : line.messages) {
        take_message(message, true, [this, answers](const std::string& answer_line) {
            if (auto all = answers->take(answer_line)) write_(std::move(*all));
        });
    }
}

void Protocol::take_message(const Message& message, bool in_batch, const Reply& reply) {
    switch (message.kind) {
        case Message::Kind::Response:
            return methods_.take_response(message);
        case Message::Kind::Notification:
            return take_notification(message);
        case Message::Kind::Unreadable:
            return refuse(message, reply);
        case Message::Kind::Invalid:
            return reply(error_line(message.id.empty() ? versions_.unreadable_id() : message.id,
                                    message.problem));
        case Message::Kind::Request:
            break;
    }
    const auto named = versions_.classify(message);
    if (const auto* error = std::get_if<RpcError>(&named)) {
        return reply(error_line(message.id, *error));
    }
    const Version version = std::get<Version>(named);
    if (in_batch && is_modern(version)) {
        return reply(error_line(
            message.id, {RpcCode::InvalidRequest, "this protocol revision has no batches", {}}));
    }
    if (methods_.take_request(message, version, reply)) return;
    reply(error_line(message.id, {RpcCode::MethodNotFound, "Method not found", {}}));
}

void Protocol::take_notification(const Message& message) {
    if (message.method != "notifications/cancelled" || message.cancelled_id.empty()) return;
    const std::string key = id_key(message.cancelled_id);
    calls_.cancel(key);
    methods_.take_cancellation(key);
}

void Protocol::refuse(const Message& message, const Reply& reply) {
    const auto named = versions_.classify(message);
    const auto* version = std::get_if<Version>(&named);
    if (version != nullptr && methods_.refuse_request(message, *version, reply)) return;
    reply(error_line(message.id,
                     {RpcCode::ParseError, "Parse error: " + message.problem.message, {}}));
}

std::string Protocol::answer(std::string_view id, Outcome outcome, Version version) {
    if (const auto* error = std::get_if<RpcError>(&outcome)) return error_line(id, *error);
    return result_line(id, result_text(std::get<ordered_json>(std::move(outcome)), version));
}

std::string Protocol::result_text(ordered_json result, Version version) {
    if (!result.contains("resultType")) result["resultType"] = "complete";
    result["_meta"] = {{kServerInfoKey, server_info()}};
    fit_result(result, version);
    return result.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool Protocol::run_later(const Message& message, Version version, const Reply& reply, Work work,
                         Calls::Lane lane) {
    auto job = [this, id = message.id, params = message.params, version, reply,
                work = std::move(work)](std::stop_token cancelled) {
        // After a cancellation nothing more may be sent about the request.
        if (cancelled.stop_requested()) return reply({});
        Outcome outcome = [&] {
            const auto watch = progress_.watch(
                *params, i18n::text(i18n::language_of_environment(), "mcp.progress"));
            return work(cancelled);
        }();
        if (cancelled.stop_requested()) return reply({});
        reply(answer(id, std::move(outcome), version));
    };
    return calls_.submit(id_key(message.id), std::move(job), lane);
}

RpcError Protocol::too_many_requests() {
    return {.code = RpcCode::InternalError,
            .message = "too many requests are waiting: wait for the answers of earlier ones",
            .data_json = {}};
}

void Protocol::answer_later(const Message& message, Version version, const Reply& reply,
                            Work work) {
    if (run_later(message, version, reply, std::move(work))) return;
    reply(error_line(message.id, too_many_requests()));
}

}  // namespace a2h::mcp
