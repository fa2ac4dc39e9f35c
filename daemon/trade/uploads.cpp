#include "daemon/trade/uploads.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/control/home.h"
#include "core/platform/identity.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "daemon/consent/door.h"
#include "daemon/trade/calls.h"

namespace a2h::trade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr UnixMs kChatFileLifetimeMs = 24LL * 3600 * 1000;

/// The file without links and `..`; empty if there is none.
fs::path resolved(const std::string& name, std::span<const fs::path> folders) {
    std::error_code missing;
    const fs::path given = control::expand_home(name);
    if (given.is_absolute()) return fs::canonical(given, missing);
    for (const fs::path& folder : folders) {
        auto found = fs::canonical(folder / given, missing);
        if (!missing) return found;
    }
    return {};
}

std::string kinds(bool qr_image) {
    return qr_image ? "a payment code is a jpg, jpeg, png or webp picture"
                    : "files of this kind cannot be uploaded; a2h_file_upload lists the kinds";
}

}  // namespace

Result<LocalFile> check_file(const std::string& name, std::span<const fs::path> folders,
                             bool qr_image) {
    std::error_code failure;
    for (const fs::path& folder : folders) {
        if (fs::exists(folder, failure)) continue;
        // A folder that cannot be created contains no file.
        if (!platform::make_private_folder(folder)) continue;
    }
    LocalFile file;
    file.path = resolved(name, folders);
    const auto status = fs::status(file.path, failure);
    if (file.path.empty() || !fs::exists(status)) {
        return fail(ErrorCode::NotFound, "there is no file " + preview(name));
    }
    if (!fs::is_regular_file(status)) return invalid(preview(name) + " is not a regular file");
    file.size_bytes = fs::file_size(file.path, failure);
    if (failure || file.size_bytes == 0) return invalid(preview(name) + " is empty");
    if (file.size_bytes > kUploadBytesMax) {
        return invalid(preview(name) + " has " + std::to_string(file.size_bytes) +
                       " bytes; at most " + std::to_string(kUploadBytesMax) + " can be uploaded");
    }
    const auto type = media_type_of(file.path.filename().string());
    if (!type || (qr_image && !is_qr_image(*type))) return invalid(kinds(qr_image));
    file.type = *type;
    // A folder that cannot be resolved frees no file from the owner's yes.
    file.in_upload_folder = std::any_of(
        folders.begin(), folders.end(),
        [&](const fs::path& folder) { return is_inside(file.path, folder).value_or(false); });
    return file;
}

Result<json> upload_file(const CallContext& call, const LocalFile& file,
                         std::string_view upload_type) {
    const std::string name = file.path.filename().string();
    A2H_ASSIGN_OR_RETURN(const auto grant,
                         ask_market(call, "file.sign",
                                    {{"upload_type", upload_type},
                                     {"upload_subtype", upload_subtype(file.type)},
                                     {"file_name", name},
                                     {"file_size", file.size_bytes},
                                     {"file_type", file.type.mime}}));
    platform::Upload upload{text_member(grant, "upload_url"), {}, file.path, kUploadBytesMax};
    if (upload.url.empty())
        return fail(ErrorCode::Corrupt, "the market returned no signed address");
    const json& headers = member(grant, "signed_headers");
    if (headers.is_object()) {
        for (const auto& [header, value] : headers.items()) {
            if (value.is_string()) upload.headers.emplace_back(header, value.get<std::string>());
        }
    }
    A2H_ASSIGN_OR_RETURN(const auto hash, wire::sha256_hex_of_file(file.path));
    A2H_ASSIGN_OR_RETURN(
        const auto permit,
        consent::Door::permit_upload(hash, {call.market.agent_id(), call.action, call.yes}));
    A2H_TRY(call.market.upload(upload, permit));
    json data{{"url", upload.url.substr(0, upload.url.find('?'))},
              {"objectKey", text_member(grant, "object_key")},
              {"fileName", name},
              {"fileSize", file.size_bytes},
              {"mimeType", file.type.mime},
              {"uploadSubtype", upload_subtype(file.type)},
              {"source", "oss"}};
    if (upload_type == "chatfile")
        data["expiresAt"] = to_utc_time(call.now_ms + kChatFileLifetimeMs);
    return data;
}

}  // namespace a2h::trade
