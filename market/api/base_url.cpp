#include "market/api/base_url.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::market {
namespace {

bool is_host(std::string_view text) {
    constexpr std::size_t kCharactersMax = 261;  // a name of 255 and ":65535"
    return !text.empty() && text.size() <= kCharactersMax &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      std::string_view(".-:[]_").find(c) != std::string_view::npos;
           });
}

}  // namespace

std::string base_url(const Service& service, const http::Request& request) {
    if (!service.public_url.empty()) return service.public_url;
    const std::string_view host = request.header("host");
    return "http://" + (is_host(host) ? std::string(host) : "localhost");
}

std::string client_address(const Watch& watch, const http::Request& request) {
    const std::string_view forwarded = request.header("x-forwarded-for");
    if (!watch.behind_proxy || forwarded.empty()) return request.remote_address;
    const auto comma = forwarded.rfind(',');
    return std::string(
        trim(comma == std::string_view::npos ? forwarded : forwarded.substr(comma + 1)));
}

}  // namespace a2h::market
