#include "market/files/upload_grant.h"

#include <charconv>

#include "core/web/html.h"
#include "core/wire/crypto.h"

namespace a2h::market {
namespace {

/// The name is last and the other parts contain no line break, so different grants never have the
/// same text.
std::string signature(std::string_view key, const UploadGrant& grant) {
    const std::string text = "PUT\n" + file_path(grant.file_id, grant.extension) + "\n" +
                             grant.agent_id + "\n" + grant.upload_type + "\n" +
                             std::to_string(grant.size_bytes) + "\n" +
                             std::to_string(grant.expires_at_ms) + "\n" + grant.file_name;
    return wire::hmac_sha256_hex(key, text);
}

std::int64_t to_number(std::string_view text) {
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : -1;
}

}  // namespace

std::string file_path(std::string_view file_id, std::string_view extension) {
    return "/files/" + std::string(file_id) + "." + std::string(extension);
}

std::string signed_upload_target(std::string_view key, const UploadGrant& grant) {
    return file_path(grant.file_id, grant.extension) + "?agent=" + grant.agent_id +
           "&type=" + grant.upload_type + "&size=" + std::to_string(grant.size_bytes) +
           "&expires=" + std::to_string(grant.expires_at_ms) +
           "&name=" + web::percent_encode(grant.file_name) + "&signature=" + signature(key, grant);
}

Result<UploadGrant> read_upload_grant(std::string_view key, const http::Request& request,
                                      UnixMs now_ms) {
    const std::string_view path = request.path;
    const auto name_begin = path.rfind('/') + 1;
    const auto point = std::min(path.rfind('.'), path.size());
    UploadGrant grant{.file_id = std::string(path.substr(name_begin, point - name_begin)),
                      .agent_id = std::string(request.query_value("agent")),
                      .upload_type = std::string(request.query_value("type")),
                      .file_name = std::string(request.query_value("name")),
                      .extension = std::string(path.substr(std::min(point + 1, path.size()))),
                      .size_bytes = to_number(request.query_value("size")),
                      .expires_at_ms = to_number(request.query_value("expires"))};
    // The path is signed as well, so it must have exactly the form in which we write it.
    if (file_path(grant.file_id, grant.extension) != path ||
        !wire::equal_constant_time(signature(key, grant), request.query_value("signature"))) {
        return fail(ErrorCode::Unauthenticated,
                    "the signature of this upload address is not valid");
    }
    if (grant.expires_at_ms <= now_ms) {
        return fail(ErrorCode::Unauthenticated,
                    "this upload address has expired; ask for a new one");
    }
    return grant;
}

}  // namespace a2h::market
