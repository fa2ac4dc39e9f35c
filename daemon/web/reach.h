#pragma once

#include <string>
#include <vector>

#include "core/http/server.h"

namespace a2h::web {

/// How the site is reached.
struct SiteOptions {
    std::string url;                 ///< scheme, host and port as people open it, without a path
    std::vector<std::string> hosts;  ///< accepted values of the Host header; empty: any
    bool secure = false;             ///< people reach it over TLS
};

/// False for another host name, which a foreign page could use to get around the same-origin
/// policy.
bool is_known_host(const SiteOptions& site, const http::Request& request);

/// Whether `origin` is our own.
bool is_own_origin(const SiteOptions& site, const http::Request& request);

/// Whether a browser reports that a page of another site makes this request.
bool is_from_another_site(const http::Request& request);

/// The response to a request with a wrong host.
http::Response wrong_host();

}  // namespace a2h::web
