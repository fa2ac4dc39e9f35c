#pragma once

#include <string>

#include "market/api/serve.h"

namespace a2h::market {

/// The beginning of links to this market: `ApiParts::public_url`, otherwise "http://" and the
/// address of the connection. Never the `Host` header, which the client chooses, because links made
/// for one agent are followed by others. Without a slash at the end.
std::string base_url(const ApiParts& parts, const http::Request& request);

/// The address of the client. If there is a proxy, it has appended the client's address.
std::string client_address(const Watch& watch, const http::Request& request);

}  // namespace a2h::market
