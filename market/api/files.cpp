// Files: signed addresses, uploads to them, and downloads.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/base/ids.h"
#include "core/web/html.h"
#include "core/wire/crypto.h"
#include "market/api/answer.h"
#include "market/api/base_url.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/api/upload.h"
#include "market/files/file_type.h"
#include "market/files/upload_grant.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::string_view kFiles = "/files/";
constexpr std::size_t kFileIdBytes = 16;
constexpr std::chrono::minutes kGrantLifetime{15};
constexpr std::chrono::hours kChatFileLifetime{24};
/// Limit of bytes that one agent may have stored.
constexpr std::int64_t kAgentBytesMax = 1024LL * 1024 * 1024;

Unexpected no_such_file() {
    return fail(ErrorCode::NotFound, "there is no such file, or it has expired");
}

/// Clients write MIME types in any case and with parameters.
bool is_mime(std::string_view given, std::string_view mime) {
    given = given.substr(0, given.find(';'));
    return std::equal(given.begin(), given.end(), mime.begin(), mime.end(), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
}

Result<void> check_room(db::Transaction& transaction, std::string_view agent_id,
                        std::int64_t size_bytes) {
    A2H_ASSIGN_OR_RETURN(const auto stored, store::stored_bytes(transaction, agent_id));
    if (stored + size_bytes > kAgentBytesMax) {
        return fail(ErrorCode::Conflict, "your files take " + std::to_string(stored) + " of " +
                                             std::to_string(kAgentBytesMax) +
                                             " bytes; wait until some expire");
    }
    return {};
}

Result<UploadGrant> make_grant(ApiParts& parts, const Call& call) {
    const auto name = text_or(call.body, "file_name");
    const auto type = media_type_of(name);
    if (!type) {
        return invalid(
            "file_name: this kind of file is not accepted; its extension must be one of "
            "those in the documentation");
    }
    if (!is_mime(text_or(call.body, "file_type"), type->mime)) {
        return invalid("file_type must be " + std::string(type->mime) + " for ." +
                       std::string(type->extension));
    }
    UploadGrant grant{
        .file_id = random_hex(kFileIdBytes),
        .agent_id = call.caller.agent_id,
        .upload_type = text_or(call.body, "upload_type"),
        .file_name = name,
        .extension = std::string(type->extension),
        .size_bytes = integer_of(call.body, "file_size", 0),
        .expires_at_ms = parts.clock.now_ms() + std::chrono::milliseconds(kGrantLifetime).count()};
    A2H_TRY(parts.database.read_with(check_room, grant.agent_id, grant.size_bytes));
    return grant;
}

Result<json> sign_upload(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto grant, make_grant(parts, call));
    return json{{"upload_url",
                 base_url(parts, call.request) + signed_upload_target(parts.secret_key, grant)},
                {"object_key", grant.upload_type + "/" + grant.file_id + "." + grant.extension},
                {"signed_headers", {{"Content-Type", media_type_of(grant.file_name)->mime}}}};
}

Result<http::Server::BodyFile> open_upload(ApiParts& parts, const http::Request& request) {
    A2H_ASSIGN_OR_RETURN(const auto grant,
                         read_upload_grant(parts.secret_key, request, parts.clock.now_ms()));
    if (request.header("content-length") != std::to_string(grant.size_bytes)) {
        return invalid("Content-Length must be " + std::to_string(grant.size_bytes) +
                       ", as requested");
    }
    if (!is_mime(request.header("content-type"), media_type_of(grant.file_name)->mime)) {
        return invalid("Content-Type must be " + std::string(media_type_of(grant.file_name)->mime));
    }
    A2H_ASSIGN_OR_RETURN(const auto present,
                         parts.database.read_with(store::find_file, grant.file_id));
    if (present) return fail(ErrorCode::Conflict, "this upload address was used already");
    return http::Server::BodyFile{parts.files.new_upload(),
                                  static_cast<std::uint64_t>(grant.size_bytes)};
}

/// The grant of a finished upload, if the content matches it.
Result<UploadGrant> check_upload(ApiParts& parts, const http::Request& request) {
    // The expiry was checked before the body, and a long upload may take longer.
    auto grant = read_upload_grant(parts.secret_key, request, 0);
    if (!grant) return grant;
    if (request.body_file.empty()) return invalid("the file is empty");
    std::error_code error;
    const auto size = std::filesystem::file_size(request.body_file, error);
    if (error || size != static_cast<std::uintmax_t>(grant->size_bytes)) {
        return invalid("the file does not have the requested size");
    }
    A2H_ASSIGN_OR_RETURN(const auto ends,
                         read_ends(request.body_file, kFileHeadBytes, kFileTailBytes));
    if (!content_fits(*media_type_of(grant->file_name), ends.head, ends.tail)) {
        return invalid("the content is not that of a ." + grant->extension + " file");
    }
    return grant;
}

Result<void> record_upload(ApiParts& parts, const UploadGrant& grant) {
    const UnixMs now_ms = parts.clock.now_ms();
    StoredFile file{.file_id = grant.file_id,
                    .agent_id = grant.agent_id,
                    .upload_type = grant.upload_type,
                    .file_name = grant.file_name,
                    .extension = grant.extension,
                    .size_bytes = grant.size_bytes,
                    .created_at_ms = now_ms};
    if (grant.upload_type == "chatfile") {
        file.expires_at_ms = now_ms + std::chrono::milliseconds(kChatFileLifetime).count();
    }
    return parts.database.write([&](db::Transaction& transaction) -> Result<void> {
        A2H_TRY(check_room(transaction, grant.agent_id, grant.size_bytes));
        return store::add_file(transaction, file);
    });
}

Result<UploadGrant> take_upload(ApiParts& parts, const http::Request& request) {
    auto grant = check_upload(parts, request);
    if (!grant) return grant;
    // The first upload that creates the file succeeds; another one to the same address ends here.
    A2H_TRY(parts.files.keep(request.body_file, grant->file_id));
    const auto recorded = record_upload(parts, *grant);
    if (!recorded) {
        (void)parts.files.remove(grant->file_id);
        return fail(recorded.error());
    }
    return grant;
}

http::Response receive_file(ApiParts& parts, const Call& call) {
    const auto grant = take_upload(parts, call.request);
    if (!grant) return failure(grant.error());
    const auto path = file_path(grant->file_id, grant->extension);
    return success({{"url", base_url(parts, call.request) + path}});
}

/// "0123….jpg" → id and extension; two empty texts if the name has another form.
std::pair<std::string, std::string> split_name(std::string_view name) {
    constexpr std::size_t kIdLength = 2 * kFileIdBytes;
    if (name.size() < kIdLength + 2 || name[kIdLength] != '.') return {};
    return {std::string(name.substr(0, kIdLength)), std::string(name.substr(kIdLength + 1))};
}

Result<StoredFile> find_shown(ApiParts& parts, std::string_view name) {
    const auto [file_id, extension] = split_name(name);
    if (file_id.empty()) return no_such_file();
    A2H_ASSIGN_OR_RETURN(auto file, parts.database.read_with(store::find_file, file_id));
    if (!file || file->extension != extension) return no_such_file();
    if (file->expires_at_ms && *file->expires_at_ms <= parts.clock.now_ms()) {
        return no_such_file();
    }
    return std::move(*file);
}

/// A browser may only show the file as a picture, film or sound, or save it.
http::Response file_response(const ApiParts& parts, const StoredFile& file) {
    const auto type = media_type_of("." + file.extension);
    const bool text = type->mime.starts_with("text/");
    const std::string cache =
        file.expires_at_ms ? "private, max-age=" +
                                 std::to_string((*file.expires_at_ms - parts.clock.now_ms()) / 1000)
                           : std::string("public, max-age=31536000, immutable");
    return {
        200,
        {{"Content-Type", std::string(type->mime) + (text ? "; charset=utf-8" : "")},
         {"Content-Disposition", std::string(is_shown_inline(*type) ? "inline" : "attachment") +
                                     "; filename*=UTF-8''" + web::percent_encode(file.file_name)},
         {"Cache-Control", cache},
         {"ETag", '"' + file.file_id + '"'},  // an address is good for one upload
         {"X-Content-Type-Options", "nosniff"},
         {"Content-Security-Policy", "default-src 'none'; sandbox"},
         {"Cross-Origin-Resource-Policy", "cross-origin"}},
        "",
        parts.files.path_of(file.file_id)};
}

http::Response show_file(ApiParts& parts, const Call& call) {
    const auto file = find_shown(parts, call.arguments[0]);
    if (!file) return failure(file.error());
    return file_response(parts, *file);
}

/// Returns the schema of a request for an upload address.
const std::string& upload_schema() {
    static const std::string kSchema = R"({"type":"object",
        "required":["upload_type","file_name","file_size","file_type"],"properties":{
        "upload_type":{"type":"string","enum":["chatfile","profile"],
            "description":"chatfile: deleted after 24 hours"},
        "upload_subtype":{"type":"string","maxLength":32},
        "file_name":{"type":"string","minLength":1,"maxLength":255},
        "file_size":{"type":"integer","minimum":1,"maximum":)" +
                                       std::to_string(kFileBytesMax) + R"(,"description":"bytes"},
        "file_type":{"type":"string","maxLength":128,"description":"MIME type"}}})";
    return kSchema;
}

std::span<const Route> file_routes() {
    static const std::array kRoutes{
        Route{.method = "POST",
              .path = "/findu-oss/api/v1/oss_signurl/upload/sign",
              .summary =
                  "Returns a signed address to which one file can be uploaded once, with PUT, "
                  "within 15 "
                  "minutes. Without its query it is the file's public address. Kinds: jpg jpeg "
                  "png gif webp mp4 mov avi mpeg mpg pdf doc docx xls xlsx ppt pptx txt csv md "
                  "zip tar gz mp3.",
              .body_schema = upload_schema(),
              .data_schema = R"({"type":"object",
            "required":["upload_url","object_key","signed_headers"],"properties":{
            "upload_url":{"type":"string"},"object_key":{"type":"string"},
            "signed_headers":{"type":"object",
                "description":"headers that the upload must carry"}}})",
              .handler = sign_upload},
        Route{.method = "PUT",
              .path = "/files/{name}",
              .access = Access::Public,
              .form = Form::Raw,
              .summary = "Uploads a file to its signed address.",
              .raw_handler = receive_file},
        Route{.method = "GET",
              .path = "/files/{name}",
              .access = Access::Public,
              .form = Form::Raw,
              .summary = "Returns an uploaded file.",
              .raw_handler = show_file},
    };
    return kRoutes;
}

}  // namespace

http::Server::BodyChoice choose_body(ApiParts& parts, const http::Request& request) {
    if (request.method != "PUT" || !request.path.starts_with(kFiles)) return {};
    auto file = open_upload(parts, request);
    if (!file) return failure(file.error());
    return std::move(*file);
}

Result<StoredFile> find_profile_picture(const ApiParts& parts, db::Transaction& transaction,
                                        const http::Request& request, std::string_view url,
                                        std::string_view agent_id) {
    constexpr std::string_view kWanted =
        "value must be the address of a picture (jpg, png, webp) that you uploaded as \"profile\"";
    const std::string base = base_url(parts, request) + std::string(kFiles);
    if (!url.starts_with(base)) return invalid(std::string(kWanted));
    const auto [file_id, extension] = split_name(url.substr(base.size()));
    A2H_ASSIGN_OR_RETURN(auto file, store::find_file(transaction, file_id));
    if (!file || file->agent_id != agent_id || file->extension != extension ||
        file->upload_type != "profile" || !is_qr_image(*media_type_of("." + extension))) {
        return invalid(std::string(kWanted));
    }
    return std::move(*file);
}

Resource file_resource() {
    return {"files", file_routes()};
}

}  // namespace a2h::market
