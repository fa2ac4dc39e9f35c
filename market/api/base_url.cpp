#include "market/api/base_url.h"

#include "core/base/text.h"

namespace a2h::market {
std::string base_url(const ApiParts& parts, const http::Request& request) {
    if (!parts.public_url.empty()) return parts.public_url;
    return "http://" + request.local_address;
}

std::string client_address(const Watch& watch, const http::Request& request) {
    const std::string_view forwarded = request.header("x-forwarded-for");
    if (!watch.behind_proxy || forwarded.empty()) return request.remote_address;
    const auto comma = forwarded.rfind(',');
    return std::string(
        trim(comma == std::string_view::npos ? forwarded : forwarded.substr(comma + 1)));
}

}  // namespace a2h::market
