#include "core/http/retry_after.h"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "core/base/text.h"

namespace a2h::http {
namespace {

using std::chrono::milliseconds;

/// A longer wait counts as a refusal, and must not overflow.
constexpr std::int64_t kSecondsMax = 365LL * 24 * 3600;

std::string_view value_of(const ClientResponse& response, std::string_view lower_case_name) {
    for (const auto& [name, value] : response.headers)
        if (name == lower_case_name) return trim(value);
    return {};
}

std::optional<UnixMs> parse_date(std::string_view text) {
    const std::time_t seconds = curl_getdate(std::string(text).c_str(), nullptr);
    // RFC 9110 writes years with four digits; curl_getdate also accepts longer ones.
    if (seconds < 0 || seconds > kTimeMaxMs / 1000) return std::nullopt;
    return UnixMs{seconds} * 1000;
}

}  // namespace

std::optional<milliseconds> retry_after(const ClientResponse& response, UnixMs now_ms) {
    const std::string_view text = value_of(response, "retry-after");
    if (text.empty()) return std::nullopt;
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (end == text.data() + text.size()) {
        if (error != std::errc() || seconds < 0) return std::nullopt;
        return std::chrono::seconds(std::min(seconds, kSecondsMax));
    }
    const auto until = parse_date(text);
    if (!until) return std::nullopt;
    const UnixMs from = date_of(response).value_or(now_ms);
    return milliseconds(std::clamp<std::int64_t>(*until - from, 0, kSecondsMax * 1000));
}

std::optional<UnixMs> date_of(const ClientResponse& response) {
    return parse_date(value_of(response, "date"));
}

}  // namespace a2h::http
