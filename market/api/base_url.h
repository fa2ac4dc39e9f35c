#pragma once

#include <string>

#include "market/api/service.h"

namespace a2h::market {

/// What links of this market begin with: `Service::public_url`, else "http://" and the address that
/// the connection reached. Never the `Host` header, which the client chooses: links made for one
/// agent are followed by others. Without a slash at the end.
std::string base_url(const Service& service, const http::Request& request);

/// Who sent the request: the proxy, if there is one, added its client at the end.
std::string client_address(const Watch& watch, const http::Request& request);

}  // namespace a2h::market
