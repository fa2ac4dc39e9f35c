#include "market/api/answer.h"

#include <nlohmann/json.hpp>

#include "core/base/log.h"

namespace a2h::market {
namespace {

using nlohmann::json;

struct Mapped {
    int status;
    std::string_view code;
};

Mapped map(ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return {400, "400"};
        case ErrorCode::Unauthenticated:
            return {401, "PLATFORM_90005"};
        case ErrorCode::PermissionDenied:
            return {403, "PLATFORM_401"};
        case ErrorCode::NotFound:
            return {404, "PLATFORM_410"};
        case ErrorCode::Conflict:
            return {409, "409"};
        case ErrorCode::ConfirmationRequired:
            return {409, "PLATFORM_CONFIRMATION_REQUIRED"};
        case ErrorCode::Unsupported:
            return {405, "405"};
        case ErrorCode::ResourceExhausted:
        case ErrorCode::Timeout:
        case ErrorCode::Unavailable:
            return {503, "503"};
        case ErrorCode::Corrupt:
        case ErrorCode::Internal:
            return {500, "500"};
    }
    A2H_CHECK(false);
}

std::string shown_message(const Error& error, int status) {
    if (status < 500) return error.message;
    log::error("A request failed", {{"reason", error.message}});
    return status == 503 ? "the market cannot do this now; try again later" : "internal error";
}

const std::vector<std::pair<std::string, std::string>> kHeaders{
    {"Content-Type", "application/json; charset=utf-8"}, {"Cache-Control", "no-store"}};

std::string answer_text(const json& value) {
    // Texts were checked for UTF-8 on arrival. If one is invalid nevertheless, this must not throw.
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

http::Response json_response(int status, const json& body) {
    return {status, kHeaders, answer_text(body)};
}

http::Response success(const json& data) {
    return success_text(answer_text(data));
}

// The data is inserted as text, because `{{"data", data}}` would copy it twice.
http::Response success_text(std::string_view data) {
    constexpr std::string_view kBegin = R"({"code":"200","message":"success","data":)";
    std::string body;
    body.reserve(kBegin.size() + data.size() + 1);
    body.append(kBegin).append(data).append("}");
    return {200, kHeaders, std::move(body)};
}

http::Response flagged_success(const json& data) {
    return {200, kHeaders, R"({"success":true,"data":)" + answer_text(data) + R"(,"error":null})"};
}

http::Response failure(const Error& error) {
    const Mapped mapped = map(error.code);
    return json_response(mapped.status, {{"code", mapped.code},
                                         {"message", shown_message(error, mapped.status)},
                                         {"data", nullptr}});
}

http::Response flagged_failure(const Error& error) {
    const Mapped mapped = map(error.code);
    return json_response(mapped.status, {{"success", false},
                                         {"code", mapped.code},
                                         {"error", shown_message(error, mapped.status)}});
}

http::Response refused(bool is_flagged, int status, std::string_view message) {
    const std::string code = std::to_string(status);
    return json_response(
        status, is_flagged ? json{{"success", false}, {"code", code}, {"error", message}}
                           : json{{"code", code}, {"message", message}, {"data", nullptr}});
}

http::Response too_many_requests(bool is_flagged, std::chrono::seconds wait) {
    constexpr const char* kMessage = "too many requests; wait as long as Retry-After says";
    auto response = refused(is_flagged, 429, kMessage);
    response.headers.emplace_back("Retry-After", std::to_string(wait.count()));
    return response;
}

}  // namespace a2h::market
