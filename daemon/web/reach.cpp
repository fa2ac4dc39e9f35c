#include "daemon/web/reach.h"

#include <algorithm>

namespace a2h::web {

bool is_known_host(const SiteOptions& site, const http::Request& request) {
    return site.hosts.empty() || std::find(site.hosts.begin(), site.hosts.end(),
                                           request.header("host")) != site.hosts.end();
}

bool is_own_origin(const SiteOptions& site, const http::Request& request) {
    const std::string_view origin = request.header("origin");
    if (origin == site.url) return true;
    const std::string scheme = site.secure ? "https://" : "http://";
    return origin == scheme + std::string(request.header("host"));
}

bool is_from_another_site(const http::Request& request) {
    const std::string_view from = request.header("sec-fetch-site");
    return !from.empty() && from != "same-origin" && from != "none";
}

http::Response wrong_host() {
    return {421, {{"Content-Type", "text/plain"}}, "wrong host\n"};
}

}  // namespace a2h::web
