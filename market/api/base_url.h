#pragma once

#include <string>

#include "market/api/service.h"

namespace a2h::market {

/// What agents know this market by: `Service::public_url`, else "http://" and the host that the
/// request was sent to. Without a slash at the end.
std::string base_url(const Service& service, const http::Request& request);

/// Who sent the request: the proxy, if there is one, added its client at the end.
std::string client_address(const Watch& watch, const http::Request& request);

}  // namespace a2h::market
