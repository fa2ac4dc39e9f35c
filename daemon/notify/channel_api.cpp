#include "daemon/notify/channel_api.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/http/retry_after.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::notify {
namespace {

using nlohmann::json;

constexpr std::size_t kAnswerBytesMax = 1024 * 1024;

/// A longer wait counts as a refusal.
constexpr double kWaitSecondsMax = 365.0 * 24 * 3600;

std::chrono::milliseconds seconds_in(const json& value) {
    const double seconds = value.is_number() ? value.get<double>() : 0;
    if (!(seconds > 0)) return {};
    return std::chrono::ceil<std::chrono::milliseconds>(
        std::chrono::duration<double>(std::min(seconds, kWaitSecondsMax)));
}

/// The service's own words, from one of the members in which such services put them.
std::string own_words(const json& answer) {
    for (const char* name : {"description", "msg", "message", "error"}) {
        const std::string words = wire::text_member(answer, name);
        if (!words.empty()) return preview(printable(words));
    }
    return {};
}

}  // namespace

bool may_pass(int status) {
    return status == 408 || status == 425 || status == 429 || status >= 500;
}

std::chrono::milliseconds asked_wait(const http::ClientResponse& response, const json& answer,
                                     UnixMs now_ms) {
    const auto header = http::retry_after(response, now_ms).value_or(std::chrono::milliseconds(0));
    json reset;
    for (const auto& [name, value] : response.headers)
        if (name == "x-ogw-ratelimit-reset") reset = json::parse(value, nullptr, false);
    return std::max({header, seconds_in(reset), seconds_in(wire::member(answer, "retry_after")),
                     seconds_in(wire::member(wire::member(answer, "parameters"), "retry_after"))});
}

ChannelApi::ChannelApi(std::string name, std::string ca_file, http::Transfers* transfers,
                       std::string user_agent)
    : name_(std::move(name)),
      client_(http::Client::Options{
          .ca_file = std::move(ca_file),
          .user_agent = user_agent.empty() ? "a2hd/" A2H_VERSION : std::move(user_agent),
          .transfers = transfers}) {}

Unexpected ChannelApi::refused(std::string_view why, i18n::Language language) const {
    return fail(ErrorCode::InvalidArgument,
                i18n::text(language, "notify.service_refused", {{"service", name_}, {"why", why}}));
}

Unexpected ChannelApi::unreachable(std::string_view why, i18n::Language language) const {
    return fail(ErrorCode::Unavailable, i18n::text(language, "notify.service_unreachable",
                                                   {{"service", name_}, {"why", why}}));
}

std::string ChannelApi::taken(i18n::Language language, std::size_t pictures_lost) const {
    std::string words = i18n::text(language, "notify.taken", {{"service", name_}});
    if (pictures_lost == 0) return words;
    return words + i18n::text(language, "notify.semicolon") +
           i18n::text(language, "notify.pictures_lost", {{"count", std::to_string(pictures_lost)}});
}

Result<json> ChannelApi::call(const Call& call, i18n::Language language) {
    http::ClientRequest request;
    request.method = call.method;
    request.url = call.url;
    request.headers = call.headers;
    request.body = call.body;
    if (!call.body.empty()) request.headers.emplace_back("Content-Type", call.content_type);
    request.timeout = call.limit;
    request.answer_bytes_max = kAnswerBytesMax;
    const auto response = client_.send(request);
    if (!response) {
        Unexpected away = unreachable(preview(response.error().message), language);
        if (response.error().code == ErrorCode::Timeout) away.error.code = ErrorCode::Timeout;
        return away;
    }
    json answer = json::object();
    if (auto parsed = wire::parse_json(response->body, {.bytes_max = kAnswerBytesMax});
        parsed && parsed->is_object()) {
        answer = std::move(*parsed);
    }
    if (response->status >= 200 && response->status < 300) return answer;
    keep_wait(*response, answer);
    const std::string status = "HTTP " + std::to_string(response->status);
    if (call.codes_with_400 && response->status == 400 && answer.contains("code")) return answer;
    if (may_pass(response->status)) return unreachable(status, language);
    const std::string words = own_words(answer);
    return refused(words.empty() ? status : status + ", " + words, language);
}

void ChannelApi::keep_wait(const http::ClientResponse& response, const json& answer) {
    const std::int64_t wait_ms = asked_wait(response, answer, SystemClock().now_ms()).count();
    std::int64_t before = wait_ms_;
    while (wait_ms > before && !wait_ms_.compare_exchange_weak(before, wait_ms)) {
    }
}

std::pair<std::string, std::string> multipart(const std::vector<Part>& parts) {
    const std::string boundary = "a2h-" + random_hex(16);
    std::string body;
    for (const Part& part : parts) {
        body += "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + part.name + "\"";
        if (!part.file_name.empty()) {
            // A name from a peer, without characters that could end the header.
            std::string name;
            for (const char c : part.file_name)
                name += (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\') ? '_' : c;
            body += "; filename=\"" + name + "\"";
        }
        if (!part.content_type.empty()) body += "\r\nContent-Type: " + part.content_type;
        body += "\r\n\r\n" + part.bytes + "\r\n";
    }
    return {"multipart/form-data; boundary=" + boundary, body + "--" + boundary + "--\r\n"};
}

}  // namespace a2h::notify
