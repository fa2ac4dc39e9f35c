#pragma once

#include <string_view>

#include "core/http/server.h"
#include "market/api/serve.h"
#include "market/store/file_store.h"

namespace a2h::market {

/// The destination of the body of `request`: a file for an upload whose address, length and kind
/// match the grant.
///
/// Thread:  any.
http::Server::BodyChoice choose_body(ApiParts& parts, const http::Request& request);

/// The file with the public address `url`, if it is an agent's own picture that may be part of its
/// profile.
///
/// Errors:  InvalidArgument for everything else.
Result<StoredFile> find_profile_picture(const ApiParts& parts, db::Transaction& transaction,
                                        const http::Request& request, std::string_view url,
                                        std::string_view agent_id);

}  // namespace a2h::market
