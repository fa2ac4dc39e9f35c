#pragma once

#include <string>
#include <vector>

#include "core/http/server.h"

namespace a2h::web {

/// How the site is reached.
struct SiteOptions {
    std::string url;                 ///< scheme, host and port as people open it, without a path
    std::vector<std::string> hosts;  ///< what the Host header may say; empty: anything
    bool secure = false;             ///< people reach it over TLS
};

/// False for another name that leads here, which is how a foreign page would get around the
/// same-origin rule.
bool is_known_host(const SiteOptions& site, const http::Request& request);

/// Whether `origin` is our own.
bool is_own_origin(const SiteOptions& site, const http::Request& request);

/// Whether a browser says that a page of another site makes this request.
bool is_from_another_site(const http::Request& request);

/// What such a request is answered with.
http::Response wrong_host();

}  // namespace a2h::web
