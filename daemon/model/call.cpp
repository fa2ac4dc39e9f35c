#include "daemon/model/call.h"

#include <algorithm>
#include <array>

#include "core/http/retry_after.h"
#include "daemon/model/answer.h"

namespace a2h::model {
namespace {

using std::chrono::milliseconds;

constexpr int kOk = 200;
constexpr int kTooManyRequests = 429;
constexpr int kUnavailable = 503;
constexpr int kOverloaded = 529;
/// The endpoint refuses the content: its filters may reject a peer's text.
constexpr std::array kRequestRefused = {400, 413, 422};
constexpr int kAttemptsMax = 3;
/// The delay before a refused connection is tried again.
constexpr milliseconds kReconnectDelay{250};
/// In less time no model answers, but the question would be charged.
constexpr milliseconds kWorthAsking{10};
/// Limit of bytes kept of an answer that is not a stream, such as an error.
constexpr std::size_t kErrorBytesMax = 16 * 1024;

}  // namespace

void StopSign::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    wake_.notify_all();
}

void StopSign::wait(milliseconds time) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, time, [this] { return stopped_.load(); });
}

/// One request and its answer.
struct Call::Attempt {
    Result<http::ClientResponse> response = fail(ErrorCode::Unavailable, "not asked");
    StreamedAnswer answer;
    std::string beginning;  ///< of the body, as received
    std::size_t bytes = 0;
    int status = 0;  ///< 0: no answer has begun

    /// Some servers keep the connection open after the end of the stream.
    bool has_answer() const { return response || (status == kOk && answer.is_over); }
};

milliseconds Call::left() const {
    const auto time = deadline_ - scene_.clock.steady_now();
    return std::max(milliseconds(0), std::chrono::duration_cast<milliseconds>(time));
}

Call::Attempt Call::ask(http::ClientRequest request) {
    Attempt attempt;
    EventStream events(kAnswerBytesMax);
    StreamedAnswer& answer = attempt.answer;
    const auto too_long = [&] {
        answer.error = Error{ErrorCode::ResourceExhausted, "the model's answer is too long"};
    };
    // Zero would mean no limit.
    request.timeout = std::max(left(), milliseconds(1));
    request.keep_going = [this] { return !scene_.stop.is_stopped(); };
    request.on_status = [&](int status) { attempt.status = status; };
    request.on_data = [&](std::string_view piece) {
        attempt.bytes += piece.size();
        attempt.beginning +=
            piece.substr(0, kErrorBytesMax - std::min(kErrorBytesMax, attempt.beginning.size()));
        if (attempt.bytes > kAnswerBytesMax) {
            too_long();
            return false;
        }
        if (attempt.status != kOk) return true;
        const auto read = events.push(piece, [&](const StreamEvent& event) {
            scene_.format.read(event, answer);
            if (answer.text.size() > kTextBytesMax) too_long();
            return !answer.error;
        });
        if (!read && !answer.error) too_long();
        return !answer.error.has_value();
    };
    attempt.response = scene_.client.send(request);
    return attempt;
}

std::optional<milliseconds> Call::pause_after(const Attempt& attempt, int attempts) const {
    if (attempts >= kAttemptsMax || scene_.stop.is_stopped() || scene_.client.is_ended())
        return std::nullopt;
    std::optional<milliseconds> pause;
    if (!attempt.response) {
        if (attempt.response.error().code == ErrorCode::Unavailable) pause = kReconnectDelay;
    } else {
        const int status = attempt.response->status;
        if (status == kTooManyRequests || status == kUnavailable || status == kOverloaded) {
            pause = http::retry_after(*attempt.response, scene_.clock.now_ms());
        }
    }
    return pause && *pause < left() ? pause : std::nullopt;
}

CallOutcome Call::judge(Attempt& attempt, const Prompt& prompt) const {
    StreamedAnswer& answer = attempt.answer;
    // A refused or unsent request costs nothing. For an answer that broke off, the reported usage
    // is too small.
    const bool is_refused = attempt.response && attempt.response->status != kOk;
    const bool nothing_sent =
        !attempt.response && attempt.response.error().code == ErrorCode::Unavailable;
    std::optional<Tokens> used;
    if (is_refused || nothing_sent) used = Tokens{};
    if (answer.is_complete && answer.input_tokens && answer.output_tokens) {
        used = Tokens{*answer.input_tokens, *answer.output_tokens};
    }
    using Endpoint = CallOutcome::Endpoint;
    const auto failed = [&](Error error, Endpoint endpoint = Endpoint::Failed) {
        return CallOutcome{fail(std::move(error)), used, endpoint};
    };
    if (is_refused) {
        const int status = attempt.response->status;
        const std::string words = failure_words(status, attempt.beginning, scene_.key);
        const bool is_about_request = std::find(kRequestRefused.begin(), kRequestRefused.end(),
                                                status) != kRequestRefused.end();
        return failed(
            {ErrorCode::Unavailable, "the model's endpoint answered " + std::to_string(status) +
                                         (words.empty() ? "" : " (" + words + ")")},
            is_about_request ? Endpoint::Answered : Endpoint::Failed);
    }
    if (answer.error) {
        const bool is_fault = answer.error->code == ErrorCode::Unavailable;
        return failed(*answer.error, is_fault ? Endpoint::Failed : Endpoint::Answered);
    }
    if (!attempt.has_answer()) {
        return failed(attempt.response.error().with_context("the model"));
    }
    if (!answer.is_complete) {
        return failed({ErrorCode::Unavailable, "the model's answer ended too early"});
    }
    auto draft = parse_answer(answer.text, prompt.schema_json);
    if (!draft) return failed(draft.error(), Endpoint::Answered);
    draft->model = answer.model.empty() ? scene_.settings.model : answer.model;
    if (used) {
        draft->input_tokens = static_cast<int>(std::clamp<std::int64_t>(used->input, 0, 1 << 30));
        draft->output_tokens = static_cast<int>(std::clamp<std::int64_t>(used->output, 0, 1 << 30));
    }
    return {std::move(draft), used, Endpoint::Answered};
}

CallOutcome Call::draft(const Prompt& prompt) {
    if (left() < kWorthAsking) {
        return {fail(ErrorCode::Timeout, "the model was busy with other drafts for too long"),
                Tokens{}, CallOutcome::Endpoint::Unasked};
    }
    const http::ClientRequest request = scene_.format.request(prompt, scene_.settings, scene_.key);
    for (int attempts = 1;; ++attempts) {
        Attempt attempt = ask(request);
        const auto pause = pause_after(attempt, attempts);
        if (!pause) return judge(attempt, prompt);
        if (scene_.wait) {
            scene_.wait(*pause);
        } else {
            scene_.stop.wait(*pause);
        }
    }
}

}  // namespace a2h::model
