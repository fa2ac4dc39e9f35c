#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::market {

/// The largest file that may be uploaded; docs/protocol.md, "Files", tells it to clients.
constexpr std::int64_t kFileBytesMax = 50 * 1024 * 1024;

/// Allows one agent one upload to one address until `expires_at_ms`.
struct UploadGrant {
    std::string file_id;  ///< 32 hex digits chosen by us: the name on disk and in the address
    std::string agent_id;
    std::string upload_type;  ///< "chatfile" or "profile"
    std::string file_name;    ///< name given by the agent; never a path of ours
    std::string extension;    ///< an extension of media_type_of
    std::int64_t size_bytes = 0;
    UnixMs expires_at_ms = 0;
};

/// `/files/{file_id}.{extension}`: the address for the upload and for later downloads.
std::string file_path(std::string_view file_id, std::string_view extension);

/// The path with the grant as query, signed by HMAC-SHA256 with `key`, so that nobody else can
/// create one or change its parts.
std::string signed_upload_target(std::string_view key, const UploadGrant& grant);

/// The grant of `request`. Only the database knows whether it was already used.
///
/// Errors:  Unauthenticated for a wrong signature and for an expired grant.
Result<UploadGrant> read_upload_grant(std::string_view key, const http::Request& request,
                                      UnixMs now_ms);

}  // namespace a2h::market
