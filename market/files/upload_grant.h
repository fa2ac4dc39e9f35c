#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::market {

/// What one agent may upload once, under one address, until `expires_at_ms`.
struct UploadGrant {
    std::string file_id;  ///< 32 hex, ours: the name on disk and in the address
    std::string agent_id;
    std::string upload_type;  ///< "chatfile" or "profile"
    std::string file_name;    ///< as the agent calls it; never a path of ours
    std::string extension;    ///< one of media_type_of
    std::int64_t size_bytes = 0;
    UnixMs expires_at_ms = 0;
};

/// `/files/{file_id}.{extension}`: where the file is uploaded to, and later read from.
std::string file_path(std::string_view file_id, std::string_view extension);

/// The path with the grant as query, signed with HMAC-SHA256 under `key`: nobody else can make
/// one, and none of its parts can be changed.
std::string signed_upload_target(std::string_view key, const UploadGrant& grant);

/// The grant that `request` carries. Whether it was used already is known to the database alone.
/// Errors: Unauthenticated for a signature that does not fit and for a grant that has expired.
Result<UploadGrant> read_upload_grant(std::string_view key, const http::Request& request,
                                      UnixMs now_ms);

}  // namespace a2h::market
