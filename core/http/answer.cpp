#include "core/http/answer.h"

#include <algorithm>
#include <ctime>

namespace a2h::http {
namespace {

/// For people who read the traffic; clients use only the number.
std::string_view reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 201:
            return "Created";
        case 202:
            return "Accepted";
        case 204:
            return "No Content";
        case 206:
            return "Partial Content";
        case 302:
            return "Found";
        case 303:
            return "See Other";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 409:
            return "Conflict";
        case 410:
            return "Gone";
        case 413:
            return "Content Too Large";
        case 415:
            return "Unsupported Media Type";
        case 416:
            return "Range Not Satisfiable";
        case 422:
            return "Unprocessable Content";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 503:
            return "Service Unavailable";
        case 507:
            return "Insufficient Storage";
        default:
            return {};  // the phrase may be absent
    }
}

/// Created once a second for each thread.
const std::string& date_now() {
    thread_local std::time_t made_at = -1;
    thread_local std::string text;
    const std::time_t now = std::time(nullptr);
    if (now != made_at) {
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        char buffer[40];
        text.assign(buffer,
                    std::strftime(buffer, sizeof buffer, "%a, %d %b %Y %H:%M:%S GMT", &parts));
        made_at = now;
    }
    return text;
}

bool breaks_the_header(std::string_view text) {
    return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

}  // namespace

bool may_carry_body(int status) {
    return status >= 200 && status != 204 && status != 304;
}

std::string answer_head(const Response& response, const AnswerForm& form,
                        std::optional<std::uint64_t> body_bytes) {
    constexpr std::size_t kUsualBytes = 512;
    std::string head;
    head.reserve(kUsualBytes);
    head.append(form.is_http_1_0 ? "HTTP/1.0 " : "HTTP/1.1 ")
        .append(std::to_string(response.status));
    head.append(" ").append(reason(response.status)).append("\r\nDate: ").append(date_now());
    for (const auto& [name, value] : response.headers) {
        if (breaks_the_header(name) || breaks_the_header(value)) continue;
        head.append("\r\n").append(name).append(": ").append(value);
    }
    if (!form.keep_alive) head.append("\r\nConnection: close");
    if (form.keep_alive && form.is_http_1_0) head.append("\r\nConnection: keep-alive");
    if (may_carry_body(response.status) && body_bytes) {
        head.append("\r\nContent-Length: ").append(std::to_string(*body_bytes));
    }
    return head.append("\r\n\r\n");
}

bool take_range(const Request& request, Response& response, OutgoingFile& file) {
    const std::uint64_t size = file.size();
    response.headers.emplace_back("Accept-Ranges", "bytes");
    const auto tag = std::find_if(response.headers.begin(), response.headers.end(),
                                  [](const auto& field) { return field.first == "ETag"; });
    const std::string_view condition = request.header("if-range");
    const bool applies =
        condition.empty() || (tag != response.headers.end() && condition == tag->second);
    if (response.status != 200 || request.method != "GET" || !applies) return true;
    const auto range = read_range(request.header("range"), size);
    if (!range) return true;
    if (range->count == 0) return false;
    file.narrow(*range);
    response.status = 206;
    response.headers.emplace_back("Content-Range",
                                  "bytes " + std::to_string(range->first) + "-" +
                                      std::to_string(range->first + range->count - 1) + "/" +
                                      std::to_string(size));
    return true;
}

}  // namespace a2h::http
