#include "core/base/check.h"
#include "core/base/text.h"
#include "core/http/answer.h"
#include "core/http/byte_range.h"
#include "core/http/retry_after.h"
#include "core/http/server.h"
#include "core/http/target.h"
#include "daemon/notify/pictures.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

constexpr std::uint64_t kFileBytes = 1000;
constexpr UnixMs kAskedAt = 1'760'000'000'000;

void check_fields(const http::Fields& fields) {
    for (const auto& [name, value] : fields)
        A2H_CHECK(name.find('\0') == name.npos && value.find('\0') == value.npos);
}

/// A field that somebody else wrote can end neither its line nor the head of an answer.
void check_head(std::string_view value) {
    http::Response response;
    response.headers = {{"X-Field", std::string(value)}};
    const std::string head = http::answer_head(response, {}, 5);
    A2H_CHECK(head.ends_with("\r\n\r\n") && head.find("\r\n\r\n") == head.size() - 4);
    A2H_CHECK(value.empty() || value.find_first_of("\r\n") == value.npos ||
              head.find("X-Field") == head.npos);
}

}  // namespace

/// Target, form and header fields of a request.
void http_fields(std::string_view input) {
    http::Request request;
    if (http::read_target(input, request)) {
        A2H_CHECK(request.path.starts_with('/') && request.path.find('\0') == std::string::npos);
        check_fields(request.query);
    }
    if (const auto form = http::parse_form(input)) check_fields(*form);
    if (const auto range = http::read_range(input, kFileBytes))
        A2H_CHECK(range->first + range->count <= kFileBytes);
    const http::ClientResponse response{
        503, {{"retry-after", std::string(input)}, {"date", std::string(input)}}, {}};
    if (const auto wait = http::retry_after(response, kAskedAt)) A2H_CHECK(wait->count() >= 0);
    (void)http::date_of(response);
    if (notify::is_picture_source(input, {"https://market.example"}, {"pictures.example"}))
        A2H_CHECK(input.starts_with("https://"));
    check_head(input);
}

}  // namespace a2h::fuzz
