#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/media_type.h"
#include "daemon/trade/checks.h"

namespace a2h::trade {

/// Files above it are refused before they are read. The limit is the market's, another program
/// whose `kFileBytesMax` (market/files) cannot be included here.
constexpr std::uint64_t kUploadBytesMax = 50 * 1024 * 1024;

/// A file of this machine in its current state.
struct LocalFile {
    std::filesystem::path path;  ///< absolute, without links and `..`
    std::uint64_t size_bytes = 0;
    MediaType type;
    bool in_upload_folder = false;
};

/// `name` is absolute, begins with `~/`, or is searched in each of `folders`. Missing folders are
/// created (0700), so that their owner finds them.
///
/// Errors:  NotFound if there is no such file; InvalidArgument if it is not a regular file, empty,
///          too large, or of a kind that may not be uploaded (for `qr_image`: not a payment code).
/// Thread:  any; blocks on the disk.
/// Source:  R17; docs/protocol.md, "Files".
Result<LocalFile> check_file(const std::string& name,
                             std::span<const std::filesystem::path> folders, bool qr_image);

/// Requests a signed address, PUTs the file there in pieces, and returns `{url, objectKey,
/// fileName, fileSize, mimeType, uploadSubtype, source}`, for `chatfile` also `expiresAt`.
///
/// Errors:  those of `make_call` and `platform::Client::upload`.
/// Thread:  any; blocks for up to 5 min.
Result<nlohmann::json> upload_file(const CallContext& call, const LocalFile& file,
                                   std::string_view upload_type);

}  // namespace a2h::trade
